import { afterAll, describe, expect, test } from "bun:test";
import { tally } from "../../support/effort.ts";
import { forms } from "../launch-support.ts";
import { calm, deaf, hanging, hangingLater, idle, spinning } from "./plugins.ts";
import { createEndsBench, type EndingProgram, outlive, type Wish } from "./support.ts";

/** Launch form × way in which the host ends × plugins that are hard to end: nothing may be left. */
const bench = createEndsBench();
let programs = 0;
afterAll(() => tally("hosts that ended", programs, "endings and moments × launch forms"));

interface Ending {
	name: string;
	end: Wish["end"];
	terminal?: boolean;
	/** What is done to the program from outside. */
	act?(program: EndingProgram): void;
	ends: { code: number | null; signal: string | null };
	/** Whether plugins are disposed of. */
	disposes: boolean;
}

const bySignal = (signal: string) => ({ code: null, signal });
const outside = (signal: NodeJS.Signals, disposes: boolean): Ending => ({
	name: signal,
	end: "wait",
	act: (program) => program.signal(signal),
	ends: bySignal(signal),
	disposes,
});
const keys = (name: string, typed: string, signal: string, disposes: boolean): Ending => ({
	name: `${name} in its terminal`,
	end: "wait",
	terminal: true,
	act: (program) => program.terminal?.write(typed),
	ends: bySignal(signal),
	disposes,
});

const endings: Ending[] = [
	outside("SIGKILL", false),
	outside("SIGTERM", true),
	outside("SIGHUP", true),
	keys("Ctrl-C", "\u0003", "SIGINT", true),
	keys("Ctrl-\\", "\u001c", "SIGQUIT", false),
	{
		name: "the end of its terminal",
		end: "wait",
		terminal: true,
		act: (program) => program.terminal?.close(),
		ends: bySignal("SIGHUP"),
		disposes: true,
	},
	{ name: "an uncaught exception", end: "throw", ends: { code: 1, signal: null }, disposes: false },
	{ name: "an unhandled rejection", end: "reject", ends: { code: 1, signal: null }, disposes: false },
	{ name: "process.exit()", end: "exit", ends: { code: 3, signal: null }, disposes: false },
	{ name: "process.abort()", end: "abort", ends: bySignal("SIGABRT"), disposes: false },
	{ name: "host.stop()", end: "stop", ends: { code: 0, signal: null }, disposes: true },
	{ name: "nothing left to do", end: "nothing", ends: { code: 0, signal: null }, disposes: true },
];

describe.each(endings)("a host that ends by $name", ({ end, terminal = false, act, ends, disposes }) => {
	test("leaves nothing of its plugins, in every launch form", async () => {
		const leftovers = await Promise.all(
			forms.map(async (form) => {
				const plugins = bench.write({ calm: calm(bench.path(form)), deaf, idle, spinning });
				const program = bench.start(form, plugins, { end, announcements: 4, commands: ["spin"] }, { terminal });
				const { pids, alive, children } = await program.settled();
				expect({ alive, pids: pids.length }).toEqual({ alive: 22, pids: 22 });
				// The four plugins and the watchdog.
				if (process.platform === "linux") expect(children).toHaveLength(5);
				act?.(program);
				expect({ form, ...(await program.ended) }).toEqual({ form, ...ends });
				programs += 1;
				return outlive([...pids, ...children]);
			}),
		);
		expect(leftovers).toEqual(forms.map(() => []));
		// Dispose comes first and has its time; no signal reaches a plugin before.
		const wanted = disposes ? ["disposing", "disposed", "SIGINT"] : [];
		for (const form of forms) expect(bench.notes(form)).toEqual(wanted);
	});
});

describe.each([
	outside("SIGKILL", false),
	outside("SIGTERM", false),
	{ name: "process.exit()", end: "exit", ends: { code: 3, signal: null }, disposes: false } as Ending,
])("a host that ends by $name", ({ end, act, ends }) => {
	test("while its plugins load leaves nothing of them, and disposes of none", async () => {
		const leftovers = await Promise.all(
			forms.map(async (form) => {
				const plugins = bench.write({ one: hanging(bench.path(form)), two: hanging(bench.path(form)) });
				const program = bench.start(form, plugins, { end, announcements: 2 });
				const { pids, alive, children } = await program.settled();
				expect({ alive, pids: pids.length }).toEqual({ alive: 14, pids: 14 });
				act?.(program);
				expect({ form, ...(await program.ended) }).toEqual({ form, ...ends });
				programs += 1;
				return outlive([...pids, ...children]);
			}),
		);
		expect(leftovers).toEqual(forms.map(() => []));
		for (const form of forms) expect(bench.notes(form)).toEqual([]);
	});

	test("during a reload, a restart and a start leaves nothing of either instance", async () => {
		const leftovers = await Promise.all(
			forms.map(async (form) => {
				const plugins = bench.write({
					reloading: hangingLater(bench.path(`reloading-${form}`), "other"),
					restarting: hangingLater(bench.path(`restarting-${form}`)),
					starting: hangingLater(bench.path(`starting-${form}`), "third"),
				});
				const wish: Wish = { end, announcements: 6, commands: ["crash"], upset: true };
				const program = bench.start(form, plugins, wish);
				const { pids, alive, children } = await program.settled();
				// Three pairs of launches; of each, but for the one that is being reloaded, the first has ended.
				expect({ alive, pids: pids.length }).toEqual({ alive: 28, pids: 42 });
				if (process.platform === "linux") expect(children).toHaveLength(5);
				act?.(program);
				expect({ form, ...(await program.ended) }).toEqual({ form, ...ends });
				programs += 1;
				return outlive([...pids, ...children]);
			}),
		);
		expect(leftovers).toEqual(forms.map(() => []));
	});
});
