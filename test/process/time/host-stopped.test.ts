import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { deep } from "../../support/effort.ts";
import { createBench } from "../support/host.ts";
import { comesTrue } from "../support/processes.ts";
import { type SleepingHost, sleepingHostCommand, startSleepingHost, unharmed } from "./sleeping-host.ts";

const bench = createBench();

/** Longer than any limit of the program, several times longer than a plugin may be silent. */
const sleepMs = deep ? 60_000 : 1_400;
const sleep = () => Bun.sleep(sleepMs);

const signal = (name: NodeJS.Signals) => (pids: number[]) => {
	for (const pid of pids) process.kill(pid, name);
};
const stop = signal("SIGSTOP");
const wake = signal("SIGCONT");

const sleeps: [string, (program: SleepingHost) => Promise<void>][] = [
	[
		"host",
		async ({ pid }) => {
			stop([pid]);
			await sleep();
			wake([pid]);
		},
	],
	[
		"host-first",
		async ({ pid, plugins }) => {
			stop([pid, ...plugins]);
			await sleep();
			wake([pid, ...plugins]);
		},
	],
	[
		"plugins-first",
		async ({ pid, plugins }) => {
			stop([...plugins, pid]);
			await sleep();
			wake([...plugins, pid]);
		},
	],
];

test(
	"a sleep of the host, or of host and plugins woken in any order, ends no plugin, call, event or load",
	async () => {
		const ends = sleeps.map(async ([name, fallAsleep]) => {
			const program = await startSleepingHost(bench, name, bench.path(name));
			await fallAsleep(program);
			return program.end();
		});
		const [suspended, ...slept] = await Promise.all([suspendedByKey(), ...ends]);
		expect(slept).toEqual(sleeps.map(() => unharmed));
		// Ctrl-Z in a terminal stops the host alone; its plugins work on, and fg lets it go on.
		expect(suspended).toEqual({ worked: true, end: unharmed });
	},
	20_000 + sleepMs,
);

/** Suspends the program by the key of a terminal, and lets it go on by the command of a shell. */
async function suspendedByKey() {
	const done = bench.path("done");
	const terminal = openTerminal(sleepingHostCommand(bench, "terminal", done));
	const { pids } = JSON.parse(await terminal.said(/\{"pids":.*\}/)) as { pids: number[] };
	for (const pid of pids) bench.watch(pid);
	terminal.type("\u001a");
	await terminal.said(/suspended/);
	const [worked] = await Promise.all([comesTrue(() => existsSync(done), 10_000), sleep()]);
	terminal.type("\n");
	const { end } = JSON.parse(await terminal.said(/\{"end":.*\}/)) as { end: unknown };
	await terminal.close();
	return { worked, end };
}

/** A terminal with a shell that runs a command, and takes it up again after a line was typed. */
function openTerminal(command: string[]) {
	let shown = "";
	let arrived = Promise.withResolvers<void>();
	const decoder = new TextDecoder();
	const shell = Bun.spawn(["sh", "-c", 'set -m; "$@"; echo suspended; read _; fg', "sh", ...command], {
		terminal: {
			cols: 2_000,
			data(_terminal, data) {
				shown += decoder.decode(data, { stream: true });
				arrived.resolve();
				arrived = Promise.withResolvers();
			},
		},
	});
	return {
		type: (keys: string) => shell.terminal?.write(keys),
		async said(what: RegExp): Promise<string> {
			for (;;) {
				const [found] = what.exec(shown) ?? [];
				if (found !== undefined) return found;
				await Promise.race([arrived.promise, shell.exited]);
				if (shell.exitCode !== null && !what.test(shown)) throw new Error(`it never said ${what}:\n${shown}`);
			}
		},
		async close() {
			await shell.exited;
			shell.terminal?.close();
		},
	};
}
