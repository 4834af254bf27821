import { readStream, type StreamReader } from "./stream-reader.ts";
import type { WireListener } from "./wire.ts";
import type { LeavableWire } from "./wire-switch.ts";

/** Where a stream wire writes to: the sinks of Bun fit. */
export interface ByteSink {
	write(bytes: Uint8Array): unknown;
	/** A promise while the other side has not taken the bytes. */
	flush(): unknown;
	end(): unknown;
}

/**
 * A wire over a stream and a sink, for a side that speaks on its stdin and stdout. When bytes are given again before it
 * was drained, as at an exit, it may write blank lines behind them.
 *
 * @param readable may have been read before
 * @param flushing what the sink has been given before and the other side has not taken
 */
export function streamWire(
	readable: ReadableStream<Uint8Array> | StreamReader,
	sink: ByteSink,
	flushing?: Promise<unknown>,
): LeavableWire {
	return new StreamWire("getReader" in readable ? readStream(readable) : readable, sink, flushing);
}

class StreamWire implements LeavableWire {
	readonly #reader: StreamReader;
	readonly #sink: ByteSink;
	#listener: WireListener | undefined;
	#isEnded = false;
	// So many bytes of the next write has the sink already; it keeps them until the other side takes them.
	#given = 0;
	#isFlushing = false;
	#isPaused = false;

	constructor(reader: StreamReader, sink: ByteSink, flushing: Promise<unknown> | undefined) {
		this.#reader = reader;
		this.#sink = sink;
		if (flushing !== undefined) this.#await(flushing);
	}

	open(listener: WireListener): void {
		this.#listener = listener;
		this.#reader.open({
			data: (bytes) => this.#listener?.data(bytes),
			closed: (error) => this.#close(error),
		});
	}

	write(bytes: Uint8Array): number {
		if (this.#isEnded) return 0;
		const handedOver = this.#isFlushing ? 0 : this.#given;
		if (handedOver === bytes.byteLength) {
			this.#given = 0;
			return handedOver;
		}
		// Only a write makes a sink try again what it could not hand over.
		const fresh = bytes.byteLength > this.#given ? bytes.subarray(this.#given) : blankLine;
		if (!this.#give(fresh)) {
			this.#given = bytes.byteLength - handedOver;
			return handedOver;
		}
		this.#given = 0;
		return bytes.byteLength;
	}

	pause(): void {
		this.#isPaused = true;
		this.#reader.pause();
	}

	resume(): void {
		this.#isPaused = false;
		this.#reader.resume();
	}

	leave(): boolean {
		if (this.#isEnded || this.#isFlushing || this.#isPaused || this.#given > 0) return false;
		if (!this.#reader.isWaiting) return false;
		this.end();
		return true;
	}

	end(): void {
		this.#isEnded = true;
		this.#listener = undefined;
		settle(() => this.#reader.end());
		settle(() => this.#sink.end());
	}

	/** @returns whether the other side has taken everything */
	#give(bytes: Uint8Array): boolean {
		const written = attempt(() => this.#sink.write(bytes));
		const flushed = attempt(() => this.#sink.flush());
		if (!(written instanceof Promise || flushed instanceof Promise)) return true;
		const taken = Promise.all([written, flushed]);
		if (this.#isFlushing) taken.catch(() => {});
		else this.#await(taken);
		return false;
	}

	#await(taken: Promise<unknown>): void {
		this.#isFlushing = true;
		taken.then(
			() => {
				this.#isFlushing = false;
				this.#listener?.drained();
			},
			(error: unknown) => this.#lastWords(error),
		);
	}

	/** Lets what the other side has said be read to its end, as long as it comes, before a write error is told. */
	async #lastWords(cause: unknown): Promise<void> {
		let quiet = 0;
		for (let wait = 0; wait < lastWaitsMax && !this.#isEnded && quiet < quietWaits; wait += 1) {
			const before = this.#reader.chunks;
			await new Promise((resolve) => setTimeout(resolve, lastWaitMs));
			quiet = this.#reader.chunks === before && !this.#isPaused ? quiet + 1 : 0;
		}
		// The end of its stream, which comes with its exit, would have told more than EPIPE does.
		this.#close(Object.assign(new Error("the other side no longer reads", { cause }), { name: unreadError }));
	}

	#close(error?: unknown): void {
		const listener = this.#listener;
		this.#isEnded = true;
		this.#listener = undefined;
		listener?.closed(error);
	}
}

/** The name of the error of a wire whose other side does not read any more. */
export const unreadError = "UnreadError";

/** The end of a stream comes with the exit, this long after a write has failed at most. */
const lastWaitMs = 10;
/** After the loop stood still a timer is due before anything is read; the next one is not. */
const quietWaits = 2;
/** One that says more and more and reads nothing is not heard out for ever. */
const lastWaitsMax = 100;

const blankLine = new Uint8Array([0x0a]);

/** What the sink answers; what it throws as a promise, since some sinks throw and some reject. */
function attempt(action: () => unknown): unknown {
	try {
		return action();
	} catch (error) {
		return Promise.reject(error);
	}
}

function settle(action: () => unknown): void {
	Promise.resolve(attempt(action)).catch(() => {});
}
