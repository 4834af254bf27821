import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench } from "../support/host.ts";
import { fakeChild, startFake } from "./fake.ts";

const bench = createBench();

describe("the protocol that a child says it speaks", () => {
	const plugins = (versions: Record<string, string>) =>
		Object.fromEntries(
			Object.entries(versions).map(([name, hello]) => [
				name,
				`export default { hello: ${hello}, tool(wire, id) { wire.answer(id, "ok"); } };`,
			]),
		);

	test("is compatible with the same major version, newer, older in its patch, and when it is not told", async () => {
		const { host } = await bench.start(
			plugins({
				same: '{ protocol: "1.0.0" }',
				newer: '{ protocol: "1.9.0" }',
				build: '{ protocol: "1.0.3+7" }',
				untold: "{ protocol: undefined }",
			}),
			{ launch: fakeChild, client: { name: "another", version: "7.0.0" } },
		);
		expect(host.plugins.list().map(({ name, state }) => ({ name, state }))).toEqual(
			["build", "newer", "same", "untold"].map((name) => ({ name, state: "ready" })),
		);
	});

	test("is incompatible otherwise: no tool is published, and the text names both versions or the field (case 151)", async () => {
		const { host } = await bench.start(
			plugins({
				two: '{ protocol: "2.0.0" }',
				zero: '{ protocol: "0.9.0" }',
				empty: '{ protocol: "" }',
				word: '{ protocol: "latest" }',
				prerelease: '{ protocol: "1.1.0-beta.1" }',
				huge: '{ protocol: "1." + "9".repeat(100_000) + ".0" }',
				number: "{ protocol: 1 }",
				nothing: "{ protocol: null }",
				list: "{ protocol: [1] }",
			}),
			{ launch: fakeChild },
		);
		expect(host.tools.list()).toEqual([]);
		for (const { name, state, error, launches } of host.plugins.list()) {
			expect({ name, state, launches, code: error?.code, stage: error?.stage }).toEqual({
				name,
				state: "incompatible",
				launches: 1,
				code: "incompatible_protocol",
				stage: "client.info",
			});
			expect(error?.message).toContain("1.0.0");
			expect(error?.message.length).toBeLessThan(300);
		}
		const message = (name: string) => host.plugins.get(name).error?.message;
		expect(message("two")).toContain("it speaks protocol 2.0.0, this host 1.0.0");
		expect(message("empty")).toContain('it speaks protocol "", this host');
		for (const name of ["number", "nothing", "list"]) expect(message(name)).toContain("protocol: ");
	});

	test("does not depend on the version of the host's product, be it an unpublished one", async () => {
		const { host } = await bench.start(
			{
				one: `export default (amp) => amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => amp.system.version ?? "none" });`,
			},
			{ client: { name: "dev", version: "0.0.0-dev" } },
		);
		expect(host.plugins.get("one").state).toBe("ready");
		expect((await host.tools.call("t", {}, { events: false })).ok).toBe(true);
	});
});

test("a handshake that never comes has four distinct reasons: silence, an error, an echo, an exit (case 153)", async () => {
	const { host } = await bench.start(
		{
			silent: "export default { begin() {} };",
			error: `export default { begin(wire) {
				wire.say({ method: "runtime.failed", params: { stage: "client.info", error: { code: -32000, message: "cannot start today", data: { name: "Error" } }, positions: [] } });
			} };`,
			echo: "export default { load(wire, info) { wire.say(info); }, hear(wire, message) { wire.say(message); return true; } };",
			exit: "export default { begin() { process.exit(0); } };",
			good: `export default { tool(wire, id) { wire.answer(id, "ok"); } };`,
		},
		{ launch: fakeChild, limits: { load: { readyMs: 1_000 } } },
	);
	const message = (name: string) => host.plugins.get(name).error?.message ?? "";
	expect(message("silent")).toContain("its process has not said anything");
	expect(message("error")).toContain("cannot start today");
	expect(message("echo")).toContain("its process has not begun to import it");
	expect(message("exit")).toContain("it exited with code 0 in stage client.info");
	expect(new Set(["silent", "error", "echo", "exit"].map(message)).size).toBe(4);
	expect(host.plugins.list().map(({ name, state }) => `${name} ${state}`)).toEqual([
		"echo failed",
		"error failed",
		"exit failed",
		"good ready",
		"silent failed",
	]);
});

