import { expect, test } from "bun:test";
import { createGate } from "../../../../host/base/gate.ts";
import { Supervisor } from "../../../../host/lifecycle/supervisor.ts";
import { createSwap } from "../../../../host/reload/swap.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";
import { rejection, turn } from "../../runtime/support.ts";
import { type FakeBackend, fakeBackend, fakeClock } from "../lifecycle/support.ts";

/** A plugin that has not run; its processes obey SIGINT unless the test says otherwise. */
function swapped() {
	const backends: FakeBackend[] = [];
	const published: string[] = [];
	const logged: string[] = [];
	const clock = fakeClock();
	const supervisor = new Supervisor({
		plugin: "one",
		initialState: "discovered",
		limits,
		clock,
		gate: createGate(2, 60_000),
		hurry: new AbortController().signal,
		createBackend(events) {
			const backend = fakeBackend(events);
			backend.obeys = ["SIGINT", "SIGKILL"];
			backends.push(backend);
			return backend;
		},
		publish: ({ tool }) => published.push(tool.map(({ name }) => name).join(",")),
		withdraw: () => {},
		changed: () => {},
		loadedMore() {},
		state: () => {},
		fact: () => {},
		log: ({ message }) => logged.push(message),
	});
	const launched = async (count: number): Promise<FakeBackend> => {
		for (;;) {
			const backend = backends[count - 1];
			if (backend?.asked.includes("start")) return backend;
			await turn();
		}
	};
	const load = async (count: number) =>
		(await launched(count)).load({ tool: [{ name: `v${count}`, description: "", inputSchema: { type: "object" } }] });
	return {
		...{ supervisor, backends, published, logged, clock, launched, load },
		swap: createSwap(supervisor, "one", clock),
	};
}

test("a reload waits for the one before, which is given up for it only once it takes longer than it should", async () => {
	const { swap, supervisor, backends, published, logged, clock, launched, load } = swapped();
	const started = supervisor.start();
	await load(1);
	await started;
	const hanging = swap.begin();
	await launched(2);
	const newer = swap.begin();
	clock.advance(999);
	await turn();
	expect(backends).toHaveLength(2);
	clock.advance(1);
	await hanging.overlong;
	await load(3);
	expect(await hanging.ended).toBe(newer);
	expect(await newer.ended).toBeUndefined();
	expect(published).toEqual(["v1", "v3"]);
	expect(backends[1]?.asked).toEqual(["start", "SIGINT"]);
	expect(logged).toEqual(["its load is given up for a newer one"]);
});

test("a reload that takes long is not given up while nobody wants a newer one", async () => {
	const { swap, published, clock, launched, load } = swapped();
	const slow = swap.begin();
	await launched(1);
	clock.advance(9_000);
	await slow.overlong;
	await load(1);
	expect(await slow.ended).toBeUndefined();
	expect(published).toEqual(["v1"]);
});

test("each load in a row that is given up has the next one waited for twice as long", async () => {
	const { swap, clock, launched, load } = swapped();
	const all = [swap.begin()];
	for (const ms of [1_000, 2_000, 4_000]) {
		await launched(all.length);
		all.push(swap.begin());
		let isOverlong = false;
		const told = all.at(-2)?.overlong.then(() => {
			isOverlong = true;
		});
		clock.advance(ms - 1);
		await turn();
		expect(isOverlong).toBe(false);
		clock.advance(1);
		await told;
	}
	await load(4);
	expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([...all.slice(1), undefined]);
});

test("a reload of what is being started, or started again, loads it anew: what it has read may be old", async () => {
	const { swap, supervisor, backends, published, launched, load } = swapped();
	const started = supervisor.start();
	await launched(1);
	const { ended } = swap.begin();
	await load(2);
	await Promise.all([started, ended]);
	expect(backends[0]?.asked).toEqual(["start", "SIGINT"]);
	expect(published).toEqual(["v2"]);
	expect(supervisor.machine).toMatchObject({ state: "ready", launches: 1 });
});

test("a stop during a load that takes long ends it and the reload that waits, and resolves after every process", async () => {
	const { swap, supervisor, clock, backends, launched } = swapped();
	const reloads = [swap.begin()];
	const first = await launched(1);
	first.obeys = [];
	reloads.push(swap.begin());
	const refused = rejection(reloads[1]?.ended ?? Promise.resolve());
	clock.advance(1_000);
	await launched(2);
	let isStopped = false;
	const stopped = supervisor.stop().then(() => {
		isStopped = true;
	});
	await turn();
	// The newer process has ended, and what was given up has not yet.
	expect(backends.map(({ asked }) => asked)).toEqual([
		["start", "SIGINT"],
		["start", "SIGINT"],
	]);
	expect(isStopped).toBe(false);
	first.exit();
	await stopped;
	expect(await refused).toMatchObject({ code: "plugin_not_ready" });
	expect(supervisor.machine.state).toBe("stopped");
});

test("the end of a process that was given up is not taken for the end of the one that is being stopped", async () => {
	const { swap, supervisor, clock, launched } = swapped();
	swap.begin().ended.catch(() => {});
	const first = await launched(1);
	first.obeys = [];
	swap.begin().ended.catch(() => {});
	clock.advance(1_000);
	const second = await launched(2);
	second.obeys = [];
	const stopped = supervisor.stop();
	first.exit();
	await turn();
	expect(supervisor.machine.state).toBe("stopping");
	second.exit();
	await stopped;
	expect(supervisor.machine.state).toBe("stopped");
});

test("a load that has taken the place of another one and fails is the failure of the newer reload alone", async () => {
	const { swap, clock, launched } = swapped();
	const first = swap.begin();
	await launched(1);
	const second = swap.begin();
	clock.advance(1_000);
	(await launched(2)).fail(failure("load_failed", { reason: "for this test" }));
	expect(await first.ended).toBe(second);
	expect(await rejection(second.ended)).toMatchObject({ code: "load_failed" });
});
