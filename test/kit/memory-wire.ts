import type { Ends } from "../../child/line.ts";
import type { StreamReader } from "../../runtime/stream-reader.ts";
import { inThisTurn, isTurnFull, nextTurn } from "../../runtime/turn.ts";
import type { ByteWire, WireListener } from "../../runtime/wire.ts";
import type { ByteSink } from "../../runtime/wire-stream.ts";

/** A wire between two sides in one process, as each of them has it. */
export interface MemoryWire {
	host: ByteWire;
	child: Ends;
	/** The child has ended: the host hears what it has sent, then the end. */
	close(): void;
}

/** Runs something as the side that it is for: what it opens is then that side's. */
export type RunAs = (task: () => void) => void;
type RunAsHost = <Given extends unknown[]>(task: (...given: Given) => void, ...given: Given) => void;

/**
 * Makes a wire that takes bytes as a socket would: they arrive later, never while they are written, two sides that talk
 * without pause leave the event loop to others in between, and a side that does not read holds the other one up.
 */
export function memoryWire(asHost: RunAsHost, asChild: RunAs): MemoryWire {
	const soon: RunAs = (task) => asHost(arrive, task);
	const toChild = new Pipe(soon, asChild);
	const toHost = new Pipe(soon, asHost);
	return {
		host: hostEnd(toChild, toHost),
		child: { reader: readerOf(toChild), sink: sinkOf(toHost) },
		close() {
			toChild.drop();
			toHost.end();
		},
	};
}

function hostEnd(toChild: Pipe, toHost: Pipe): ByteWire {
	return {
		open(listener) {
			toChild.onRoom = () => listener.drained();
			toHost.open(listener);
		},
		write: (bytes) => toChild.write(bytes.subarray(0, toChild.room)),
		pause: () => toHost.pause(),
		resume: () => toHost.resume(),
		end() {
			toHost.drop();
			toChild.end();
		},
	};
}

function readerOf(pipe: Pipe): StreamReader {
	return {
		get chunks() {
			return pipe.chunks;
		},
		get isWaiting() {
			return pipe.isEmpty;
		},
		open: (listener) => pipe.open(listener),
		pause: () => pipe.pause(),
		resume: () => pipe.resume(),
		end: () => pipe.drop(),
	};
}

/** Takes everything, as the sinks of Bun do, and says whether the other side has. */
function sinkOf(pipe: Pipe): ByteSink {
	let full: PromiseWithResolvers<void> | undefined;
	pipe.onRoom = () => {
		full?.resolve();
		full = undefined;
	};
	return {
		write: (bytes) => pipe.write(bytes),
		flush() {
			if (pipe.room > 0) return undefined;
			full ??= Promise.withResolvers();
			return full.promise;
		},
		end: () => pipe.end(),
	};
}

type Reader = Pick<WireListener, "data" | "closed">;

/** One direction. */
class Pipe {
	readonly #soon: RunAs;
	readonly #asReader: RunAs;
	readonly #waiting: Uint8Array[] = [];
	#bytes = 0;
	#chunks = 0;
	#reader: Reader | undefined;
	#isPaused = false;
	#isDue = false;
	#isEnded = false;
	#isDropped = false;
	/** Hears that there is room again, where there was none. */
	onRoom: () => void = () => {};

	constructor(soon: RunAs, asReader: RunAs) {
		this.#soon = soon;
		this.#asReader = asReader;
	}

	/** How many bytes it takes before its writer has to wait. */
	get room(): number {
		return Math.max(0, capacityBytes - this.#bytes);
	}

	/** How often its reader was given bytes. */
	get chunks(): number {
		return this.#chunks;
	}

	get isEmpty(): boolean {
		return this.#waiting.length === 0;
	}

	/** Takes all of them. @returns how many it has taken: none, where nobody reads any more */
	write(bytes: Uint8Array): number {
		if (this.#isEnded || this.#isDropped) return 0;
		// The writer may use its bytes again.
		this.#waiting.push(bytes.slice());
		this.#bytes += bytes.byteLength;
		this.#schedule();
		return bytes.byteLength;
	}

	/** The writer has said everything. */
	end(): void {
		this.#isEnded = true;
		this.#schedule();
	}

	/** The reader hears nothing more. */
	drop(): void {
		this.#isDropped = true;
		this.#reader = undefined;
		this.#waiting.length = 0;
		this.#bytes = 0;
	}

	open(reader: Reader): void {
		this.#reader = reader;
		this.#schedule();
	}

	pause(): void {
		this.#isPaused = true;
	}

	resume(): void {
		this.#isPaused = false;
		this.#schedule();
	}

	#schedule(): void {
		const isNews = this.#waiting.length > 0 || this.#isEnded;
		if (!isNews || this.#isDue || this.#isPaused || this.#reader === undefined) return;
		this.#isDue = true;
		this.#soon(() => this.#flow());
	}

	#flow(): void {
		this.#isDue = false;
		const wasFull = this.room === 0;
		this.#asReader(() => this.#read());
		if (wasFull && this.room > 0) this.onRoom();
	}

	/** Who reads may pause in the middle, or hear nothing more. */
	#read(): void {
		while (!this.#isPaused && this.#reader !== undefined) {
			const chunk = this.#waiting.shift();
			if (chunk === undefined) break;
			this.#bytes -= chunk.byteLength;
			this.#chunks += 1;
			this.#reader.data(chunk);
		}
		if (!this.#isEnded || this.#isPaused || this.#waiting.length > 0) return;
		const told = this.#reader;
		this.#reader = undefined;
		told?.closed();
	}
}

/** About what a socket takes. */
const capacityBytes = 256 * 1024;

function arrive(task: () => void): void {
	if (isTurnFull()) void nextTurn().then(task);
	else inThisTurn(task);
}
