import { expect, test } from "bun:test";
import { createCensus } from "../../../../host/cli/demo-processes.ts";

/** A shell that leads a group of its own, and a process in that group which outlives it. */
async function startFamily() {
	const shell = Bun.spawn(["/bin/sh", "-c", "sleep 20 & echo $!; read -r line"], {
		stdin: "pipe",
		stdout: "pipe",
		detached: true,
	});
	const { value } = await shell.stdout.getReader().read();
	return { shell, sleeper: Number(new TextDecoder().decode(value)) };
}

test("a census counts what runs below a program, and finds what its children left behind", async () => {
	const { shell, sleeper } = await startFamily();
	const census = createCensus();
	census.look();
	expect([...census.seen]).toEqual(expect.arrayContaining([shell.pid, sleeper]));
	expect(census.seen.has(process.pid)).toBe(false);
	shell.kill("SIGKILL");
	await shell.exited;
	expect(census.left().some(({ pid }) => pid === shell.pid)).toBe(false);
	const late = (await census.settle(0)).find(({ pid }) => pid === sleeper);
	expect(late).toMatchObject({ name: "sleep", group: shell.pid });
	process.kill(sleeper, "SIGKILL");
	expect((await census.settle(1_000)).some(({ pid }) => pid === sleeper)).toBe(false);
});

test("a census finds a process that it saw, when nothing else ties it to the program any more", async () => {
	const { shell, sleeper } = await startFamily();
	// The shell is the program here: its end leaves a process whose one tie is that it was seen.
	const census = createCensus(shell.pid);
	census.look();
	expect([...census.seen]).toEqual([sleeper]);
	shell.kill("SIGKILL");
	await shell.exited;
	expect(census.left().map(({ pid }) => pid)).toEqual([sleeper]);
	process.kill(sleeper, "SIGKILL");
	expect(await census.settle(1_000)).toEqual([]);
});
