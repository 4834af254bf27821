import { beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import manifest from "../../../package.json";
import { findNode } from "../support/node.ts";
import { survivorsOf } from "../support/processes.ts";
import { createDesk, helper, launcher } from "./support.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper }));

const node = findNode();
if (node === null) console.log("skipped: the launcher under Node, since there is no node on the PATH");

const command = [node ?? "node", launcher];
const withBun = { BROOD_BUN: process.execPath, PATH: "" };

/** A program that says it is another Bun. */
async function fakeBun(path: string, version: string): Promise<void> {
	await desk.write({ [path]: `#!/bin/sh\necho ${version}\n` });
	chmodSync(desk.path(path), 0o755);
}

/** The launcher as a package has it, with a main that only tells its arguments. */
async function install(): Promise<string[]> {
	const manifestText = await Bun.file(resolve(dirname(launcher), "../../package.json")).text();
	await desk.write({
		"node_modules/brood/package.json": manifestText,
		"node_modules/brood/host/cli/bin.js": await Bun.file(launcher).text(),
		"node_modules/brood/host/cli/main.ts": 'console.log("main got", JSON.stringify(process.argv.slice(2)));',
	});
	return [node ?? "node", desk.path("node_modules/brood/host/cli/bin.js")];
}

describe.skipIf(node === null)("the launcher under Node", () => {
	test("runs brood under the Bun of BROOD_BUN, with arguments, input, output and exit code", async () => {
		const parameters = ["-p", "helper.ts", "-q", "call", "greet", "-"];
		const good = await desk.run(parameters, { command, env: withBun, stdin: '{"name":"two  words \\" $x"}' });
		expect(good).toMatchObject({ exitCode: 0, stdout: 'Hello two  words " $x\n', stderr: "" });
		const bad = await desk.run(["call", "", "--json"], { command, env: withBun });
		expect(bad.errors).toMatchObject([{ error: { code: "tool_not_found" } }]);
		expect(bad.exitCode).toBe(2);
	});

	test("finds Bun on the PATH", async () => {
		mkdirSync(desk.path("bin"));
		symlinkSync(process.execPath, desk.path("bin/bun"));
		const found = await desk.run(["--version"], { command, env: { PATH: desk.path("bin") } });
		expect(found).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n` });
	});

	test("finds Bun in a node_modules above it", async () => {
		const copied = await install();
		mkdirSync(desk.path("node_modules/bun/bin"), { recursive: true });
		symlinkSync(process.execPath, desk.path("node_modules/bun/bin/bun.exe"));
		const found = await desk.run(["--anything"], { command: copied, env: { PATH: "" } });
		expect(found).toMatchObject({ exitCode: 0, stdout: 'main got ["--anything"]\n' });
	});

	test("without any Bun says how to get it and exits with 127", async () => {
		const copied = await install();
		const people = await desk.run(["list"], { command: copied, env: { PATH: desk.path() } });
		expect(people.stderr).toContain("error: brood needs Bun, which was looked for");
		expect(people.stderr).toContain("npm install -g bun");
		expect(people.stderr).toContain("npx --package bun");
		expect(people).toMatchObject({ exitCode: 127, stdout: "" });
		const programs = await desk.run(["list", "--json"], { command: copied, env: { PATH: desk.path() } });
		expect(programs.errors).toMatchObject([{ error: { code: "bun_not_found" } }]);
		expect(programs.exitCode).toBe(127);
	});

	test("a BROOD_BUN that cannot be run is an error, even when there is another Bun", async () => {
		const env = { BROOD_BUN: desk.path("gone"), PATH: dirname(process.execPath) };
		const { exitCode, stderr } = await desk.run(["list"], { command, env });
		expect(stderr).toContain(`${desk.path("gone")} (from BROOD_BUN) cannot be run`);
		expect(stderr).toContain("hint: Let BROOD_BUN name a Bun that can be run, or unset it");
		expect(stderr).not.toContain("npm install");
		expect(exitCode).toBe(127);
	});

	test.each(["1.4.4", "1.3.99", "0.9.9", "1.4.4-canary.7+abc"])(
		"Bun %s is too old, and is told so",
		async (version) => {
			await fakeBun("old", version);
			const { exitCode, stderr } = await desk.run(["list"], {
				command,
				env: { BROOD_BUN: desk.path("old"), PATH: "/bin" },
			});
			expect(stderr).toContain(`brood needs Bun 1.4.5 or newer, and ${desk.path("old")} is Bun ${version}.`);
			expect(stderr).toContain("bun upgrade");
			expect(exitCode).toBe(7);
		},
	);

	test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("passes %s on and ends as brood ends", async (signal) => {
		const parameters = ["-p", "helper.ts", "call", "greet", '{"name":"never"}'];
		const child = desk.start(parameters, { command, env: withBun });
		let stderr = "";
		for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
			const before = stderr;
			stderr += text;
			if (stderr.includes("greeting never") && !before.includes("greeting never")) child.kill(signal);
		}
		expect(await child.exited).toBe({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[signal]);
		expect(stderr).toContain("[helper] disposed\n");
	});

	test("takes host and plugins along when it is killed by SIGKILL", async () => {
		await desk.write({ "hangs.ts": hangs });
		const child = desk.start(["-p", "hangs.ts", "call", "hang"], { command, env: withBun });
		let stderr = "";
		for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
			stderr += text;
			if (/process \d+ of \d+\n/.test(stderr)) break;
		}
		const pids = /process (\d+) of (\d+)/.exec(stderr)?.slice(1).map(Number) ?? [];
		expect(pids).toHaveLength(2);
		child.kill("SIGKILL");
		expect(await survivorsOf(pids)).toEqual([]);
	});

	test("nothing that lies in the folder where it is called acts in the host", async () => {
		await desk.write({
			".env": "NO_COLOR=\nFORCE_COLOR=1\n",
			"bunfig.toml": 'preload = ["./preload.ts"]\n',
			"preload.ts": 'console.log("preloaded");',
		});
		const { stdout } = await desk.run(["-p", "helper.ts", "list"], { command, env: withBun });
		expect(stdout).toStartWith("name ");
	});

	test("a program under Node that imports brood is told what it needs", () => {
		const module = resolve(dirname(launcher), "needs-bun.js");
		const { exitCode, stderr } = Bun.spawnSync([node ?? "node", module], { stderr: "pipe" });
		expect(stderr.toString()).toContain("brood runs under Bun");
		expect(stderr.toString()).toContain("npm install -g bun");
		expect(exitCode).toBe(1);
	});
});

test("the launcher under Bun runs brood in the same process", async () => {
	const { exitCode, stdout } = await desk.run(["--version"], { command: [process.execPath, launcher] });
	expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${manifest.version}\n` });
});

const hangs = `export default (amp) => void amp.registerTool({ name: "hang", description: "", inputSchema: { type: "object" },
	execute: () => { amp.logger.log("process " + process.pid + " of " + process.ppid); return new Promise(() => {}); } });`;
