import { expect, test } from "bun:test";
import { join } from "node:path";
import { survivorsOf } from "../support/processes.ts";

/** Starts a program whose host keeps spares, and gives their processes once they wait. */
async function startProgram(then: string) {
	const command = [process.execPath, join(import.meta.dir, "../../fixtures/spares/host-program.ts"), then];
	const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
	const { value } = await child.stdout.getReader().read();
	const pids: number[] = JSON.parse(new TextDecoder().decode(value));
	return { child, pids };
}

test.each([
	["has nothing left to do", "end", 0],
	["has stopped its host", "stop", 0],
	["calls process.exit()", "exit", 3],
])("a program that %s ends, and the processes that wait for a plugin with it", async (_, then, code) => {
	const { child, pids } = await startProgram(then);
	expect(await child.exited).toBe(code);
	expect(pids).toHaveLength(2);
	expect(await survivorsOf(pids)).toEqual([]);
});

test("of a program that is killed no process that waits for a plugin is left", async () => {
	const { child, pids } = await startProgram("wait");
	child.kill("SIGKILL");
	await child.exited;
	expect(pids).toHaveLength(2);
	expect(await survivorsOf(pids)).toEqual([]);
});
