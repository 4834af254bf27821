import type { ByteWire, WireListener } from "./wire.ts";

/** A wire that can tell when it may be left for another one to the same side. */
export interface LeavableWire extends ByteWire {
	/** Ends, unless something is on its way through this side of it. @returns whether it has */
	leave(): boolean;
}

/** How much must come to be busy. */
export interface Busyness {
	chunks: number;
	/** Milliseconds in which they come. */
	ms: number;
	/** A clock in milliseconds. */
	now?: () => number;
}

/**
 * A wire that is `quiet` until enough comes to be busy; from then on, as soon as nothing would be lost or change places, it
 * is the one that `busy` makes.
 */
export function switchingWire(quiet: LeavableWire, busy: () => ByteWire, busyness = someCalls): ByteWire {
	return new SwitchingWire(quiet, busy, busyness);
}

/** Somebody makes one call after the other. Who hears less is idle most of the time. */
const someCalls: Busyness = { chunks: 32, ms: 1_000 };

class SwitchingWire implements ByteWire {
	readonly #quiet: LeavableWire;
	readonly #busy: () => ByteWire;
	#wire: ByteWire;
	readonly #busyness: Busyness;
	readonly #now: () => number;
	#chunks = 0;
	/** When the first of them came. */
	#since = Number.NEGATIVE_INFINITY;
	#isTrying = false;
	#listener: WireListener | undefined;

	constructor(quiet: LeavableWire, busy: () => ByteWire, busyness: Busyness) {
		this.#quiet = quiet;
		this.#busy = busy;
		this.#wire = quiet;
		this.#busyness = busyness;
		this.#now = busyness.now ?? (() => performance.now());
	}

	open(listener: WireListener): void {
		this.#listener = listener;
		if (this.#wire !== this.#quiet) return this.#wire.open(listener);
		this.#wire.open({
			data: (bytes) => {
				this.#count();
				this.#listener?.data(bytes);
			},
			drained: () => this.#listener?.drained(),
			closed: (error) => this.#listener?.closed(error),
		});
	}

	write(bytes: Uint8Array): number {
		return this.#wire.write(bytes);
	}

	pause(): void {
		this.#wire.pause();
	}

	resume(): void {
		this.#wire.resume();
	}

	end(): void {
		this.#listener = undefined;
		this.#wire.end();
	}

	#count(): void {
		const now = this.#now();
		if (now - this.#since > this.#busyness.ms) {
			this.#since = now;
			this.#chunks = 0;
		}
		this.#chunks += 1;
		if (this.#chunks < this.#busyness.chunks || this.#isTrying) return;
		this.#isTrying = true;
		// Then what has come with this chunk has been given too.
		soon(() => this.#switch());
	}

	/** Where it is not the moment, the next chunk brings another one. */
	#switch(): void {
		this.#isTrying = false;
		if (this.#listener === undefined || this.#wire !== this.#quiet || !this.#quiet.leave()) return;
		this.#wire = this.#busy();
		this.#wire.open(this.#listener);
	}
}

// Kept, since a plugin may replace the global functions.
const soon = setImmediate;
