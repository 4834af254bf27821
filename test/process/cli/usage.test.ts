import { describe, expect, test } from "bun:test";
import manifest from "../../../package.json";
import { createDesk } from "./support.ts";

const desk = createDesk();

test("brood alone prints its help and the exit codes on stdout", async () => {
	const alone = await desk.run([]);
	expect(alone.stdout).toContain("Usage: brood");
	for (const name of ["list", "info", "call", "run", "emit"])
		expect(alone.stdout).toMatch(new RegExp(`^  ${name} `, "m"));
	expect(alone.stdout).toContain("5 a plugin answered with an error");
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
		["an unknown option", ["list", "--al"], "Unknown option '--al'", "Did you mean --all?"],
		["an unknown option that is like none", ["list", "--xyzzy"], "Unknown option '--xyzzy'", "See brood --help."],
		["an argument that is missing", ["call"], "Missing required argument 'tool'", "See brood --help."],
		["an argument too many", ["list", "extra"], "Too many arguments for 'list'", "See brood --help."],
		["an option without its value", ["list", "-p"], "argument missing", "See brood --help."],
		["a time that is none", ["call", "a", "--timeout", "soon"], "Give whole milliseconds", "See brood --help."],
		["a time past what timers take", ["list", "--ready-timeout", "9999999999"], "Give whole milliseconds", "See brood"],
		["an empty path", ["-p", "", "list"], "A path is not empty", "See brood --help."],
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

	test("--json behind -- is no option", async () => {
		const { exitCode, errors, stderr } = await desk.run(["info", "--", "--json"]);
		expect(stderr).toContain('There is no plugin "--json"');
		expect({ exitCode, errors }).toEqual({ exitCode: 2, errors: [] });
	});
});
