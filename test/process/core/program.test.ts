import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createBench } from "../support/host.ts";
import { childrenOf, groupEnds, survivorsOf } from "../support/processes.ts";
import { startProgram } from "../support/program.ts";

const bench = createBench();

/** A plugin that leaves a mark when it is disposed of, and has a subprocess that would live for long. */
const plugin = () => `import { writeFileSync } from "node:fs";
	Bun.spawn(["sleep", "600"]);
	export default (amp) => {
		amp.onDispose(() => writeFileSync(${JSON.stringify(bench.path("disposed"))}, ""));
		amp.registerTool({ name: "slow", description: "", inputSchema: { type: "object" }, execute: async () => {
			await Bun.sleep(300);
			return "answered";
		} });
	};`;
const disposed = () => existsSync(bench.path("disposed"));

describe("a program that has a host and nothing left to do", () => {
	test("ends by itself although plugins run, and they are disposed of", async () => {
		const program = await startProgram(bench, { one: plugin() }, "end");
		expect(await program.ended).toEqual({ code: 0, signal: null });
		expect(disposed()).toBe(true);
		expect(await survivorsOf(program.plugins)).toEqual([]);
	});

	test("ends by itself after host.stop()", async () => {
		const program = await startProgram(bench, { one: plugin() }, "stop");
		expect(await program.ended).toEqual({ code: 0, signal: null });
		expect(disposed()).toBe(true);
	});

	test("stays for the answer of a call under way", async () => {
		const program = await startProgram(bench, { one: plugin() }, "call");
		expect(await program.ended).toEqual({ code: 0, signal: null });
		expect(program.output()).toContain('{"answer":"answered"}');
		expect(disposed()).toBe(true);
	});
});

describe("a signal to the program", () => {
	test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
		"%s stops the plugins with dispose, then ends the program by that signal",
		async (signal) => {
			const program = await startProgram(bench, { one: plugin() }, "wait");
			program.signal(signal);
			expect(await program.ended).toEqual({ code: null, signal });
			expect(disposed()).toBe(true);
			expect(await survivorsOf(program.plugins)).toEqual([]);
		},
	);

	test("leaves the end to the program where that has a handler of its own", async () => {
		const program = await startProgram(bench, { one: plugin() }, "own-handler");
		program.signal("SIGTERM");
		await program.prints("own handler");
		expect(await survivorsOf(program.plugins)).toEqual([]);
		expect(disposed()).toBe(true);
		program.signal("SIGKILL");
		expect(await program.ended).toEqual({ code: null, signal: "SIGKILL" });
	});

	test("a second SIGINT kills at once what is still being disposed of", async () => {
		const slow = `export default (amp) => amp.onDispose(() => { amp.logger.log("disposing"); return new Promise(() => {}); });`;
		const program = await startProgram(bench, { one: slow }, "wait");
		program.signal("SIGINT");
		await program.prints("disposing");
		program.signal("SIGINT");
		expect(await program.ended).toEqual({ code: null, signal: "SIGINT" });
		expect(await survivorsOf(program.plugins)).toEqual([]);
	});
});

describe("an end without warning", () => {
	test("process.exit() kills the plugins without dispose", async () => {
		const program = await startProgram(bench, { one: plugin() }, "exit");
		expect(await program.ended).toEqual({ code: 3, signal: null });
		expect(await groupEnds(program.plugins[0] ?? Number.NaN)).toBe(true);
		expect(disposed()).toBe(false);
	});

	test("an error of the program that nobody catches does too", async () => {
		const program = await startProgram(bench, { one: plugin() }, "throw");
		expect(await program.ended).toEqual({ code: 1, signal: null });
		expect(program.output()).toContain("the program's own mistake");
		expect(await groupEnds(program.plugins[0] ?? Number.NaN)).toBe(true);
		expect(disposed()).toBe(false);
	});

	const blocked = `Bun.spawn(["sleep", "600"]);
		export default () => { setTimeout(() => { while (true) {} }, 20); };`;
	const deaf = `for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
		Bun.spawn(["sh", "-c", "trap '' INT TERM HUP; sleep 600 & wait"]);
		export default () => {};`;

	test("SIGKILL leaves no plugin, nothing that a plugin started, and no watchdog", async () => {
		const program = await startProgram(bench, { blocked, deaf, plain: plugin() }, "wait");
		const family = process.platform === "linux" ? childrenOf(program.pid) : [];
		if (process.platform === "linux") expect(family.length).toBe(program.plugins.length + 1);
		program.signal("SIGKILL");
		await program.ended;
		expect(await survivorsOf([...family, ...program.plugins])).toEqual([]);
		expect(await Promise.all(program.plugins.map(groupEnds))).toEqual([true, true, true]);
		expect(disposed()).toBe(false);
	});
});