test("20 calls at once, right after ready, go to one process that said hello once (case 150)", async () => {
	const { call, host, frames } = await startFake(bench, "tool(wire, id) { wire.answer(id, String(process.pid)); }");
	const pids = await Promise.all(Array.from({ length: 20 }, () => call()));
	expect(new Set(pids)).toEqual(new Set([String(host.plugins.get("one").pid)]));
	expect(frames("one").filter(({ method, kind }) => method === "client.info" && kind === "call")).toHaveLength(1);
	expect(host.plugins.get("one").launches).toBe(1);
});

test("a call that is not answered in time is cancelled and never sent again, and its plugin lives on (cases 031, 037)", async () => {
	const { call, failing, frames, host } = await startFake(
		bench,
		`waiting: 0, tool(wire, id, { text }) { if (text === "hang") this.waiting = id; else { wire.answer(this.waiting, "late"); wire.answer(id, text); } }`,
	);
	expect(await failing("hang", 100)).toMatchObject({
		code: "timeout",
		message:
			'Tool "t" of plugin "one" did not answer within 100 ms. Its handler may watch context.signal; it goes on otherwise.',
	});
	expect(await call("next")).toBe("next");
	const sent = frames("one").filter(({ direction }) => direction === "out");
	expect(sent.filter(({ method }) => method === "tool.execute")).toHaveLength(2);
	expect(sent.filter(({ method }) => method === "$/cancel")).toHaveLength(1);
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
});

test("spaces and é in every path change nothing, for files, folders and a child of another command (case 158)", async () => {
	const folder = join(dirname(bench.path("x")), "my plugins é");
	const tool = (name: string) => `amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" },
		execute: async () => (await amp.$\`cat \${import.meta.dir + "/some text é.txt"}\`).stdout + process.argv.at(-1) })`;
	for (const [path, name] of [
		["ap 1.ts", "file"],
		["ap é 2/index.ts", "directory"],
	] as const) {
		const file = join(folder, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, `import { x } from "./in ner é.ts"; export default (amp) => { x; ${tool(name)} };`);
		writeFileSync(join(dirname(file), "some text é.txt"), "works ");
		writeFileSync(join(dirname(file), "in ner é.ts"), "export const x = 1; export default () => {};");
	}
	const { host } = await bench.start({}, { plugins: [join(folder, "ap 1.ts"), join(folder, "ap é 2")] });
	expect(host.plugins.list().map(({ state }) => state)).toEqual(["ready", "ready"]);
	const texts = await Promise.all(["file", "directory"].map((name) => host.tools.call(name, {}, { events: false })));
	expect(texts.map(({ text }) => text)).toEqual([
		`works ${join(folder, "ap 1.ts")}`,
		`works ${join(folder, "ap é 2/index.ts")}`,
	]);
	const command = join(folder, "a child é.sh");
	writeFileSync(command, `#!/bin/sh\nexec "$BUN" "$FAKE" "$@"\n`, { mode: 0o755 });
	const fake = fakeChild.form === "custom" ? fakeChild.command.at(-1) : undefined;
	const { call } = await startFake(bench, `tool(wire, id) { wire.answer(id, "works"); }`, {
		launch: { form: "custom", command: [command] },
		env: { BUN: process.execPath, FAKE: fake ?? "" },
	});
	expect(await call()).toBe("works");
});

test("a child whose entry file is gone fails its load with the reason, and nothing that is printed is taken for a message", async () => {
	const { host, wire } = await bench.start(
		{ one: "export default () => {};" },
		{
			launch: {
				form: "custom",
				command: [process.execPath, "--no-orphans", "--no-install", join(bench.path("x"), "gone.js")],
			},
		},
	);
	const { state, error } = host.plugins.get("one");
	expect({ state, code: error?.code }).toEqual({ state: "failed", code: "exited_before_ready" });
	expect(error?.message).toMatch(/Module not found.*gone\.js/);
	expect(wire("one")).toEqual([]);
});

test("older names of members work as the new ones, and the mode smart is known", async () => {
	const { host } = await bench.start({
		one: `export default async (amp) => {
			const same = ["createAgent", "getBuiltinAgent", "registerAgentMode", "createStatusItem"].filter((name) => amp.experimental[name] === amp[name]);
			amp.experimental.registerAgentMode({ key: "calm", label: "Calm", agent: amp.experimental.getBuiltinAgent("smart") });
			amp.logger.log("same", same.length);
		};`,
	});
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", modes: [{ key: "calm" }] });
	expect(host.plugins.log("one").map(({ message }) => message)).toContain("same 4");
});
