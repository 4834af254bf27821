import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { createDesk, main, parseLines } from "./support.ts";
import { openTerminal } from "./terminal.ts";

const desk = createDesk();

/** A test that passes where the modules of brood are found, and says that it ran. */
const passing = (name: string) => `
import { expect, test } from "bun:test";
import { createHost } from "brood";
import { defineTool } from "brood/plugin";
import { defineAgent } from "@ampcode/plugin";
import { protocolVersion } from "brood/runtime";
test("${name} passes", async () => {
	expect([createHost, defineTool, defineAgent].map((member) => typeof member)).toEqual(["function", "function", "function"]);
	expect(typeof protocolVersion).toBe("string");
	expect((await import("brood/plugin")).defineTool).toBe(defineTool);
});
`;

/** The names of the tests that passed, as Bun tells them. */
function passed(stderr: string): string[] {
	return [...stderr.matchAll(/\(pass\) (\w+) passes/g)].map(([, name = ""]) => name).sort();
}

test("the tests of the plugin places and of the folder itself are run, with the modules of brood where none is installed", async () => {
	await desk.write({
		".brood/plugins/a.test.ts": passing("a"),
		".brood/plugins/inner/index.test.tsx": passing("inner"),
		".amp/plugins/b.test.js": passing("b"),
		".brood/plugins/node_modules/x/x.test.ts": passing("package"),
		".brood/plugins/.hidden/x.test.ts": passing("hidden"),
		"own.test.ts": passing("own"),
		"src/app.test.ts": passing("app"),
	});
	const { exitCode, stderr } = await desk.run(["test"]);
	expect({ exitCode, passed: passed(stderr) }).toEqual({ exitCode: 0, passed: ["a", "b", "inner", "own"] });
	const withoutPlaces = await desk.run(["test", "--no-places"]);
	expect(passed(withoutPlaces.stderr)).toEqual(["own"]);
});

test("the tests of a folder that is named are run, and those below it, each once", async () => {
	await desk.write({
		"all/a.test.ts": passing("a"),
		"all/deep/er/b.test.mts": passing("b"),
		"c.test.ts": passing("c"),
	});
	symlinkSync("../all", desk.path("all/around"));
	symlinkSync("deep", desk.path("all/again"));
	symlinkSync("a.test.ts", desk.path("all/same.test.ts"));
	const { exitCode, stdout, stderr } = await desk.run(["test", "all", "--json"]);
	expect(JSON.parse(stdout).tests).toHaveLength(2);
	expect({ exitCode, passed: passed(stderr) }).toEqual({ exitCode: 0, passed: ["a", "b"] });
	const elsewhere = await desk.run(["--cwd", "all", "test", "deep"]);
	expect(passed(elsewhere.stderr)).toEqual(["b"]);
});

test("a test that is named is run, and of a plugin that is named its own", async () => {
	await desk.write({
		"a.ts": "",
		"a.test.ts": passing("a"),
		"ab.test.ts": passing("ab"),
		"c [x]/d e.test.ts": passing("d"),
	});
	expect(passed((await desk.run(["test", "ab.test.ts", "c [x]/d e.test.ts"])).stderr)).toEqual(["ab", "d"]);
	expect(passed((await desk.run(["test", "a.ts"])).stderr)).toEqual(["a"]);
	expect(passed((await desk.run(["-p", "a.ts", "test"])).stderr)).toEqual(["a"]);
});

test("a setting of Bun that keeps other tests elsewhere keeps none of these from being run", async () => {
	await desk.write({ "bunfig.toml": '[test]\nroot = "src"\n', ".brood/plugins/a.test.ts": passing("a") });
	expect(passed((await desk.run(["test"])).stderr)).toEqual(["a"]);
});

test("the exit code is that of bun test", async () => {
	await desk.write({
		"fails/a.test.ts": 'import { expect, test } from "bun:test"; test("fails", () => expect(1).toBe(2));',
		"exits/a.test.ts": 'import { test } from "bun:test"; test("exits", () => process.exit(7));',
	});
	const failed = await desk.run(["test", "fails"]);
	expect(failed.stderr).toContain("(fail) fails");
	expect(failed.exitCode).toBe(1);
	expect((await desk.run(["test", "exits"])).exitCode).toBe(7);
});

