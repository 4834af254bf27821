import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aheadOf } from "../../../host/backends/ahead.ts";
import { type LaunchSurroundings, planLaunch, planSpare } from "../../../host/backends/launch.ts";
import { createSpares, type Spares } from "../../../host/backends/spares.ts";
import { createWatchdog } from "../../../host/backends/watchdog.ts";
import { createGate } from "../../../host/base/gate.ts";
import { limits, withOverrides } from "../../../runtime/limits.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

/** A pool whose processes run a script of the shell in place of Bun. */
function poolOf(script: string, gate = createGate(2, limits.load.startPlaceMs), warm = 1) {
	const surroundings: LaunchSurroundings = {
		execPath: scriptFile(script),
		compiled: false,
		switchInstalled: false,
		childEntry: "",
		environment: { PATH: process.env.PATH },
	};
	const watchdog = createWatchdog({ problem() {} });
	const changes: { waiting: number; isIdle: boolean }[] = [];
	const first = Promise.withResolvers<void>();
	const options = { warm, launch: { form: "be-bun" as const, childSource: "" } };
	const spares: Spares = createSpares({
		options,
		surroundings,
		limits: withOverrides({ restart: { delaysMs: [1] } }),
		gate,
		watchdog,
		changed(waiting) {
			changes.push({ waiting, isIdle: gate.isIdle() });
			first.resolve();
		},
	});
	cleanups.push(
		() => spares.close(),
		() => watchdog.close(),
	);
	return { spares, changes, changed: first.promise, options, surroundings };
}

function scriptFile(script: string): string {
	const folder = mkdtempSync(join(tmpdir(), "brood-spares-"));
	cleanups.push(() => rmSync(folder, { recursive: true }));
	const path = join(folder, "child");
	writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
	return path;
}

const says = `echo '{"jsonrpc":"2.0","id":1,"method":"client.info"}' >&3`;
const hello = `${says}; exec sleep 600`;

/** The warnings of this program from now on. */
function hearWarnings() {
	const warnings: string[] = [];
	const first = Promise.withResolvers<void>();
	const hear = ({ message }: Error) => {
		warnings.push(message);
		first.resolve();
	};
	process.on("warning", hear);
	cleanups.push(() => process.off("warning", hear));
	return { warnings, first: first.promise };
}

test("processes that end as soon as they are started are given up with one warning that says why", async () => {
	const { warnings, first } = hearWarnings();
	const { spares, changes } = poolOf("echo broken >&2; exit 7");
	spares.open();
	await first;
	expect(warnings).toHaveLength(1);
	expect(warnings[0]).toContain("There are no warm spares any more, 4 in a row");
	expect(warnings[0]).toContain("it exited with code 7; the end of its output:\nbroken");
	expect(changes).toEqual([]);
});

test("one that says too much before it has a plugin is of no use", async () => {
	const { warnings, first } = hearWarnings();
	const { spares, changes } = poolOf(`head -c 100000 /dev/zero | tr '\\0' x >&3; exec sleep 600`);
	spares.open();
	await first;
	expect(warnings[0]).toContain("4 in a row ended before they could be used");
	expect(changes).toEqual([]);
});

test("one that goes on to speak before it has a plugin is replaced", async () => {
	const { spares, changes, changed } = poolOf(`${says}; for n in $(seq 20); do ${says}; done; exec sleep 600`);
	spares.open();
	await changed;
	while (!changes.some(({ waiting }) => waiting === 0)) await new Promise((resolve) => setImmediate(resolve));
	expect(changes.slice(0, 2).map(({ waiting }) => waiting)).toEqual([1, 0]);
});

test("one is started only while no plugin starts, and never waits for one that hangs", async () => {
	const gate = createGate(2, 100);
	const hangs = Promise.withResolvers<void>();
	const start = gate.run(() => hangs.promise);
	const { spares, changes, changed } = poolOf(hello, gate);
	spares.open();
	await changed;
	// The start has had its time, and still goes on.
	expect(changes).toEqual([{ waiting: 1, isIdle: true }]);
	hangs.resolve();
	await start;
});

test("one that waits is taken by a launch of the same command alone, once", async () => {
	const { spares, changed, options, surroundings } = poolOf(hello);
	spares.open();
	await changed;
	const plugin = { name: "one", path: "/p/one.ts", root: "/p" };
	const launch = planLaunch(plugin, options, surroundings);
	expect(spares.take({ ...launch, env: { ...launch.env, MORE: "1" } })).toBeUndefined();
	expect(spares.take(planLaunch(plugin, { ...options, install: "auto" }, surroundings))).toBeUndefined();
	const spare = spares.take(launch)?.spare;
	expect(spares.take(launch)).toBeUndefined();
	spare?.child.kill("SIGKILL");
	expect(await spare?.child.exited).toMatchObject({ signal: "SIGKILL" });
});

test("of several that wait, those from before the environment changed are replaced once one from after it is taken", async () => {
	const { spares, changes, options, surroundings } = poolOf(hello, undefined, 3);
	const waiting = async (count: number) => {
		while (changes.at(-1)?.waiting !== count) await new Promise((resolve) => setImmediate(resolve));
	};
	const plugin = { name: "one", path: "/p/one.ts", root: "/p" };
	spares.open();
	await waiting(3);
	const [before, after] = ["1", "2"].map((GIVEN) => ({ ...surroundings.environment, GIVEN }));
	const former = spares.take(planLaunch(plugin, options, surroundings));
	surroundings.environment = after ?? {};
	await waiting(3);
	const taken = [former, spares.take(planLaunch(plugin, options, surroundings))];
	expect(changes.at(-1)?.waiting).toBe(0);
	await waiting(3);
	surroundings.environment = before ?? {};
	expect(spares.take(planLaunch(plugin, options, surroundings))).toBeUndefined();
	expect(changes.at(-1)?.waiting).toBe(0);
	for (const each of taken) {
		expect(each).toBeDefined();
		each?.spare.child.kill("SIGKILL");
		await each?.spare.child.exited;
	}
});

test.each([
	["of a longer tail than it was started with takes none", { text: { stderrTailBytesMax: 100_000 } }, false],
	["of longer lines takes none", { text: { logLineBytesMax: 100_000 } }, false],
	["that waits longer for the last output takes none", { load: { exitDrainMs: 1_000 } }, false],
	["whose other limits differ takes it", { load: { readyMs: 20_000 } }, true],
])("of a process that was started before there was a host, a host %s", async (_, overrides, isTaken) => {
	const { options, surroundings } = poolOf(hello);
	const watchdog = createWatchdog({ problem() {} });
	const given = { options, surroundings, limits: withOverrides(overrides), watchdog, changed() {} };
	const spares = createSpares({ ...given, gate: createGate(2, limits.load.startPlaceMs) });
	const launch = planSpare(options, surroundings);
	if (launch === undefined) throw new Error("None can wait.");
	spares.adopt(aheadOf(launch, surroundings));
	const taken = spares.take(launch);
	expect(taken !== undefined).toBe(isTaken);
	taken?.spare.child.kill("SIGKILL");
	await taken?.spare.child.exited;
	await spares.close();
	watchdog.close();
});
