import { describe, expect, test } from "bun:test";
import { createEndsBench, type EndingProgram, outlive, type Wish } from "./support.ts";

/** A host in a terminal of its own: who hears Ctrl-C, and in which state the terminal is left. */
const bench = createEndsBench({ compiles: false });

/** Asks at once when its command is run, and is slow to dispose. */
const asking = (notes: string) => `import { appendFileSync } from "node:fs";
const note = (text) => appendFileSync(${JSON.stringify(notes)}, text + "\\n");
export default (amp) => {
	console.error("pids " + JSON.stringify([process.pid]));
	amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		note("answer " + (await ui.confirm({ title: "Sure?" })));
	});
	amp.onDispose(async () => { note("disposing"); console.error("disposing"); await Bun.sleep(150); note("disposed"); });
};`;

// Of a terminal's local flags: lines are edited, what is typed is shown, Ctrl-C is a signal.
const sane = process.platform === "darwin" ? 0x100 | 0x8 | 0x80 : 0o2 | 0o10 | 0o1;
const isSane = ({ terminal }: EndingProgram) => ((terminal?.localFlags ?? 0) & sane) === sane;

/** Starts a program whose plugin has a dialog open. */
async function withDialog(notes: string) {
	const plugins = bench.write({ asking: asking(bench.path(notes)) });
	const wish: Wish = { end: "wait", announcements: 1, commands: ["ask"] };
	const program = bench.start("source", plugins, wish, { terminal: true });
	const { pids, children } = await program.settled();
	await program.prints("[asking] Sure?");
	expect(isSane(program)).toBe(false);
	return { program, pids: [...pids, ...children] };
}

test("a second Ctrl-C hurries, and disposes of nothing twice", async () => {
	const notes = bench.path("hurried");
	const slow = `import { appendFileSync } from "node:fs";
		process.on("SIGINT", () => appendFileSync(${JSON.stringify(notes)}, "SIGINT\\n"));
		export default (amp) => amp.onDispose(() => {
			appendFileSync(${JSON.stringify(notes)}, "disposing\\n");
			console.error("disposing");
			return new Promise(() => {});
		});`;
	const plugins = bench.write({ one: slow, two: slow });
	// Longer than the test: only the second Ctrl-C ends it.
	const program = bench.start("source", plugins, { end: "wait", disposeMs: 60_000 }, { terminal: true });
	const { children } = await program.settled();
	program.terminal?.write("\u0003");
	await Promise.all([program.prints("[one] disposing"), program.prints("[two] disposing")]);
	program.terminal?.write("\u0003");
	expect(await program.ended).toEqual({ code: null, signal: "SIGINT" });
	expect(bench.notes("hurried")).toEqual(["disposing", "disposing"]);
	expect(await outlive(children)).toEqual([]);
});

describe("a host that ends while a dialog is open", () => {
	test.each([
		["SIGTERM", (program: EndingProgram) => program.signal("SIGTERM"), "SIGTERM"],
		["SIGHUP", (program: EndingProgram) => program.signal("SIGHUP"), "SIGHUP"],
		["SIGINT", (program: EndingProgram) => program.signal("SIGINT"), "SIGINT"],
		["Ctrl-C", (program: EndingProgram) => program.terminal?.write("\u0003"), "SIGINT"],
	] as const)("by %s leaves the terminal as it was, and disposes", async (name, act, signal) => {
		const { program, pids } = await withDialog(name);
		act(program);
		expect(await program.ended).toEqual({ code: null, signal });
		expect(isSane(program)).toBe(true);
		expect(bench.notes(name).filter((line) => line.startsWith("dispos"))).toEqual(["disposing", "disposed"]);
		expect(await outlive(pids)).toEqual([]);
	});

	test("by two SIGINTs leaves the terminal as it was", async () => {
		const { program, pids } = await withDialog("twice");
		program.signal("SIGINT");
		await program.prints("[asking] disposing");
		program.signal("SIGINT");
		expect(await program.ended).toEqual({ code: null, signal: "SIGINT" });
		expect(isSane(program)).toBe(true);
		expect(await outlive(pids)).toEqual([]);
	});

	test.each([
		["process.exit()", "SIGUSR1", 3],
		["an uncaught exception", "SIGUSR2", 1],
	] as const)("by %s leaves the terminal as it was, without dispose", async (name, signal, code) => {
		const { program, pids } = await withDialog(name);
		program.signal(signal);
		expect(await program.ended).toEqual({ code, signal: null });
		expect(isSane(program)).toBe(true);
		expect(bench.notes(name)).toEqual([]);
		expect(await outlive(pids)).toEqual([]);
	});

	test("by the end of the terminal leaves nothing", async () => {
		const { program, pids } = await withDialog("closed");
		program.terminal?.close();
		// Whether the signal is heard first, or that the terminal cannot be read any more, is up to the system.
		const { code, signal } = await program.ended;
		expect(["SIGHUP", 1]).toContain(signal ?? code ?? 0);
		expect(await outlive(pids)).toEqual([]);
	});
});
