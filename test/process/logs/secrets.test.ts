import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { jsonLog } from "../../../host/index.ts";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import type { Frame } from "../../../runtime/peer.ts";
import { createBench, type Running } from "../support/host.ts";
import { around, errorTexts, filesBelow } from "./support.ts";

const bench = createBench();

// Built, so that no source and no code frame holds the words themselves.
const typed = ["typed", "canary", "word"].join("-");
const proposed = ["proposed", "canary", "word"].join("-");
const inherited = ["inherited", "canary", "word"].join("-");
const canaries = [typed, proposed, inherited];

/** Asks for a secret, then leaks it and what it inherited in every way that a plugin has. */
const leaky = `
import { appendFileSync } from "node:fs";
export default (amp) => {
	let all = process.env.DEMO_API_TOKEN;
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		const secret = await ui.input({ title: "Key", secret: true, initialValue: ["proposed", "canary", "word"].join("-") });
		all = [secret, "proposed-canary" + "-word", process.env.DEMO_API_TOKEN].join(" & ");
		console.log("printed", all);
		console.error(JSON.stringify({ all }));
		process.stdout.write("x".repeat(8 * 1024 - 14) + all + "\\n");
		amp.logger.log("logged", { all });
		amp.logger.log("y".repeat(8 * 1024 - 14) + all);
		await ui.notify("shown " + all);
	});
	tool("throws", () => {
		const cause = Object.assign(new TypeError("cause " + all), { code: all });
		throw new AggregateError([new RangeError("listed " + all)], "thrown " + all, { cause });
	});
	tool("dies", () => { console.error("last words", all); process.exit(3); });
	tool("given", () => all);
	amp.on("session.start", () => { throw new Error("event " + all); });
	amp.onDispose(() => { throw new Error("dispose " + all); });
};`;

test("a secret that a plugin logs, prints, throws and dies with is in no log, error, trace or file", async () => {
	const lines: string[] = [];
	const raw: Frame[] = [];
	const asked: unknown[] = [];
	const ui = { ...scriptedUI([typed]), notify: async (request: unknown) => void asked.push(request) };
	const env = { ...(process.env as Record<string, string>), DEMO_API_TOKEN: inherited };
	const running = await bench.start(
		{ leaky },
		{
			env,
			providers: { ui },
			log: jsonLog((line) => lines.push(line)),
			wire: (_, frame) => raw.push(frame),
			limits: { restart: { retriesMax: 0 } },
		},
	);
	const { host } = running;
	expect(await host.commands.run("ask")).toMatchObject({ ok: true });
	const thrown = await host.tools.call("throws", {});
	const emitted = await host.emit("session.start");
	const given = await host.tools.call("given", {});
	const died = await host.tools.call("dies", {}).catch((error: unknown) => error);
	await running.reaches("leaky", "failed");
	await host.stop();

	for (const canary of canaries) {
		expect(given.text).toContain(canary);
		expect(JSON.stringify(asked)).toContain(canary);
	}
	expect(errorTexts(thrown.error)).toContain("listed [secret] & [secret] & [secret]");
	expect(errorTexts(died)).toContain("last words [secret] & [secret] & [secret]");
	expect(errorsOf(running)).toContain("last words [secret]");
	const { log } = host.plugins;
	for (const part of ["printed [secret]", "logged", "event [secret]", "shown"]) {
		expect(JSON.stringify([log("leaky"), raw])).toContain(part);
	}
	const kept = [lines, raw, emitted, host.plugins.list(), log("leaky"), { ...thrown, error: undefined }];
	const texts = [
		...kept.map((part) => JSON.stringify(part)),
		...[thrown.error, died].map((error) => errorTexts(error)),
	];
	const files = [...filesBelow(dirname(bench.path(""))).values()];
	const everything = [...texts, errorsOf(running), ...files].join("\n");
	// A line that was cut within a secret does not show its beginning either.
	for (const canary of [...canaries, "typed-can"]) expect(around(everything, canary)).toEqual([]);
});

test("a failed load tells neither what the plugin inherited nor, in any launch, the values of its environment", async () => {
	const dirty = `console.error("before", process.env.MY_SECRET);
		throw new Error("no " + process.env.MY_SECRET, { cause: process.env.MY_SECRET });`;
	const env = { ...(process.env as Record<string, string>), MY_SECRET: inherited, PLAIN: typed };
	const [loaded, lost] = await Promise.all([
		bench.start({ dirty }, { env }),
		bench.start({}, { env, launch: { form: "custom", command: ["/nowhere/child"] } }),
	]);
	expect(loaded.host.plugins.get("dirty").error).toMatchObject({ stderrTail: "before [secret]\n", stage: "import" });
	expect(errorsOf(loaded)).toContain("no [secret]");
	expect(errorsOf(lost)).toContain("/nowhere/child");
	for (const running of [loaded, lost]) {
		const everything = errorsOf(running) + JSON.stringify([running.events, running.host.plugins.log("dirty")]);
		for (const canary of [inherited, typed]) expect(everything).not.toContain(canary);
	}
});

test("what one plugin was told in secret masks nothing of another", async () => {
	const plain = `export default (amp) => amp.registerCommand("say", { title: "Say" }, () => console.log("the typed-canary" + "-word"));`;
	const { host, logged } = await bench.start({ leaky, plain }, { providers: { ui: scriptedUI([typed]) } });
	await host.commands.run("ask");
	await host.commands.run("say");
	expect((await logged("plain", "the ")).message).toBe(`the ${typed}`);
});

/** Every error of a plugin that the host has told. */
function errorsOf({ events }: Running): string {
	return events.flatMap((event) => (event.type === "state" ? [errorTexts(event.error)] : [])).join("\n");
}
