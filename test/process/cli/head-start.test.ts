import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createDesk } from "./support.ts";

const desk = createDesk();

/** Tells how its process was started, and what it sees of that. */
const tells = (name: string) => `
import { readFileSync } from "node:fs";
export default (amp) => amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, async execute() {
	const command = readFileSync("/proc/self/cmdline", "utf8").split("\\0");
	return JSON.stringify({ named: command[command.indexOf("--wire=3") - 1], file: process.argv[2], cwd: process.cwd() });
} });`;

test.skipIf(!existsSync("/proc/self/cmdline"))(
	"the process of the first plugin that a command names is started before it is known which, and sees nothing of that",
	async () => {
		await desk.write({ "one/one.ts": tells("first"), "two/two.ts": tells("second") });
		const call = async (tool: string) => {
			const { stdout } = await desk.run(["--no-places", "-p", "one/one.ts", "-p", "two/two.ts", "call", tool]);
			return JSON.parse(stdout);
		};
		expect(await call("first")).toEqual({ named: "", file: desk.path("one/one.ts"), cwd: desk.path("one") });
		const file = desk.path("two/two.ts");
		expect(await call("second")).toEqual({ named: file, file, cwd: desk.path("two") });
	},
);

test("it is no warm spare, and its times count from its start, one after the other", async () => {
	await desk.write({ "one.ts": "export default () => {};" });
	const { stdout } = await desk.run(["--no-places", "-p", "one.ts", "list", "--json"]);
	const [{ process, facts }] = JSON.parse(stdout).plugins;
	expect(process.spare).toBeUndefined();
	expect(facts).toMatchObject({ found: 0, spawned: 0 });
	const times: number[] = Object.values(facts);
	expect(times).toEqual(times.toSorted((a, b) => a - b));
});

// What stays is seen by the desk.
test.each([
	["names a plugin that is not there", ["-p", "gone.ts", "list"], 2],
	["has an option that there is not", ["-p", "one.ts", "list", "--bogus"], 2],
	["asks for help", ["-p", "one.ts", "help", "list"], 0],
])("nothing is left by a command that %s", async (_, parameters, exitCode) => {
	await desk.write({ "one.ts": "export default () => {};" });
	expect((await desk.run(parameters)).exitCode).toBe(exitCode);
});
