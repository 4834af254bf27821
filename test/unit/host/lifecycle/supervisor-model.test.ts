import { expect, test } from "bun:test";
import fc from "fast-check";
import { createGate } from "../../../../host/base/gate.ts";
import type { PluginState } from "../../../../host/lifecycle/machine.ts";
import { Supervisor } from "../../../../host/lifecycle/supervisor.ts";
import { createSwap, type Swap } from "../../../../host/reload/swap.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";
import { deep, propertyRuns, tally } from "../../../support/effort.ts";
import { turn } from "../../runtime/support.ts";
import { type FakeBackend, fakeBackend, fakeClock } from "./support.ts";

// Mostly it is about the newest process, and mostly the world has a turn after it.
const at = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) });
const turns = fc.oneof({ weight: 2, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) });
const wish = fc.constantFrom("start", "stop", "disable", "reload");
const happening = fc.constantFrom("load", "load", "load", "fail", "exit", "silent", "answered", "disposed", "changed");
const step = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: wish, at, turns }) },
	{ weight: 6, arbitrary: fc.record({ kind: happening, at, turns }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("pass", "use", "used"), at, turns }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const rest: PluginState[] = ["stopped", "disabled"];
const serving: PluginState[] = ["ready", "unresponsive"];

test("wishes and happenings in any order, none awaited, keep every rule of a plugin's life and come to rest", async () => {
	let steps = 0;
	const reached = new Set<string>();
	const outcome = await fc.check(
		fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), async (all) => {
			const life = new Life();
			for (const one of all) {
				await life.take(one);
				life.check();
				reached.add(life.state);
				steps += 1;
			}
			await life.finish();
		}),
		deep ? propertyRuns : { ...propertyRuns, numRuns: 600 },
	);
	tally("steps of a plugin's life", steps, `seed ${outcome.seed}`);
	expect(outcome.failed ? `${outcome.errorInstance} ${fc.defaultReportMessage(outcome)}` : "").toBe("");
	expect([...reached].sort()).toEqual([
		"disabled",
		"discovered",
		"failed",
		"ready",
		"restarting",
		"starting",
		"stopped",
		"stopping",
		"unresponsive",
	]);
}, 900_000);

/** One plugin whose processes the steps drive, and what must be true of it at every moment. */
class Life {
	readonly #backends: FakeBackend[] = [];
	readonly #exited = new Set<FakeBackend>();
	readonly #replaced = new Set<FakeBackend>();
	readonly #clock = fakeClock();
	readonly #wishes: Promise<unknown>[] = [];
	readonly #calls: PromiseWithResolvers<void>[] = [];
	readonly #supervisor: Supervisor;
	readonly #swap: Swap;
	/** Whose registrations are visible. */
	#visible: FakeBackend | undefined;
	#wanted = false;
	/** How many had been started when it was last wanted no more. */
	#startedBefore = 0;

