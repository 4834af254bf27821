import { expect, test } from "bun:test";
import { createGate } from "../../../../host/base/gate.ts";
import { Supervisor } from "../../../../host/lifecycle/supervisor.ts";
import { limits } from "../../../../runtime/limits.ts";
import { turn } from "../../runtime/support.ts";
import { type FakeBackend, fakeBackend, fakeClock } from "./support.ts";

/** A supervisor whose first launch serves, and a second instance that is loaded and not adopted. */
async function prepared() {
	const backends: FakeBackend[] = [];
	const published: string[] = [];
	const supervisor = new Supervisor({
		plugin: "one",
		initialState: "discovered",
		limits,
		clock: fakeClock(),
		gate: createGate(2, 60_000),
		hurry: new AbortController().signal,
		createBackend(events) {
			const backend = fakeBackend(events);
			backends.push(backend);
			return backend;
		},
		publish: () => published.push("published"),
		withdraw: () => {},
		changed: () => {},
		loadedMore() {},
		state: () => {},
		fact: () => {},
		log: () => {},
	});
	const launched = async (index: number): Promise<FakeBackend> => {
		for (;;) {
			const backend = backends[index];
			if (backend?.asked.includes("start")) return backend;
			await turn();
		}
	};
	const started = supervisor.start();
	const first = await launched(0);
	first.load();
	await started;
	const loading = supervisor.prepare();
	const second = await launched(1);
	second.load();
	return { supervisor, first, second, instance: await loading, launched, published };
}

test("a stop ends what a reload has loaded and not yet put in its place, and resolves after that", async () => {
	const { supervisor, first, second, instance } = await prepared();
	let isStopped = false;
	const stopped = supervisor.stop("disabled").then(() => {
		isStopped = true;
	});
	expect(supervisor.adopt(instance)).toBe(false);
	first.disposed();
	await turn();
	first.exit();
	await turn();
	expect(second.asked).toEqual(["start", "SIGINT"]);
	expect({ isStopped, state: supervisor.machine.state }).toEqual({ isStopped: false, state: "disabled" });
	second.exit();
	await stopped;
});

test("what a stop has ended does not take the place of what is started after it", async () => {
	const { supervisor, first, second, instance, launched, published } = await prepared();
	first.exit();
	await turn();
	expect(supervisor.machine.state).toBe("restarting");
	const stopped = supervisor.stop();
	const started = supervisor.start();
	expect(supervisor.adopt(instance)).toBe(false);
	second.exit();
	await stopped;
	const third = await launched(2);
	third.load();
	await started;
	expect(supervisor.machine.state).toBe("ready");
	expect(published).toHaveLength(2);
	third.exit();
});
