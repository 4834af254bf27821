import { describe, expect, test } from "bun:test";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** Runs an expression in a command, and logs what comes of it. */
const asks = (expression: string) => `export default (amp) => {
	amp.registerCommand("go", { title: "Go" }, async ({ ui }) => {
		try {
			amp.logger.log("got " + JSON.stringify(await ${expression}));
		} catch (error) {
			amp.logger.log("refused " + error.code + " " + error.message);
		}
	});
};`;

/** A UI that says yes to everything, and keeps what it was asked. */
function recorded() {
	const asked: unknown[] = [];
	const keep = (answer: unknown) => async (request: unknown) => {
		asked.push(request);
		return answer as never;
	};
	const ui = {
		...scriptedUI([]),
		notify: keep(undefined),
		input: keep("typed"),
		confirm: keep(true),
		select: keep("a"),
	};
	return { ui, asked };
}

async function outcome(expression: string) {
	const { ui, asked } = recorded();
	const { host } = await bench.start({ one: asks(expression) }, { providers: { ui } });
	await host.commands.run("go");
	const log = host.plugins.log("one").map(({ message }) => message);
	return { asked, log };
}

describe("a dialog that would be empty is not shown, and its plugin is told what is allowed", () => {
	test.each<[string, string]>([
		["ui.confirm(7)", "ui.confirm takes an object such as { title }, not a number"],
		["ui.confirm()", "ui.confirm takes an object such as { title }, not nothing"],
		['ui.confirm(["Sure?"])', "ui.confirm takes an object such as { title }, not a list"],
		["ui.input(() => {})", "ui.input takes an object such as { title }, not a function"],
		["ui.select(null)", "ui.select takes an object such as { title }, not nothing"],
		['ui.select("x")', "options is a list of texts, not nothing"],
		['ui.select({ title: "Which?" })', "options is a list of texts, not nothing"],
		['ui.select({ title: "Which?", options: "a" })', "options is a list of texts, not a text"],
		[
			'ui.select({ title: "Which?", options: { a: 1 }, allowOther: true })',
			"options is a list of texts, not an object",
		],
		["amp.ui.confirm(7)", "ui.confirm takes an object such as { title }, not a number"],
	])("%s", async (expression, told) => {
		const { asked, log } = await outcome(expression);
		expect({ asked, log }).toEqual({ asked: [], log: [expect.stringMatching(/^refused invalid_params /)] });
		expect(log[0]).toContain(told);
	});

	test("and one that nobody awaits does not end the plugin", async () => {
		const { host, logged } = await bench.start({ one: "export default (amp) => { amp.ui.confirm(7); };" });
		await logged("one", "ui.confirm takes an object such as { title }");
		expect(host.plugins.get("one").state).toBe("ready");
	});
});

describe("what works in Amp is shown", () => {
	test.each<[string, object, string]>([
		['ui.confirm("Sure?")', { title: "Sure?" }, "got true"],
		["ui.input()", {}, 'got "typed"'],
		['ui.notify("hi", { type: "info" })', { message: "hi" }, "got undefined"],
		[
			'ui.select({ title: 3, options: [{ label: "A", value: "a" }, 4] })',
			{ title: "3", options: ["a", "4"] },
			'got "a"',
		],
		['ui.select({ title: "Which?", allowOther: true })', { title: "Which?", options: [], allowOther: true }, 'got "a"'],
	])("%s", async (expression, request, told) => {
		const { asked, log } = await outcome(expression);
		expect({ asked, log }).toEqual({ asked: [request], log: [told] });
	});
});

test("a choice of nothing counts as cancelled, and the plugin's log says why", async () => {
	const { asked, log } = await outcome('ui.select({ title: "Which?", options: [] })');
	expect(asked).toEqual([]);
	expect(log.toSorted()).toEqual([
		"got undefined",
		'ui.select "Which?" has no options and no allowOther: nobody can answer it, so it counts as cancelled',
	]);
});

test("a status item whose text is no text is shown, and the plugin's log says what it takes", async () => {
	const plugin = `export default (amp) => {
		amp.createStatusItem({ text: 1 });
		amp.createStatusItem("left").update({ text: "well" });
		amp.createStatusItem();
	};`;
	const running = await bench.start({ one: plugin });
	await running.until("statusItems", ({ items }) => items.some(({ text }) => text === "well"));
	const warned = running.host.plugins
		.log("one")
		.filter(({ message }) => message.includes("a status item takes an object"));
	expect(warned).toHaveLength(2);
	expect(running.host.statusItems.list().map(({ text }) => text)).toContain("1");
});
