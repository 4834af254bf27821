import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { spawnChild } from "../../../host/backends/process.ts";
import { createWatchdog } from "../../../host/backends/watchdog.ts";
import { isAsleep } from "../../../host/base/process-state.ts";
import { withOverrides } from "../../../runtime/limits.ts";
import { childrenOf, comesTrue, groupEnds, processLives } from "../support/processes.ts";
import { calm, deaf, idle } from "./plugins.ts";
import { createEndsBench, outlive } from "./support.ts";

const bench = createEndsBench({ compiles: false });
const groups: Bun.Subprocess[] = [];
afterEach(async () => {
	for (const group of groups.splice(0)) {
		group.kill("SIGKILL");
		await group.exited;
	}
});

/** A process that leads a group of its own. */
function startGroup(): number {
	const group = Bun.spawn(["sleep", "600"], { detached: true });
	groups.push(group);
	return group.pid;
}

describe("a watchdog whose host is gone", () => {
	test("kills the groups that it was told of, and leaves those that it was told to forget", async () => {
		const watchdog = createWatchdog({ problem: expect.unreachable });
		watchdog.start();
		const [first, forgotten, again, last] = [startGroup(), startGroup(), startGroup(), startGroup()];
		for (const group of [first, forgotten, again, last]) watchdog.watch(group);
		watchdog.forget(forgotten);
		// A number that the system has given to a later group counts as that group's.
		watchdog.forget(again);
		watchdog.watch(again);
		watchdog.close();
		expect(await Promise.all([first, again, last].map(groupEnds))).toEqual([true, true, true]);
		expect(processLives(forgotten)).toBe(true);
	});

	test("takes a number for no other that it begins or ends with", async () => {
		const watchdog = createWatchdog({ problem: expect.unreachable });
		watchdog.start();
		const group = startGroup();
		// Larger than any number of a process.
		const longer = [`99999${group}`, `${group}99999`].map(Number);
		for (const other of [...longer, group]) watchdog.watch(other);
		for (const other of longer) watchdog.forget(other);
		// One that it was never told of, or has forgotten already.
		watchdog.forget(longer[0] ?? 0);
		watchdog.close();
		expect(await groupEnds(group)).toBe(true);
	});

	test("leaves nobody after two thousand groups have come and gone", async () => {
		const watchdog = createWatchdog({ problem: expect.unreachable });
		watchdog.start();
		const [first, last] = [startGroup(), startGroup()];
		watchdog.watch(first);
		for (let turn = 0; turn < 1_000; turn += 1) {
			watchdog.watch(last);
			watchdog.watch(last + 5_000_000 + turn);
			watchdog.forget(last);
			watchdog.forget(last + 5_000_000 + turn);
		}
		watchdog.close();
		expect(await groupEnds(first)).toBe(true);
		expect(processLives(last)).toBe(true);
	});
});

describe("a watchdog that cannot run", () => {
	test("for want of a shell is told of once, and nothing else happens", () => {
		const problems: string[] = [];
		const watchdog = createWatchdog({ problem: (text) => problems.push(text), shell: "/nowhere/sh" });
		watchdog.start();
		watchdog.watch(1_000_000_000);
		watchdog.forget(1_000_000_000);
		watchdog.close();
		expect(problems).toEqual([expect.stringMatching(/^there is no watchdog \(.*\/nowhere\/sh/)]);
	});

	test("since its shell always ends is started anew a few times, then told of", async () => {
		const told = Promise.withResolvers<string>();
		const watchdog = createWatchdog({ problem: told.resolve, shell: Bun.which("false") ?? "" });
		watchdog.start();
		watchdog.watch(1_000_000_000);
		expect(await told.promise).toContain("it ended 10 times");
		watchdog.close();
	});
});

describe("the watchdog of a host", () => {
	const family = () => bench.write({ calm: calm(bench.path("calm")), deaf, idle });

	test.skipIf(process.platform !== "linux")("is followed by another one when it is killed", async () => {
		const program = bench.start("source", family(), { end: "wait", announcements: 3 });
		const { pids, children } = await program.settled();
		for (const turn of [1, 2, 3]) {
			const [watchdog = 0] = childrenOf(program.pid).filter((pid) => !pids.includes(pid));
			process.kill(watchdog, "SIGKILL");
			const follows = () => childrenOf(program.pid).some((pid) => pid !== watchdog && !pids.includes(pid));
			expect([turn, await comesTrue(follows, 5_000)]).toEqual([turn, true]);
		}
		const watchdogs = childrenOf(program.pid).filter((pid) => !pids.includes(pid));
		// One that has just been forked is none yet.
		await comesTrue(() => watchdogs.every(isAsleep), 5_000);
		program.signal("SIGKILL");
		await program.ended;
		// What a shell put into the background is in reach of the watchdog alone.
		expect(await outlive([...pids, ...children, ...watchdogs])).toEqual([]);
		expect(program.output()).not.toContain("watchdog");
	});

	test.skipIf(process.platform !== "linux")("holds nobody up while it is stopped, and ends all the same", async () => {
		const program = bench.start("source", family(), { end: "wait", announcements: 3 });
		const { pids, children } = await program.settled();
		const [watchdog = 0] = children.filter((pid) => !pids.includes(pid));
		process.kill(watchdog, "SIGSTOP");
		program.signal("SIGTERM");
		expect(await program.ended).toEqual({ code: null, signal: "SIGTERM" });
		expect(await outlive([...pids, ...children])).toEqual([]);
	});
});

test("nothing is sent to the group of a process that has ended, whose number may be another's by then", async () => {
	const told: string[] = [];
	const child = spawnChild({
		plugin: "one",
		launch: { form: "custom", command: ["sh", "-c", "exit 4"], cwd: "/", env: {}, wire: "stdio" },
		limits: withOverrides(),
		watchdog: {
			start() {},
			watch: (group) => told.push(`watch ${group}`),
			forget: (group) => told.push(`forget ${group}`),
			close() {},
		},
		line() {},
	});
	expect((await child.exited).code).toBe(4);
	expect(told).toEqual([`watch ${child.pid}`, `forget ${child.pid}`]);
	const kill = spyOn(process, "kill");
	try {
		child.kill("SIGINT");
		child.kill("SIGKILL");
		expect(kill).not.toHaveBeenCalled();
	} finally {
		kill.mockRestore();
	}
});
