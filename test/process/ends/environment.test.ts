import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { forms } from "../launch-support.ts";
import { createBench } from "../support/host.ts";
import { createEndsBench, type StartOptions, type Wish } from "./support.ts";

const bench = createBench();
const programs = createEndsBench();
const root = join(import.meta.dir, "../../..");
const caseFile = (name: string, file = "plugin.ts") => join(root, "test/fixtures/cases", name, file);

/** What a tool answers in each form. */
async function answers(plugins: string, wish: Omit<Wish, "end"> = {}, options: StartOptions = {}): Promise<string[]> {
	return Promise.all(
		forms.map(async (form) => {
			const program = programs.start(form, plugins, { end: "call", tool: "t", ...wish }, options);
			const ended = await program.ended;
			if (ended.code !== 0) throw new Error(program.output());
			// The program itself runs once, in no child and in nothing that a plugin starts.
			expect(program.output().split('"settled"')).toHaveLength(2);
			return JSON.parse(await program.prints('"text"')).text;
		}),
	);
}

const inherited = () => process.env as Record<string, string>;
const tool = (body: string, head = "") => `${head}
	export default (amp) => amp.registerTool({
		name: "t", description: "", inputSchema: { type: "object" }, execute: async () => { ${body} },
	});`;

describe("the environment of a plugin, in every launch form", () => {
	test("134: BUN_OPTIONS, BUN_INSPECT and BUN_BE_BUN neither act in it nor are passed on", async () => {
		// The preload writes there, if it runs.
		const trace = "/tmp/brood-case-134.log";
		rmSync(trace, { force: true });
		const evil = caseFile("134-bun-options-from-parent", "evil.ts");
		const env = { ...inherited(), BUN_OPTIONS: `--preload ${evil}`, BUN_INSPECT: "127.0.0.1:0", BUN_BE_BUN: "1" };
		try {
			const told = await answers(caseFile("134-bun-options-from-parent"), { env });
			expect(told).toEqual(forms.map(() => "- - -"));
			expect(existsSync(trace)).toBe(false);
		} finally {
			rmSync(trace, { force: true });
		}
	});

	test("135: what a plugin starts is not turned into Bun", async () => {
		const told = await answers(caseFile("135-be-bun-does-not-leak"));
		expect(told).toEqual(forms.map(() => "unset unset unset"));
	});

	test("has the PATH of the host, a poor one too, and none of Bun's making", async () => {
		const plugins = programs.write({
			one: tool(`const { stdout } = Bun.spawnSync(["/bin/sh", "-c", "echo $PATH; command -v npx || true"]);
				return process.env.PATH + "\\n" + (await Bun.$\`/bin/sh -c 'echo $PATH'\`.text()) + stdout;`),
		});
		const found = Bun.spawnSync(["/bin/sh", "-c", "command -v npx"], { env: { PATH: "/usr/bin:/bin" } });
		const path = "/usr/bin:/bin\n";
		const told = await answers(plugins, {}, { env: { PATH: path.trim() } });
		expect(told).toEqual(forms.map(() => path.repeat(3) + found.stdout));
	});

	test("is there without any PATH", async () => {
		const plugins = programs.write({ one: tool(`return String(process.env.PATH);`) });
		expect(await answers(plugins, {}, { env: { PATH: undefined } })).toEqual(forms.map(() => "undefined"));
	});
});

test("a Worker of a plugin runs its own file and not the host, in every launch form", async () => {
	const plugins = programs.write({
		one: tool(
			`const worker = new Worker(new URL("../worker.ts", import.meta.url));
			const { promise, resolve } = Promise.withResolvers();
			worker.onmessage = ({ data }) => resolve(data);
			worker.onerror = ({ message }) => resolve("failed: " + message);
			worker.postMessage("hello");
			return promise;`,
		),
	});
	await Bun.write(
		join(plugins, "../worker.ts"),
		`self.onmessage = ({ data }) => postMessage(data + (Bun.isMainThread ? " from main" : " from worker"));`,
	);
	expect(await answers(plugins)).toEqual(forms.map(() => "hello from worker"));
});

test("where descriptors cannot be moved a plugin still loads, says so in its facts and warns", async () => {
	const preload = bench.path("without-ffi.ts");
	await Bun.write(preload, 'require("bun:ffi").dlopen = () => { throw new Error("no such library"); };');
	const command = [process.execPath, "--preload", preload, join(root, "child/entry.ts")];
	const { host } = await bench.start(
		{ one: tool('console.log("printed"); return "works";') },
		{ launch: { form: "custom", command } },
	);
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", process: { guard: "console" } });
	expect((await host.tools.call("t", {})).text).toBe("works");
	const log = host.plugins.log("one");
	expect(log.map(({ message }) => message)).toContain("printed");
	expect(log.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
		expect.stringContaining("stdout"),
	]);
});
