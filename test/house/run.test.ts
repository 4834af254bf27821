import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesAtOnce, lastLine, longFiles, summarise } from "../run.ts";
import { readText, root } from "./support/tree.ts";

/** A project with the test command, a type check and a lint that do as they are told, and tests. */
let project: string;
beforeEach(() => {
	project = mkdtempSync(join(tmpdir(), "brood-run-"));
	mkdirSync(join(project, "temporary"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

async function makeProject(files: Record<string, string>, exits: { types?: number; lint?: number } = {}) {
	const step = (name: string, exitCode = 0) =>
		`console.log("${name}", process.argv[2]); process.exitCode = ${exitCode};`;
	await Bun.write(join(project, "node_modules/typescript/bin/tsc"), step("types", exits.types));
	await Bun.write(join(project, "node_modules/@biomejs/biome/bin/biome"), step("lint", exits.lint));
	await Bun.write(join(project, "test/run.ts"), readText("test/run.ts"));
	for (const [name, body] of Object.entries(files)) {
		await Bun.write(join(project, "test", name), `import { expect, test } from "bun:test";\n${body}`);
	}
	// Nothing but this Bun is on the path.
	const env = { PATH: "", TMPDIR: join(project, "temporary"), NO_COLOR: "1" };
	return { command: [process.execPath, join(project, "test/run.ts")], env };
}

async function runTests(files: Record<string, string>, exits: { types?: number; lint?: number } = {}) {
	const { command, env } = await makeProject(files, exits);
	const { exitCode, stdout } = Bun.spawnSync(command, { env, stderr: "ignore" });
	expect(readdirSync(join(project, "temporary"))).toEqual([]);
	return { exitCode, lines: stdout.toString().split("\n") };
}

const passing = 'test("goes well", () => expect(1).toBe(1));\n';
const failing = 'test("goes wrong", () => expect(1).toBe(2));\n';

describe("the test command", () => {
	test("counts types and lint as tests and ends with the count", async () => {
		const { exitCode, lines } = await runTests({ "a.test.ts": passing + passing });
		expect(lines).toContain("types --noEmit");
		expect(lines).toContain("lint check");
		expect(lines.slice(-2)).toEqual(["4 passed, 0 failed", ""]);
		expect(exitCode).toBe(0);
	});

	test("fails for each step that fails, and still takes the others", async () => {
		const { exitCode, lines } = await runTests({ "a.test.ts": passing + failing }, { types: 2, lint: 1 });
		expect(lines).toContain("failed: The type check failed");
		expect(lines).toContain("failed: The lint failed");
		const failure = lines.indexOf("failed: test/a.test.ts: goes wrong");
		expect(lines.slice(failure).join("\n")).toContain("\tExpected: 2\n\tReceived: 1\n");
		expect(lines.slice(-2)).toEqual(["1 passed, 3 failed", ""]);
		expect(exitCode).toBe(1);
	});

	test("gives its tests a cache that is gone after them", async () => {
		const caching = `test("writes", async () => {
			console.log(process.env.XDG_CACHE_HOME);
			expect(await Bun.write(process.env.XDG_CACHE_HOME + "/brood/x", "1")).toBe(1);
		});`;
		const { lines } = await runTests({ "a.test.ts": caching });
		expect(lines.slice(-2)).toEqual(["3 passed, 0 failed", ""]);
		expect(lines.filter((line) => line.startsWith(join(project, "temporary")))).toHaveLength(1);
	});

	test("begins with the files that take long, and all of them are there", async () => {
		const [longest = ""] = Object.keys(longFiles);
		const noting = (name: string) => `import { appendFileSync } from "node:fs";
			test("notes", async () => {
				appendFileSync("ran.txt", "${name}\\n");
				await Bun.sleep(50);
			});`;
		// All before it by their names.
		const others = Array.from({ length: 4 * filesAtOnce }, (_, index) => `a${index}.test.ts`);
		const files = Object.fromEntries([...others, longest.replace("test/", "")].map((name) => [name, noting(name)]));
		expect((await runTests(files)).exitCode).toBe(0);
		const ran = readFileSync(join(project, "ran.txt"), "utf8").trimEnd().split("\n");
		expect(ran).toHaveLength(others.length + 1);
		expect(ran.slice(0, ran.length / 2)).toContain(longest.replace("test/", ""));
		expect(Object.keys(longFiles).filter((file) => !existsSync(join(root, file)))).toEqual([]);
	});

	test("names what was skipped", async () => {
		const skipped = 'test.skip("is <not> \\"run\\"", () => {});\ntest.todo("is to come");\n';
		const { exitCode, lines } = await runTests({ "a.test.ts": passing + skipped });
		expect(lines.slice(-4)).toEqual([
			'skipped: test/a.test.ts: is <not> "run"',
			"skipped: test/a.test.ts: is to come",
			"3 passed, 0 failed, 2 skipped",
			"",
		]);
		expect(exitCode).toBe(0);
	});

	test("says how much its tests tried, where they tell", async () => {
		const telling = 'import { tally } from "./effort.ts";\ntest("tells", () => tally("tries", 7, "seed 3"));';
		await Bun.write(join(project, "test/effort.ts"), readText("test/support/effort.ts"));
		const { lines } = await runTests({ "a.test.ts": telling });
		expect(lines.slice(-3)).toEqual(["tried: tries: 7 (seed 3)", "3 passed, 0 failed", ""]);
	});

	test("ends its step and counts it when it is told to stop", async () => {
		const hanging = 'test("hangs", () => { console.log("hang" + "ing"); for (;;); });';
		const { command, env } = await makeProject({ "a.test.ts": hanging });
		const run = Bun.spawn(command, { env, stdout: "pipe", stderr: "ignore" });
		let output = "";
		for await (const chunk of run.stdout.pipeThrough(new TextDecoderStream())) {
			output += chunk;
			if (chunk.includes("hanging")) run.kill("SIGTERM");
		}
		expect(await run.exited).toBe(1);
		expect(output).toEndWith("left no report\n2 passed, 1 failed\n");
		expect(readdirSync(join(project, "temporary"))).toEqual([]);
	});

	test.each([
		["a file that does not load", { "a.test.ts": passing, "b.test.ts": 'import "./gone.ts";' }, "3 passed, 1 failed"],
		["a test that ends the runner", { "a.test.ts": 'test("leaves", () => process.exit(0));' }, "2 passed, 1 failed"],
		["a project without tests", {}, "2 passed, 1 failed"],
		["tests that are all skipped", { "a.test.ts": 'test.skip("a", () => {});' }, "2 passed, 1 failed, 1 skipped"],
	])("takes %s for a failure", async (_, files, line) => {
		const { exitCode, lines } = await runTests(files);
		expect(lines.slice(-2)).toEqual([line, ""]);
		expect(exitCode).toBe(1);
	});
});

test("a report is read by its test cases, whatever their names hold", () => {
	const report = `<testsuites tests="9"><testsuite>
		<testcase name="a > b" classname="" file="x" />
		<testcase name="&lt;failure&gt; /" file="x"></testcase>
		<testcase name="c" file="x"><failure message="&lt;skipped /&gt;">Error</failure></testcase>
		<testcase name="d &#10; e" classname="s" file="x"><skipped /></testcase></testsuite></testsuites>`;
	const summary = summarise(report, 1);
	expect(summary).toEqual({
		passed: 2,
		failed: 1,
		skipped: ["x: s > d \n e"],
		failures: [{ name: "x: c", reason: "Error" }],
		problems: [],
		tried: [],
	});
	expect(lastLine(summary)).toBe("2 passed, 1 failed, 1 skipped");
});