	constructor() {
		this.#supervisor = new Supervisor({
			plugin: "one",
			initialState: "discovered",
			limits,
			clock: this.#clock,
			gate: createGate(2, 60_000),
			hurry: new AbortController().signal,
			createBackend: (events) => this.#create(events),
			publish: ({ tool }) => this.#publish(Number(tool[0]?.name)),
			withdraw: () => {
				this.#visible = undefined;
			},
			changed: (_, items) => this.#changed(items),
			loadedMore() {},
			state: () => {},
			fact: () => {},
			log: () => {},
		});
		this.#swap = createSwap(this.#supervisor, "one", this.#clock);
	}

	get state(): PluginState {
		return this.#supervisor.machine.state;
	}

	async take({ kind, at, turns }: Step): Promise<void> {
		this.#happen(kind, this.#backends.at(-1 - at));
		if (turns) await turn();
	}

	#happen(kind: Step["kind"], backend: FakeBackend | undefined): void {
		if (kind === "start") return this.#wish(true, this.#supervisor.start());
		if (kind === "reload") return this.#wish(true, this.#swap.begin().ended);
		if (kind === "stop") return this.#wish(false, this.#supervisor.stop());
		if (kind === "disable") return this.#wish(false, this.#supervisor.stop("disabled"));
		if (kind === "pass" && this.#clock.waits().length > 0) return this.#clock.pass();
		if (kind === "use") return this.#use();
		if (kind === "used") return this.#calls.shift()?.resolve();
		if (backend === undefined || this.#exited.has(backend)) return;
		if (kind === "load") backend.load({ tool: [this.#toolOf(backend)] });
		if (kind === "fail") backend.fail(failure("load_failed", { reason: "for this test" }));
		if (kind === "exit") backend.exit({ code: 1 });
		if (kind === "silent" || kind === "answered") backend.events?.responsive(kind === "answered");
		if (kind === "disposed") backend.disposed();
		if (kind === "changed") backend.events?.changed("tool", [this.#toolOf(backend)]);
	}

	/** The rules that hold after every step. */
	check(): void {
		const { state, launches, error } = this.#supervisor.machine;
		const live = this.#backends.filter((backend) => !this.#exited.has(backend) && backend.asked.length > 0);
		const untold = live.filter(({ asked }) => asked.length === 1);
		const facts = { state, launches, error: error?.code, live: live.length, untold: untold.length };
		const wrong = Object.entries({
			"what is visible is what serves": (this.#visible !== undefined) === serving.includes(state),
			"what serves has no error": !serving.includes(state) || error === undefined,
			"what failed or waits to be restarted says why":
				(state !== "failed" && state !== "restarting") || error !== undefined,
			"no more launches than restarts allow": launches <= limits.restart.retriesMax + 1,
			"one process, at most one that is being prepared, and those that were replaced in the middle of a call":
				untold.filter((backend) => !this.#replaced.has(backend)).length <= 2,
			"a restart waits on the clock exactly while it is restarting":
				(state === "restarting") === this.#clock.waits().some((ms) => limits.restart.delaysMs.includes(ms)),
			"nothing starts once it is not wanted": this.#wanted || this.#started() === this.#startedBefore,
			"nothing is visible once it is not wanted": this.#wanted || this.#visible === undefined,
		}).flatMap(([rule, holds]) => (holds ? [] : [rule]));
		expect({ wrong, facts }).toEqual({ wrong: [], facts });
	}

	/** Somebody stops it, and every process does what it is told: all wishes settle, and nothing is left. */
	async finish(): Promise<void> {
		const settled = { wishes: 0 };
		this.#wish(false, this.#supervisor.stop());
		for (const wish of this.#wishes) void wish.finally(() => (settled.wishes += 1));
		for (const call of this.#calls.splice(0)) call.resolve();
		for (let turns = 0; turns < 50 && settled.wishes < this.#wishes.length; turns += 1) {
			for (const backend of this.#backends) backend.disposed();
			await turn();
			this.check();
		}
		await turn();
		expect(settled.wishes).toBe(this.#wishes.length);
		expect(rest).toContain(this.state);
		expect(this.#visible).toBeUndefined();
		expect(this.#clock.waits()).toEqual([]);
		const left = this.#backends.filter((backend) => backend.asked.includes("start") && !this.#exited.has(backend));
		expect(left.map(({ asked }) => asked)).toEqual([]);
	}

	#create(events: Parameters<typeof fakeBackend>[0]): FakeBackend {
		const backend = fakeBackend(events);
		backend.obeys = ["SIGINT", "SIGKILL"];
		const { dispose, kill } = backend;
		// What is visible is withdrawn before its process is told to end.
		const told = () => expect(this.#visible === backend && !this.#exited.has(backend)).toBe(false);
		backend.dispose = (signal) => {
			told();
			return dispose(signal);
		};
		backend.kill = (signal) => {
			told();
			kill(signal);
			this.#exited.add(backend);
		};
		const { exit } = backend;
		backend.exit = (facts) => {
			// The end of a process is the end of its load.
			backend.fail(failure("exited_before_ready"));
			exit(facts);
			this.#exited.add(backend);
		};
		this.#backends.push(backend);
		return backend;
	}

	#publish(index: number): void {
		const backend = this.#backends[index];
		// It may have exited in this very turn, which is told in the next one.
		expect(backend?.asked).toEqual(["start"]);
		if (this.#visible !== undefined) this.#replaced.add(this.#visible);
		this.#visible = backend;
	}

	#changed(items: unknown[]): void {
		expect(this.#backends[Number((items[0] as { name?: string } | undefined)?.name)]).toBe(
			this.#visible as FakeBackend,
		);
	}

	#wish(isWanted: boolean, wish: Promise<unknown>): void {
		this.#wanted = isWanted;
		if (!isWanted) this.#startedBefore = this.#started();
		this.#wishes.push(wish.catch(() => {}));
	}

	#use(): void {
		const call = Promise.withResolvers<void>();
		this.#calls.push(call);
		this.#wishes.push(this.#supervisor.use(() => call.promise).catch(() => {}));
	}

	#started(): number {
		return this.#backends.filter(({ asked }) => asked.includes("start")).length;
	}

	#toolOf(backend: FakeBackend) {
		return { name: String(this.#backends.indexOf(backend)), description: "", inputSchema: {} };
	}
}
