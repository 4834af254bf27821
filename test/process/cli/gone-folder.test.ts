import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { createDesk, main } from "./support.ts";

const desk = createDesk();

/** Runs the command line in a folder that is removed before it starts. */
async function runNowhere(...parameters: string[]) {
	mkdirSync(desk.path("gone"));
	const script = 'cd gone && rmdir ../gone && exec "$@"';
	const { exitCode, stdout, stderr } = await desk.run(parameters, {
		command: ["sh", "-c", script, "sh", process.execPath, main],
	});
	return { exitCode, stdout, stderr };
}

const hello = `export default (amp) => amp.registerTool({
	name: "hello", description: "", inputSchema: { type: "object" }, execute: () => "hello",
});`;

test.each(["-p hello.ts list", "validate hello.ts", "types .", "list", "validate", "doctor"])(
	"where the working directory has been removed, what depends on it says so: %s",
	async (line) => {
		const { exitCode, stdout, stderr } = await runNowhere(...line.split(" "));
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(stderr).toStartWith("error: The working directory does not exist any more.\n  hint: Change to another one");
	},
);

test("a relative path is not looked for elsewhere when the workspace is named and the working directory is gone", async () => {
	await desk.write({ "hello.ts": hello });
	for (const asks of [
		["-p", "hello.ts", "call", "hello"],
		["validate", "hello.ts"],
	]) {
		const { exitCode, stdout, stderr } = await runNowhere("--cwd", desk.path(), ...asks);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(stderr).toContain("or give hello.ts as a path that begins with a slash.");
	}
	const whole = await runNowhere("--cwd", desk.path(), "-p", desk.path("hello.ts"), "call", "hello");
	expect(whole).toEqual({ exitCode: 0, stdout: "hello\n", stderr: "" });
});