test("what stands behind -- goes to bun test, with a folder and without one", async () => {
	await desk.write({ "a.test.ts": passing("a") + passing("b").split("\n").slice(6).join("\n") });
	expect(passed((await desk.run(["test", ".", "--", "-t", "^b"])).stderr)).toEqual(["b"]);
	expect(passed((await desk.run(["test", "--", "--test-name-pattern=^a", "--bail"])).stderr)).toEqual(["a"]);
	const none = await desk.run(["test", "--", "-t", "nothing of that name"]);
	expect(none.stderr).toContain("matched 0 tests");
	expect(none.exitCode).toBe(1);
});

describe("without a test nothing is run, and the reason is told", () => {
	test("where none is found", async () => {
		await desk.write({ ".brood/plugins/a.ts": "", "src/app.test.ts": passing("app") });
		const { exitCode, stdout, stderr } = await desk.run(["test"]);
		expect(stderr).toBe(
			`error: There is no test in ${desk.path(".brood/plugins")}, ${desk.path()} itself.\n  hint: A test is a file such as hello.test.ts. Name its folder: brood test DIR.\n`,
		);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
	});

	test.each([
		["a path that is not there", "gone", "gone cannot be looked into: it does not exist."],
		[
			"a place that is a file",
			"--cwd=odd",
			`.brood/plugins cannot be looked into: a part of its path is not a directory.`,
		],
		["an empty path", "", "A path is not empty."],
	])("for %s", async (_, path, message) => {
		await desk.write({ "a.test.ts": passing("a"), "odd/.git/HEAD": "", "odd/.brood/plugins": "no folder" });
		const { exitCode, stderr } = await desk.run(["test", path]);
		expect(stderr).toContain(message);
		expect(exitCode).toBe(2);
	});
});

test("with --json a program reads the result on stdout, and what Bun prints as lines of JSON", async () => {
	await desk.write({ "a.test.ts": `${passing("a")} console.log("printed\\n\\nlast");` });
	const { exitCode, stdout, stderr } = await desk.run(["test", "--json"]);
	const path = desk.path("a.test.ts");
	const counts = { passed: 1, failed: 0, skipped: 0 };
	const files = [{ path, ran: true, ...counts }];
	expect(JSON.parse(stdout)).toEqual({ ok: true, exitCode: 0, tests: [path], ...counts, files });
	expect(exitCode).toBe(0);
	const messages = parseLines(stderr).map(({ log }) => log?.message);
	expect(messages).toEqual(expect.arrayContaining(["printed", "last", expect.stringMatching(/^\(pass\) a passes/)]));
	expect(messages).not.toContain("");
	const none = await desk.run(["test", "--no-places", "--json", "--cwd", ".git"]);
	expect({ exitCode: none.exitCode, errors: none.errors }).toMatchObject({
		exitCode: 2,
		errors: [{ error: { code: "usage" } }],
	});
});

