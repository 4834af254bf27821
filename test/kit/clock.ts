import { AsyncLocalStorage } from "node:async_hooks";
import { failure } from "../../runtime/errors.ts";
import type { TapFrame } from "../../runtime/tap.ts";
import { define } from "./graph-process.ts";

/** The time of a plugin that was loaded with a clock of its own. It stands still until it is moved. */
export interface TestClock {
	/** Milliseconds since 1970, as the plugin's `Date.now()` gives them. */
	now(): number;
	/**
	 * Moves the time on, and runs the timers of the plugin that are due meanwhile, one after the other. Resolves when what
	 * they began has had its turn.
	 */
	advance(ms: number): Promise<void>;
}

/** A clock that graphs can be given. */
export interface GraphClock extends TestClock {
	/** Sees each message of the plugin. */
	observe(frame: Pick<TapFrame, "direction" | "kind">): void;
	/** Gives it to a graph, whose `Bun` this is. */
	join(bun: typeof Bun): ClockedGraph;
}

export interface ClockedGraph {
	/** The global names of the graph that tell time by the clock. */
	globals: Record<string, unknown>;
	/** Forgets the timers of the graph. */
	leave(): void;
}

/** @param start milliseconds since 1970 */
export function createGraphClock(start: number): GraphClock {
	const timers = new Timers(start);
	return {
		now: () => timers.now,
		advance: (ms) => timers.advance(ms),
		observe({ direction, kind }) {
			if (direction === "in" && kind === "call") timers.asked += 1;
			if (direction === "out" && (kind === "result" || kind === "error")) timers.asked -= 1;
		},
		join(bun) {
			// Nobody waits for what the graph before has asked.
			timers.asked = 0;
			const { setTimeout, setInterval, clear } = timerFunctions(timers, bun);
			define(bun, {
				sleep: (until: number | Date) =>
					new Promise<void>((resolve) => {
						setTimeout(() => resolve(), typeof until === "number" ? until : Number(until) - timers.now);
					}),
				sleepSync: (ms: number) => timers.pass(ms),
			});
			return {
				leave: () => timers.removeAll(bun),
				globals: {
					...{ setTimeout, setInterval, clearTimeout: clear, clearInterval: clear },
					Date: dateOf(() => timers.now),
					performance: performanceOf(() => timers.now - start),
				},
			};
		},
	};
}

interface Timer {
	readonly id: number;
	/** The graph that has set it. */
	readonly owner: object;
	dueMs: number;
	everyMs: number | undefined;
	run(): void;
}

class Timers {
	now: number;
	/** Questions to the host that have no answer yet. */
	asked = 0;
	#lastId = 0;
	readonly #timers = new Set<Timer>();

	constructor(start: number) {
		this.now = start;
	}

	add(owner: object, afterMs: number, everyMs: number | undefined, run: () => void): Timer {
		this.#lastId += 1;
		const timer = { id: this.#lastId, owner, dueMs: this.now + afterMs, everyMs, run };
		this.#timers.add(timer);
		return timer;
	}

	remove(timer: Timer): void {
		this.#timers.delete(timer);
	}

	removeAll(owner: object): void {
		for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer);
	}

	find(id: number): Timer | undefined {
		return this.#timers.values().find((timer) => timer.id === id);
	}

	/** Time goes by, and nobody's turn comes. */
	pass(ms: number): void {
		this.now += ms;
	}

	async advance(ms: number): Promise<void> {
		if (!(ms >= 0)) throw failure("usage", { reason: `A clock moves on by a number of at least 0, not ${ms}` });
		// What the test has begun just now comes first.
		await this.#settled();
		const until = this.now + ms;
		for (let timer = this.#next(until); timer !== undefined; timer = this.#next(until)) {
			this.now = Math.max(this.now, timer.dueMs);
			if (timer.everyMs === undefined) this.#timers.delete(timer);
			else timer.dueMs += timer.everyMs;
			timer.run();
			await this.#settled();
		}
		this.now = Math.max(this.now, until);
		await this.#settled();
	}

	/** Lets what has begun go on until it asks the host for nothing more; an answer may take its time, and may never come. */
	async #settled(): Promise<void> {
		const giveUp = realNow() + answerMsMax;
		for (let quiet = 0; quiet < quietTurns; quiet += 1) {
			await new Promise((resolve) => later(resolve));
			if (this.asked > 0 && realNow() < giveUp) quiet = 0;
		}
	}

	/** Of two that are due at once the older one. */
	#next(untilMs: number): Timer | undefined {
		let first: Timer | undefined;
		for (const timer of this.#timers) {
			if (timer.dueMs <= untilMs && (first === undefined || timer.dueMs < first.dueMs)) first = timer;
		}
		return first;
	}
}

/** Messages and what they begin may take a turn each. */
const quietTurns = 4;
const answerMsMax = 100;

function timerFunctions(timers: Timers, owner: object) {
	const begin =
		(isRepeated: boolean) =>
		(callback: Callback, ms?: number, ...given: unknown[]) => {
			const afterMs = Math.max(1, Number(ms) || 0);
			// What the callback opens is whose this call is.
			const inContext = AsyncLocalStorage.snapshot();
			const run = () => inContext(runAlone, callback, given);
			const timer = timers.add(owner, afterMs, isRepeated ? afterMs : undefined, run);
			return timerObject(timers, timer, afterMs);
		};
	return {
		setTimeout: begin(false),
		setInterval: begin(true),
		clear(given: unknown) {
			const timer = given === undefined || given === null ? undefined : timers.find(Number(given));
			if (timer !== undefined) timers.remove(timer);
		},
	};
}

type Callback = (...given: unknown[]) => unknown;

/** What it throws is an uncaught error of the graph, as with any timer. */
function runAlone(callback: Callback, given: unknown[]): void {
	queueMicrotask(() => void callback(...given));
}

function timerObject(timers: Timers, timer: Timer, afterMs: number) {
	const object = {
		ref: () => object,
		unref: () => object,
		hasRef: () => true,
		refresh() {
			timer.dueMs = timers.now + afterMs;
			return object;
		},
		close() {
			timers.remove(timer);
			return object;
		},
		[Symbol.toPrimitive]: () => timer.id,
		[Symbol.dispose]: () => timers.remove(timer),
	};
	return object;
}

function dateOf(now: () => number): DateConstructor {
	return new Proxy(Date, {
		construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
		apply: (date) => new date(now()).toString(),
		get: (date, name) => (name === "now" ? now : Reflect.get(date, name)),
	});
}

function performanceOf(now: () => number): Performance {
	return new Proxy(performance, {
		get(real, name) {
			if (name === "now") return now;
			const value: unknown = Reflect.get(real, name);
			return typeof value === "function" ? value.bind(real) : value;
		},
	});
}

// Kept, since a test may replace them.
const later = setImmediate;
const realNow = performance.now.bind(performance);
