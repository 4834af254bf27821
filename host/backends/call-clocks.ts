import { type Deadline, startDeadline } from "./deadline.ts";

/** The time limits of calls under way; they stand still while a dialog of theirs is on screen. */
export interface CallClocks {
	/** Starts the clock of one call; without a limit it only passes the caller's signal on. */
	start(ms: number | undefined, reason: () => Error, outer: AbortSignal | undefined): CallClock;
	/**
	 * A dialog was opened in the call with this id; one opened outside of any call stops every clock, since nobody
	 * can tell which handler waits for it. The function it returns closes the dialog.
	 */
	dialog(call: number | undefined): () => void;
	/** The ids of the calls that were sent and have not ended. */
	underWay(): number[];
}

/** The clock of one call, and the options that it is sent with. */
export interface CallClock {
	readonly signal: AbortSignal | undefined;
	/** Tells the id that the call has on the wire. */
	sent(id: number): void;
	/** @returns the milliseconds that were counted of its limit */
	clear(): number;
}

/** Makes the clocks of one plugin. */
export function createCallClocks(): CallClocks {
	/** By the id of the call; one without a limit has no deadline. */
	const running = new Map<number, Deadline | undefined>();

	return {
		start(ms, reason, outer) {
			const deadline = ms === undefined ? undefined : startDeadline(ms, reason, outer);
			return new RunningClock(running, deadline, outer);
		},
		dialog(call) {
			const stopped = call === undefined ? [...running.values()] : [running.get(call)];
			for (const deadline of stopped) deadline?.pause();
			return () => {
				for (const deadline of stopped) deadline?.resume();
			};
		},
		underWay: () => [...running.keys()],
	};
}

class RunningClock implements CallClock {
	readonly signal: AbortSignal | undefined;
	readonly #running: Map<number, Deadline | undefined>;
	readonly #deadline: Deadline | undefined;
	#id: number | undefined;

	constructor(
		running: Map<number, Deadline | undefined>,
		deadline: Deadline | undefined,
		outer: AbortSignal | undefined,
	) {
		this.signal = deadline === undefined ? outer : deadline.signal;
		this.#running = running;
		this.#deadline = deadline;
	}

	sent(id: number): void {
		this.#id = id;
		this.#running.set(id, this.#deadline);
	}

	clear(): number {
		if (this.#id !== undefined) this.#running.delete(this.#id);
		return this.#deadline?.clear() ?? 0;
	}
}
