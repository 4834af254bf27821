import { describe, expect, test } from "bun:test";
import manifest from "../../../package.json";
import { errorTable } from "../../../runtime/errors.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

const exitCodes = new Set([0, ...Object.values(errorTable).map(({ exitCode }) => exitCode)]);

test("brood alone prints its help and the exit codes on stdout", async () => {
	const alone = await desk.run([]);
	expect(alone.stdout).toContain("Usage: brood");
	for (const name of ["list", "info", "call", "run", "emit"])
		expect(alone.stdout).toMatch(new RegExp(`^  ${name} `, "m"));
	expect(alone.stdout).toMatch(
		/^ {2}5 +a plugin answered with an error .*a gate stopped the call, nobody could answer a dialog/m,
	);
	for (const code of exitCodes) expect(alone.stdout).toMatch(new RegExp(`^  ${code} `, "m"));
	expect(alone).toMatchObject({ exitCode: 0, stderr: "" });
	expect(await desk.run(["--help"])).toEqual(alone);
});

test.each(["list", "info", "call", "run", "emit"])(
	"%s --help shows examples and the options of every command",
	async (name) => {
		const { exitCode, stdout, stderr } = await desk.run([name, "--help"]);
		expect(stdout).toContain(`Usage: brood ${name}`);
		expect(stdout).toMatch(new RegExp(`Examples:\n  brood .*${name}`));
		expect(stdout).toContain("--ready-timeout");
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
	},
);

test("--version prints the version of the package", async () => {
	expect(await desk.run(["--version"])).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

describe("a mistake in the arguments", () => {
	test.each([
		["an unknown command", ["lst"], "Unknown command 'lst'", "Did you mean list?"],
		["an unknown option", ["list", "--al"], "Unknown option '--al'", "Did you mean --all? See brood list --help."],
		["an unknown option that is like none", ["list", "--xyzzy"], "Unknown option '--xyzzy'", "See brood list --help."],
		[
			"an option of a command before its name",
			["--all", "list"],
			"Unknown option '--all'",
			"--all is an option of list, and stands behind that name: brood list --all.",
		],
		[
			"an option of several commands before one",
			["--timeout", "5", "run", "a"],
			"Unknown option '--timeout'",
			"--timeout is an option of call, run and webhook, and stands behind that name: brood run … --timeout <ms>.",
		],
		[
			"an option of another command",
			["list", "--data", "{}"],
			"Unknown option '--data'",
			"--data is an option of emit. See brood list --help.",
		],
		["an argument that is missing", ["call"], "Missing required argument 'tool'", "See brood call --help."],
		["an argument that cannot be read", ["emit", "tool.call", "--data", "{"], "is no JSON", "See brood emit --help."],
		["help of an unknown command", ["help", "nope"], "Unknown command 'nope'", "See brood --help."],
		["an argument too many", ["list", "extra"], "Too many arguments for 'list'", "See brood list --help."],
		["an option without its value", ["list", "-p"], "argument missing", "See brood --help."],
		["a time that is none", ["call", "a", "--timeout", "soon"], "Give whole milliseconds", "See brood call --help."],
		["a time past what timers take", ["list", "--ready-timeout", "9999999999"], "Give whole milliseconds", "See brood"],
		["an empty path", ["-p", "", "list"], "A path is not empty", "See brood --help."],
		["an empty path to examine", ["validate", "a.ts", ""], "A path is not empty", "See brood validate --help."],
		["an empty path for types", ["types", ""], "A path is not empty", "See brood types --help."],
		["no command", ["--quiet"], "No command is named", "See brood --help."],
	])("exits with 2 for %s", async (_, parameters, reason, hint) => {
		const people = await desk.run(parameters);
		expect(people.stderr).toStartWith("error: ");
		expect(people.stderr).toContain(reason);
		expect(people.stderr).toContain(`  hint: ${hint}`);
		expect(people).toMatchObject({ exitCode: 2, stdout: "" });

		const programs = await desk.run(["--json", ...parameters]);
		expect(programs.errors).toMatchObject([{ error: { code: "usage", hint: expect.stringContaining(hint) } }]);
		expect(programs.stderr.trimEnd().split("\n")).toHaveLength(1);
		expect(programs).toMatchObject({ exitCode: 2, stdout: "" });
	});

	test.each([
		["is not there", "gone", "it does not exist"],
		["is a file", "file", "it is no directory"],
	])("exits with 2 when the workspace %s", async (_, path, reason) => {
		await desk.write({ file: "" });
		const { exitCode, stderr } = await desk.run(["--cwd", path, "list"]);
		expect(stderr).toContain(`--cwd ${path} cannot be used: ${reason}`);
		expect(exitCode).toBe(2);
	});

	test("nothing is wrong with an option of every command on either side of the name", async () => {
		await desk.write({ "one.ts": "export default () => {};", "answers.json": "[]" });
		const every = ["-p", "one.ts", "--no-places", "--cwd", ".", "--ready-timeout", "9000", "-q", "--json"];
		const [before, behind] = await Promise.all([desk.run([...every, "list"]), desk.run(["list", ...every])]);
		for (const { exitCode, stdout, stderr } of [before, behind]) {
			expect(JSON.parse(stdout).plugins).toMatchObject([{ name: "one" }]);
			expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
		}
	});

	test("--json behind -- is no option", async () => {
		const { exitCode, errors, stderr } = await desk.run(["info", "--", "--json"]);
		expect(stderr).toContain('There is no plugin "--json"');
		expect({ exitCode, errors }).toEqual({ exitCode: 2, errors: [] });
	});
});
