import type { Clock } from "../../../../host/base/clock.ts";
import type { Backend, BackendEvents, Capabilities } from "../../../../host/contracts/backend.ts";
import { noCapabilities } from "../../../../host/contracts/backend.ts";
import type { ExitFacts } from "../../../../runtime/errors.ts";

/** A backend that does only what the test says. */
export interface FakeBackend extends Backend {
	/** What it was asked to do, in order. */
	readonly asked: string[];
	events: BackendEvents | undefined;
	/** Its start succeeds. */
	load(capabilities?: Partial<Capabilities>): void;
	/** Its start fails. */
	fail(error: Error): void;
	/** Its process ends. */
	exit(exit?: Partial<ExitFacts>): void;
	/** Its dispose callbacks have settled, or fail. */
	disposed(error?: Error): void;
	/** Signals at which it ends by itself. */
	obeys: string[];
}

export function fakeBackend(events?: BackendEvents): FakeBackend {
	const started = Promise.withResolvers<Capabilities>();
	const exited = Promise.withResolvers<ExitFacts>();
	const disposing = Promise.withResolvers<void>();
	const asked: string[] = [];
	const backend: FakeBackend = {
		pid: 1,
		asked,
		events,
		obeys: [],
		exited: exited.promise,
		facts: () => ({ form: "fake", guard: null, runtimeVersion: null }),
		start(signal) {
			asked.push("start");
			signal.addEventListener("abort", () => started.reject(signal.reason));
			return started.promise;
		},
		call: async () => ({ content: [] }),
		emit: async () => undefined,
		links: async () => [],
		modules: async () => [],
		dispose(signal) {
			asked.push("dispose");
			signal.addEventListener("abort", () => disposing.reject(signal.reason));
			return disposing.promise;
		},
		kill(signal) {
			asked.push(signal);
			if (backend.obeys.includes(signal)) backend.exit({ code: null, signal });
		},
		load: (capabilities = {}) => started.resolve({ ...noCapabilities(), ...capabilities }),
		fail: (error) => started.reject(error),
		exit: (exit = {}) => exited.resolve({ code: 0, signal: null, stderrTail: "", ...exit }),
		disposed: (error) => (error === undefined ? disposing.resolve() : disposing.reject(error)),
	};
	return backend;
}

/** A clock that the test moves. */
export interface FakeClock extends Clock {
	/** Waits that are due, in milliseconds. */
	waits(): number[];
	/** Lets the oldest wait be over. */
	pass(): void;
	/** Lets so much time go by, with all that is due in it. */
	advance(ms: number): void;
}

export function fakeClock(): FakeClock {
	const waiting: { ms: number; due: number; action: () => void }[] = [];
	let now = 0;
	return {
		now: () => now,
		after(ms, action) {
			const wait = { ms, due: now + ms, action };
			waiting.push(wait);
			return () => {
				const index = waiting.indexOf(wait);
				if (index >= 0) waiting.splice(index, 1);
			};
		},
		waits: () => waiting.map(({ ms }) => ms),
		pass() {
			const wait = waiting.shift();
			if (wait === undefined) throw new Error("nobody waits");
			now += wait.ms;
			wait.action();
		},
		advance(ms) {
			const end = now + ms;
			for (;;) {
				const [next] = waiting.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
				if (next === undefined) break;
				waiting.splice(waiting.indexOf(next), 1);
				now = next.due;
				next.action();
			}
			now = end;
		},
	};
}
