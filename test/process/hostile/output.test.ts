import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { limits } from "../../../runtime/limits.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const quiet = `export default (amp) => {
	amp.registerTool({ name: "echo", description: "", inputSchema: { type: "object" }, execute: ({ say }) => say });
};`;

const evil = (execute: string) => `export default (amp) => {
	amp.registerTool({ name: "go", description: "", inputSchema: { type: "object" }, execute() { ${execute} } });
};`;

/** Prints until a file is there, or for so long that a host that is held up by it is seen to be. */
const printing = (begin: string, end: string) => `
	const { existsSync } = require("node:fs");
	const began = Date.now();
	${begin}
	const watch = setInterval(() => {
		const isOver = Date.now() - began > 5_000;
		if (!isOver && !existsSync(process.env.ENOUGH)) return;
		clearInterval(watch);
		${end}
		if (isOver) amp.logger.log("nobody stopped it");
	}, 20);
	return "printing";`;

const again = (text: string) =>
	printing(`const again = setInterval(() => console.log(${text}), 1);`, "clearInterval(again);");

const floods = {
	"empty lines": again(`"\\n".repeat(65_536)`),
	"short lines": again(`"ab\\n".repeat(20_000)`),
	"one line without end": again(`"x".repeat(1_000_000)`),
	"the lines of a process of its own": printing(
		`const yes = Bun.spawn(["yes", ""], { stdio: ["ignore", "inherit", "inherit"] });`,
		"yes.kill();",
	),
};

test.each(Object.entries(floods))("a plugin that prints %s without pause holds up nobody", async (_name, execute) => {
	const enough = bench.path("enough");
	const running = await bench.start({ evil: evil(execute), quiet }, { env: { ENOUGH: enough } });
	await running.host.tools.call("go", {});
	for (let trip = 0; trip < 50; trip += 1) {
		expect(await running.host.tools.call("echo", { say: `${trip}` })).toMatchObject({ text: `${trip}` });
	}
	await running.until("log", ({ entry }) => entry.plugin === "evil" && entry.source === "output");
	writeFileSync(enough, "");
	expect(running.events.filter((event) => event.type === "log" && /nobody stopped/.test(event.entry.message))).toEqual(
		[],
	);
});

test.each([
	["are printed", `console.log("line\\n".repeat(2_999) + "line"); return "printed";`],
	["are sent to the log", `for (let n = 0; n < 3_000; n++) amp.logger.log("line"); return "sent";`],
	["were printed by a process that ended", `console.error("line\\n".repeat(2_999) + "line"); process.exit(3);`],
])("lines past the rate that %s are dropped, and one line says how many", async (_how, execute) => {
	const limits = { text: { logLinesPerSecondMax: 100 }, restart: { retriesMax: 0 } };
	const running = await bench.start({ evil: evil(execute) }, { limits });
	await running.host.tools.call("go", {}).catch(() => {});
	await running.logged("evil", "were dropped");
	const { shown, dropped } = await counted(running, 3_000);
	expect(shown).toBeGreaterThanOrEqual(100);
	expect(dropped).toBeGreaterThan(0);
});

test("an error of megabytes is kept as far as anybody reads it, thrown by a load as by a call", async () => {
	const thrown = (kind: string) => `
		const deep = new Error("d".repeat(5e6));
		const error = new ${kind}("m".repeat(20e6), { cause: deep });
		error.stack = "s".repeat(5e6);
		throw error;`;
	const running = await bench.start({
		bad: `export default () => { ${thrown("Error")} };`,
		worse: `export default () => { throw "t".repeat(20e6); };`,
		evil: evil(thrown("TypeError")),
	});
	const { host } = running;
	const failed = ["bad", "worse"].map((name) => host.plugins.get(name).error);
	const called = await host.tools.call("go", {});
	if (called.ok) throw new Error("the call went well");
	for (const error of [...failed, called.error])
		expect(charsOf(error)).toBeLessThan(20 * limits.text.errorTextCharsMax);
	expect(failed[0]).toMatchObject({ code: "load_failed", cause: { cause: { name: "Error" } } });
	expect(failed[0]?.message).toContain(`Error: ${"m".repeat(limits.text.errorTextCharsMax)}…`);
});

test("characters that hide or turn a text are shown as what they are, in a log and in what a load failed with", async () => {
	const running = await bench.start({
		bad: `console.log("printed \\u202e\\u2028\\u200b"); export default () => { throw new Error("thrown \\u202e\\u2066x\\u001b[2J"); };`,
	});
	const entry = await running.logged("bad", "printed");
	expect(entry.message).toBe("printed \\u202e\\u2028\\u200b");
	const error = running.host.plugins.get("bad").error;
	expect(error?.message).toContain("thrown \\u202e\\u2066x\\u001b[2J");
	expect(error).toMatchObject({ cause: { message: "thrown \u202e\u2066x\u001b[2J" } });
});

/** Waits until each line is in the log or was told to be dropped. */
async function counted(running: Running, all: number): Promise<{ shown: number; dropped: number }> {
	for (;;) {
		const messages = running.events.flatMap((event) => (event.type === "log" ? [event.entry.message] : []));
		const shown = messages.filter((message) => message === "line").length;
		const told = messages.map((message) => Number(/ (\d+) of them were dropped/.exec(message)?.[1] ?? 0));
		const dropped = told.reduce((sum, count) => sum + count, 0);
		if (shown + dropped >= all) {
			expect(shown + dropped).toBe(all);
			return { shown, dropped };
		}
		await running.next("log", () => true);
	}
}

/** The characters of all texts of an error and its causes. */
function charsOf(error: unknown): number {
	if (!(error instanceof Error)) throw new Error(`no error: ${String(error)}`);
	const own = error.message.length + (error.stack?.length ?? 0);
	return error.cause === undefined ? own : own + charsOf(error.cause);
}
