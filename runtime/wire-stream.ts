import { failure } from "./errors.ts";
import type { ByteWire, WireListener } from "./wire.ts";

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
 */
export function streamWire(readable: ReadableStream<Uint8Array>, sink: ByteSink): ByteWire {
	return new StreamWire(readable, sink);
}

/** What is used of a stream's reader; the global types of Bun and of the web library disagree about the rest. */
interface ByteReader {
	read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
	cancel(): Promise<void>;
}

class StreamWire implements ByteWire {
	readonly #reader: ByteReader;
	readonly #sink: ByteSink;
	#listener: WireListener | undefined;
	#isEnded = false;
	#chunksRead = 0;
	// Settles at the resume; absent while reading.
	#paused: PromiseWithResolvers<void> | undefined;
	// So many bytes of the next write has the sink already; it keeps them until the other side takes them.
	#given = 0;
	#isFlushing = false;

	constructor(readable: ReadableStream<Uint8Array>, sink: ByteSink) {
		this.#reader = readable.getReader() as ByteReader;
		this.#sink = sink;
	}

	open(listener: WireListener): void {
		const isFirst = this.#listener === undefined;
		this.#listener = listener;
		if (isFirst) void this.#read();
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
		this.#paused ??= Promise.withResolvers();
	}

	resume(): void {
		this.#paused?.resolve();
		this.#paused = undefined;
	}

	end(): void {
		this.#isEnded = true;
		this.#listener = undefined;
		this.resume();
		settle(() => this.#reader.cancel());
		settle(() => this.#sink.end());
	}

	async #read(): Promise<void> {
		try {
			while (!this.#isEnded) {
				const { done, value } = await this.#reader.read();
				if (done || value === undefined) break;
				this.#chunksRead += 1;
				this.#listener?.data(value);
				if (this.#paused !== undefined) await this.#paused.promise;
			}
			this.#close();
		} catch (error) {
			this.#close(error);
		}
	}

	/** @returns whether the other side has taken everything */
	#give(bytes: Uint8Array): boolean {
		const written = attempt(() => this.#sink.write(bytes));
		const flushed = attempt(() => this.#sink.flush());
		if (!(written instanceof Promise || flushed instanceof Promise)) return true;
		const taken = Promise.all([written, flushed]);
		if (this.#isFlushing) {
			taken.catch(() => {});
			return false;
		}
		this.#isFlushing = true;
		taken.then(
			() => {
				this.#isFlushing = false;
				this.#listener?.drained();
			},
			(error: unknown) => this.#lastWords(error),
		);
		return false;
	}

	/** Lets what the other side has said be read to its end, as long as it comes, before a write error is told. */
	async #lastWords(cause: unknown): Promise<void> {
		let quiet = 0;
		for (let wait = 0; wait < lastWaitsMax && !this.#isEnded && quiet < quietWaits; wait += 1) {
			const before = this.#chunksRead;
			await new Promise((resolve) => setTimeout(resolve, lastWaitMs));
			quiet = this.#chunksRead === before && this.#paused === undefined ? quiet + 1 : 0;
		}
		// The end of its stream, which comes with its exit, would have told more than EPIPE does.
		this.#close(failure("channel_closed", { reason: "the other side no longer reads", cause }));
	}

	#close(error?: unknown): void {
		const listener = this.#listener;
		this.#isEnded = true;
		this.#listener = undefined;
		listener?.closed(error);
	}
}

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