describe("with --json the result counts the tests", () => {
	const mixed = `
		import { describe, expect, test } from "bun:test";
		test("one", () => {});
		describe("in here <&>", () => {
			test("two", () => {});
			test("three", () => expect(1).toBe(2));
			test.skip("four", () => {});
		});
		test.todo("five");
	`;

	test("of each file and in all, and says of which file Bun told nothing", async () => {
		await desk.write({
			"all/a.test.ts": mixed,
			"all/b.test.ts": "const a = ;",
			"other/c.test.ts": 'import { test } from "bun:test"; test("six", () => {});',
		});
		symlinkSync("../other/c.test.ts", desk.path("all/c.test.ts"));
		const { stdout } = await desk.run(["test", "all", "--json", "--", "--dots"]);
		expect(JSON.parse(stdout)).toMatchObject({
			...{ ok: false, exitCode: 1, passed: 3, failed: 1, skipped: 2 },
			files: [
				{ path: desk.path("all/a.test.ts"), ran: true, passed: 2, failed: 1, skipped: 2 },
				{ path: desk.path("all/b.test.ts"), ran: false, passed: 0, failed: 0, skipped: 0 },
				{ path: desk.path("all/c.test.ts"), ran: true, passed: 1, failed: 0, skipped: 0 },
			],
		});
	});

	test("of a lone file that does not parse, or has no test: nothing ran", async () => {
		for (const [source, exitCode] of [
			["const a = ;", 1],
			["export {};", 0],
		] as const) {
			await desk.write({ "a.test.ts": source });
			const tests = [desk.path("a.test.ts")];
			const none = { passed: 0, failed: 0, skipped: 0 };
			const { stdout } = await desk.run(["test", "a.test.ts", "--json"]);
			const files = [{ path: tests[0], ran: false, ...none }];
			expect(JSON.parse(stdout)).toEqual({ ok: exitCode === 0, exitCode, tests, ...none, files });
		}
	});

	test("but for a run that a test ended, of which nobody knows", async () => {
		await desk.write({ "a.test.ts": `${mixed} test("ends", () => process.exit(3));` });
		const { stdout } = await desk.run(["test", "--json"]);
		expect(JSON.parse(stdout)).toEqual({ ok: false, exitCode: 3, tests: [desk.path("a.test.ts")] });
	});

	test("from the report that a person wants, which stays theirs", async () => {
		await desk.write({ "a.test.ts": mixed });
		const own = ["--", "--reporter=junit", "--reporter-outfile", "report.xml"];
		expect(JSON.parse((await desk.run(["test", "--json", ...own])).stdout)).toMatchObject({ passed: 2, failed: 1 });
		expect(await Bun.file(desk.path("report.xml")).text()).toContain('tests="5"');
		// The report of before says nothing of this run.
		await desk.write({ "a.test.ts": "process.exit(3);" });
		expect(JSON.parse((await desk.run(["test", "--json", ...own])).stdout)).not.toHaveProperty("passed");
	});
});

/** A test that never ends, with a process of its own. */
const hanging = `
import { test } from "bun:test";
test("hangs", async () => {
	Bun.spawn(["sleep", "600"]);
	process.on("SIGTERM", () => {});
	console.log("hanging");
	await new Promise(() => {});
}, 600_000);
`;

// What stays is seen by the desk.
describe("nothing of the tests stays", () => {
	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	] as const)("after %s, which the command exits by when a test has ended in its own way", async (signal, exitCode) => {
		const ending = '() => { console.log("in order"); process.exit(0); }';
		await desk.write({ "a.test.ts": hanging.replace("() => {});", `${ending});`) });
		const child = desk.start(["test"]);
		const rest = await heard(child.stdout, "hanging");
		child.kill(signal);
		expect(await child.exited).toBe(exitCode);
		expect(await rest()).toContain("in order\n");
		expect(await child.stderr.text()).toEndWith(`error: Interrupted by ${signal}.\n`);
	});

	test("after Ctrl-C in a terminal", async () => {
		await desk.write({ "a.test.ts": hanging });
		const { child, see, type } = openTerminal(desk, [process.execPath, main, "test"]);
		await see("hanging");
		type("\x03");
		expect(await child.exited).toBe(130);
	});

	test("when a test does not let itself be ended", async () => {
		await desk.write({ "a.test.ts": hanging });
		const child = desk.start(["test"]);
		await heard(child.stdout, "hanging");
		child.kill("SIGINT");
		expect(await child.exited).toBe(130);
	});

	test("when the command is killed", async () => {
		await desk.write({ "a.test.ts": hanging });
		const child = desk.start(["test"]);
		await heard(child.stdout, "hanging");
		child.kill("SIGKILL");
		await child.exited;
	});
});

/** Resolves when a text was printed, with what reads on to the end. */
async function heard(stream: ReadableStream<Uint8Array>, text: string): Promise<() => Promise<string>> {
	const reader = stream.getReader();
	const decoder = new TextDecoder();
	let all = "";
	async function readOn(): Promise<boolean> {
		const { done, value } = await reader.read();
		if (value !== undefined) all += decoder.decode(value, { stream: true });
		return !done;
	}
	while (!all.includes(text)) if (!(await readOn())) throw new Error(`it ended without ${text}: ${all}`);
	return async () => {
		while (await readOn());
		return all;
	};
}
