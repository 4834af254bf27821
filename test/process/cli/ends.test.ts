import { beforeEach, describe, expect, test } from "bun:test";
import { closeSync, openSync, read } from "node:fs";
import { createDesk, helper, main } from "./support.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper }));

/** Starts a call that never ends, and resolves when the tool has it. */
async function startHanging(...more: string[]) {
	const child = desk.start(["-p", "helper.ts", "call", "greet", '{"name":"never"}', ...more]);
	let stderr = "";
	const begun = Promise.withResolvers<void>();
	const read = (async () => {
		for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
			stderr += text;
			if (stderr.includes("greeting never")) begun.resolve();
		}
	})();
	await begun.promise;
	return { child, stderr: () => read.then(() => stderr) };
}

describe("a signal", () => {
	test.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 129],
	] as const)("%s stops the plugins in good order and exits with %d", async (signal, exitCode) => {
		const { child, stderr } = await startHanging();
		expect(desk.running().length).toBeGreaterThan(1);
		child.kill(signal);
		expect(await child.exited).toBe(exitCode);
		expect(await stderr()).toContain("[helper] disposed\n");
		expect(await stderr()).toEndWith(`error: Interrupted by ${signal}.\n`);
	});

	test("is told to programs with its code", async () => {
		const { child, stderr } = await startHanging("--json");
		child.kill("SIGINT");
		expect(await child.exited).toBe(130);
		expect(await stderr()).toEndWith('{"error":{"code":"cancelled","message":"Interrupted by SIGINT."}}\n');
	});

	test("ends plugins that are still loading", async () => {
		await desk.write({ "never.ts": 'console.log("loading"); export default () => new Promise(() => {});' });
		const child = desk.start(["-p", "never.ts", "list"]);
		const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
		expect((await reader.read()).value).toBe("[never] loading\n");
		child.kill("SIGINT");
		expect(await child.exited).toBe(130);
	});

	test("ends a command whose result nobody takes", async () => {
		Bun.spawnSync(["mkfifo", desk.path("unread")]);
		// Open for reading too, so that it can be opened at all; nobody ever reads.
		const unread = openSync(desk.path("unread"), "r+");
		try {
			const parameters = ["-p", "helper.ts", "call", "greet", '{"name":"a","size":4000000}'];
			const child = Bun.spawn([process.execPath, main, ...parameters], {
				cwd: desk.path(),
				env: desk.environment(),
				stdout: unread,
				stderr: "pipe",
			});
			// The first byte says that there is a result; the rest of it fills the pipe while the plugin is stopped.
			await firstByte(unread);
			while (desk.running().length > 1) await Bun.sleep(5);
			expect(child.exitCode).toBeNull();
			child.kill("SIGINT");
			expect(await child.exited).toBe(130);
		} finally {
			closeSync(unread);
		}
	});
});

describe("stdout", () => {
	test("gets all of a large result before the end, however slowly it is read", async () => {
		const child = desk.start(["-p", "helper.ts", "call", "greet", '{"name":"a","size":3000000}', "--json"]);
		let length = 0;
		let last = "";
		for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
			if (length === 0) await Bun.sleep(100);
			length += chunk.length;
			last = chunk.slice(-1);
		}
		expect(length).toBeGreaterThan(6_000_000);
		expect(last).toBe("\n");
		expect(await child.exited).toBe(0);
	});

	test("may be closed by a reader who has seen enough", async () => {
		const call = `"$0" "$1" -q -p helper.ts call greet '{"name":"a","size":3000000}'`;
		const script = `{ ${call}; echo "exit code $?" >&2; } | head -c 1`;
		const { stdout, stderr } = await desk.run([], { command: ["sh", "-c", script, process.execPath, main] });
		expect({ stdout, stderr }).toEqual({ stdout: "y", stderr: "exit code 0\n" });
	});

	test.skipIf(process.platform !== "linux")("that takes nothing is an error", async () => {
		const child = Bun.spawn([process.execPath, main, "--version"], {
			env: desk.environment(),
			stdout: openSync("/dev/full", "w"),
			stderr: "pipe",
		});
		expect(await child.stderr.text()).toMatch(/^error: The result could not be written: .*no space left.*\.\n$/);
		expect(await child.exited).toBe(1);
	});
});

test("what a plugin starts ends with the command", async () => {
	await desk.write({
		"parent.ts": `export default (amp) => {
			Bun.spawn(["sleep", "600"]);
			amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => "done" });
		};`,
	});
	expect(await desk.run(["-p", "parent.ts", "call", "t"])).toMatchObject({ exitCode: 0, stdout: "done\n" });
});

function firstByte(descriptor: number): Promise<number> {
	return new Promise((resolve, reject) => {
		read(descriptor, new Uint8Array(1), 0, 1, null, (error, count) =>
			error === null ? resolve(count) : reject(error),
		);
	});
}
