import { messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { systemClock } from "../base/clock.ts";
import type { Gate } from "../base/gate.ts";
import { hasEnded } from "../base/process-state.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { Launch } from "../contracts/services.ts";
import type { Ahead } from "./ahead.ts";
import { connectEarly, type EarlyConnection } from "./connection.ts";
import { fitsSpare, type LaunchSurroundings, planSpare } from "./launch.ts";
import { type Spare, startSpare } from "./spare.ts";
import type { Watchdog } from "./watchdog.ts";

/** Processes that are started before there is a plugin for them; each serves one plugin in its life. */
export interface Spares {
	/** Begins to start them, one at a time and only while no plugin starts; what is taken or ends is replaced likewise. */
	open(): void;
	/** Takes over one that was started before this host was, for the plugin that starts next. */
	adopt(ahead: Ahead): void;
	/** One that was started just as this launch starts one, or undefined; the caller's from then on. */
	take(launch: Launch): TakenSpare | undefined;
	/** Ends those that wait; resolves when they have ended. */
	close(): Promise<void>;
	/** Kills those that wait, without waiting for it. */
	kill(): void;
}

export interface TakenSpare {
	spare: Spare;
	/** The wire to it, open since it said hello; absent where there was no time for that. */
	early?: EarlyConnection;
}

export interface SparesOptions {
	/** How many are to wait, and what settles how each is started. */
	options: Pick<HostOptions, "warm" | "launch" | "env" | "install">;
	surroundings: LaunchSurroundings;
	/** The starts of plugins, which come first. */
	gate: Gate;
	limits: Limits;
	watchdog: Watchdog;
	/** Hears how many wait, after that has changed. */
	changed(waiting: number): void;
}

/**
 * Makes the spares of a host; none is started before they are opened. Where they end again and again, `process.emitWarning`
 * tells it once, since no plugin has to do with it, and plugins are started without.
 */
export function createSpares(options: SparesOptions): Spares {
	return new SparePool(options);
}

class SparePool implements Spares {
	readonly #parts: SparesOptions;
	readonly #count: number;
	readonly #waiting: Required<TakenSpare>[] = [];
	/** The one that has not said hello yet. */
	#starting: Spare | undefined;
	/** The one for the plugin that starts next. */
	#ahead: Spare | undefined;
	/** The same once it was of no use: whoever closes the pool waits for its end. */
	#unfit: Spare | undefined;
	#isFilling = false;
	#isOver = true;
	/** How many in a row have ended before they could be of use. */
	#failures = 0;

	constructor(parts: SparesOptions) {
		this.#parts = parts;
		this.#count = parts.options.warm ?? 0;
	}

	open(): void {
		if (this.#count === 0) return;
		this.#isOver = false;
		void this.#fill();
	}

	adopt(ahead: Ahead): void {
		this.#ahead = ahead.adopt(this.#parts.watchdog);
	}

	take(launch: Launch): TakenSpare | undefined {
		return this.#takeAhead(launch) ?? this.#takeWaiting(launch);
	}

	#takeAhead(launch: Launch): TakenSpare | undefined {
		const ahead = this.#ahead;
		if (ahead === undefined) return undefined;
		this.#ahead = undefined;
		// Whoever started it did not know the limits of this host.
		const isFit = fitsSpare(ahead.launch, launch) && ahead.keeps(this.#parts.limits);
		if (isFit && !hasEnded(ahead.child.pid)) return { spare: ahead };
		this.#unfit = ahead;
		ahead.child.kill("SIGKILL");
		return undefined;
	}

	#takeWaiting(launch: Launch): TakenSpare | undefined {
		const before = this.#waiting.length;
		if (before === 0) return undefined;
		// One that was killed while this program was busy is still to be heard of.
		const isFit = ({ spare }: TakenSpare) => fitsSpare(spare.launch, launch) && !hasEnded(spare.child.pid);
		const index = this.#waiting.findIndex(isFit);
		const taken = this.#waiting[index];
		if (taken !== undefined) {
			this.#remove(taken);
			this.#failures = 0;
		}
		// Those before it have waited for longer, and still do not fit.
		if (index !== 0) this.#dropStale();
		if (this.#waiting.length !== before) this.#changed();
		return taken;
	}

	async close(): Promise<void> {
		const spares = this.#all();
		for (const { child } of spares) child.hold();
		this.kill();
		await Promise.all(spares.map(({ child }) => child.exited));
	}

	kill(): void {
		this.#isOver = true;
		for (const { child } of this.#all()) child.kill("SIGKILL");
		this.#waiting.length = 0;
		this.#starting = undefined;
		this.#ahead = undefined;
	}

	#all(): Spare[] {
		return [...this.#waiting.map(({ spare }) => spare), this.#starting, this.#ahead, this.#unfit].filter(
			(spare) => spare !== undefined,
		);
	}

	/** The environment of this program or the bundle of the child may have changed since they were started. */
	#dropStale(): void {
		const { options, surroundings } = this.#parts;
		// They could be planned before, and what that depends on stays.
		const plan = planSpare(options, surroundings);
		for (const waiting of [...this.#waiting]) {
			if (plan !== undefined && fitsSpare(waiting.spare.launch, plan)) continue;
			this.#remove(waiting);
			waiting.spare.child.kill("SIGKILL");
		}
	}

	#changed(): void {
		this.#parts.changed(this.#waiting.length);
		void this.#fill();
	}

	async #fill(): Promise<void> {
		if (this.#isFilling) return;
		this.#isFilling = true;
		const { delaysMs } = this.#parts.limits.restart;
		while (!this.#isOver && this.#waiting.length < this.#count) {
			if (this.#failures > 0) await pause(delaysMs[Math.min(this.#failures, delaysMs.length) - 1] ?? 0);
			await this.#quiet();
			if (this.#isOver) break;
			await this.#startOne();
		}
		this.#isFilling = false;
	}

	/** Waits for a moment in which no plugin starts, and has not just been started. */
	async #quiet(): Promise<void> {
		const { gate, surroundings } = this.#parts;
		// What is about to start in another way would not fit.
		await surroundings.settled?.();
		do {
			await gate.idle();
			await pause(quietMs);
		} while (!gate.isIdle());
	}

	async #startOne(): Promise<void> {
		const { limits, watchdog, options, surroundings } = this.#parts;
		try {
			const launch = planSpare(options, surroundings);
			if (launch === undefined) {
				this.#isOver = true;
				return;
			}
			// Where nothing runs, it does not either.
			watchdog.start();
			const spare = startSpare(launch, { limits, watchdog });
			this.#starting = spare;
			const cancel = systemClock.after(limits.load.readyMs, () => spare.child.kill("SIGKILL"));
			const isThere = await spare.greeted;
			cancel();
			if (this.#starting !== spare) return;
			this.#starting = undefined;
			if (isThere) this.#add(spare);
			else this.#failed(await endOf(spare));
		} catch (error) {
			this.#failed(messageOf(error));
		}
	}

	#add(spare: Spare): void {
		const began = performance.now();
		// Now, so that a plugin need not wait for it.
		const waiting = { spare, early: connectEarly(spare, this.#parts.limits) };
		this.#waiting.push(waiting);
		void Promise.race([spare.gone, waiting.early.peer.closed]).then(async () => {
			if (!this.#remove(waiting)) return;
			// One that waited for long and then ended tells nothing of the next one.
			if (performance.now() - began > steadyMs) this.#failures = 0;
			this.#failed(await endOf(spare));
			this.#changed();
		});
		this.#parts.changed(this.#waiting.length);
	}

	#remove(waiting: Required<TakenSpare>): boolean {
		const index = this.#waiting.indexOf(waiting);
		if (index >= 0) this.#waiting.splice(index, 1);
		return index >= 0;
	}

	#failed(reason: string): void {
		this.#failures += 1;
		if (this.#isOver || this.#failures <= this.#parts.limits.restart.retriesMax) return;
		this.#isOver = true;
		const message = `There are no warm spares any more, ${this.#failures} in a row ended before they could be used: ${reason}`;
		process.emitWarning(message, "BroodWarning");
	}
}

/** Does not keep this program from ending. */
function pause(ms: number): Promise<void> {
	return new Promise((resolve) => systemClock.after(ms, resolve));
}

async function endOf(spare: Spare): Promise<string> {
	spare.child.kill("SIGKILL");
	return spare.explainEnd();
}

/** A start that follows another one at once must not meet a spare that starts. */
const quietMs = 10;
/** After so long a spare did not end because of what it is. */
const steadyMs = 10_000;
