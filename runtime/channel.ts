import { joinBytes } from "./codec/bytes.ts";
import type { Codec, Decoded, Decoder } from "./codec/codec.ts";
import { holdsMoreValues } from "./codec/values.ts";
import { type BroodError, failure, messageOf } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { isTurnFull, nextTurn } from "./turn.ts";

/** Messages in both directions between two sides that need not share a process. */
export interface Channel {
	/**
	 * Queues a message; messages leave in this order. An urgent one is small and passes the queue limit:
	 * an error or a cancellation that must not be lost because the queue is full. One largest message past that limit,
	 * or with too many of them, the channel closes.
	 * @throws BroodError `channel_closed`, `busy` past the write queue limit, `not_serializable`, `message_too_large`
	 */
	send(message: unknown, urgent?: boolean): void;
	/** Resolves when all that was sent has left this side, or at the close. */
	flush(): Promise<void>;
	/** Ends both directions; what is queued is given up. */
	close(reason: BroodError): void;
}

/** A channel of a process that may end at any moment. */
export interface ByteChannel extends Channel {
	/** Gives what is queued to the sink in this very moment instead of the next microtask. */
	handOver(): void;
}

/** What a channel tells its one listener. */
export interface ChannelListener {
	message(value: unknown, bytes: number): void;
	/** A message was queued to be sent. */
	sent(message: unknown, bytes: number): void;
	/** Something that is no message stood on the stream. */
	noise(excerpt: string, reason: string): void;
	/** Called once; nothing comes after it. */
	closed(reason: BroodError): void;
}

/** Where a byte channel writes to: the sinks of Bun fit. */
export interface ByteSink {
	write(bytes: Uint8Array): unknown;
	/** A promise while the other side has not taken the bytes. */
	flush(): unknown;
	end(): unknown;
}

export interface ByteChannelOptions {
	readable: ReadableStream<Uint8Array>;
	sink: ByteSink;
	codec: Codec;
	limits: Limits["wire"];
	listener: ChannelListener;
}

/** A channel over a byte stream and a sink; knows no process. Starts reading in the next microtask. */
export function openByteChannel(options: ByteChannelOptions): ByteChannel {
	const channel = new SinkChannel(options);
	queueMicrotask(() => void channel.read());
	return channel;
}

/** What is used of a stream's reader; the global types of Bun and of the web library disagree about the rest. */
interface ByteReader {
	read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
	cancel(): Promise<void>;
}

// Not Buffer, whose first touch costs a child more than all its messages at the start.
const utf8 = new TextEncoder();

class SinkChannel implements ByteChannel {
	readonly #options: ByteChannelOptions;
	readonly #reader: ByteReader;
	#closed: BroodError | undefined;
	#queued: Uint8Array[] = [];
	#queuedBytes = 0;
	#queuedUrgent = 0;
	#slicesTaken = 0;
	/** So many bytes are decoded before anything else may run. */
	#sliceBytes = sliceBytesMin;
	// Bytes that the sink has accepted and not yet handed over.
	#sinkBytes = 0;
	// Settles when nothing waits any more; absent while nothing does.
	#drained: PromiseWithResolvers<void> | undefined;

	constructor(options: ByteChannelOptions) {
		this.#options = options;
		this.#reader = options.readable.getReader() as ByteReader;
	}

	send(message: unknown, urgent = false): void {
		if (this.#closed !== undefined) throw this.#closed;
		const { codec, limits, listener } = this.#options;
		const text = encode(codec, message);
		const line = utf8.encode(text);
		const bytes = line.byteLength;
		if (bytes > limits.lineBytesMax) {
			throw failure("message_too_large", { reason: `${bytes} bytes of ${limits.lineBytesMax} allowed` });
		}
		this.#refuseIfFull(bytes, urgent);
		if (holdsMoreValues(text, limits.valuesMax))
			throw failure("message_too_large", { reason: `it holds more than the ${limits.valuesMax} values allowed` });
		this.#queued.push(line);
		this.#queuedBytes += bytes;
		if (urgent) this.#queuedUrgent += 1;
		listener.sent(message, bytes);
		if (this.#drained === undefined) void this.#drain();
	}

	async flush(): Promise<void> {
		while (this.#drained !== undefined && this.#closed === undefined) await this.#drained.promise;
	}

	close(reason: BroodError): void {
		if (this.#closed !== undefined) return;
		this.#closed = reason;
		this.#queued = [];
		this.#queuedBytes = 0;
		// A sink whose other side does not read may never settle its flush.
		this.#drained?.resolve();
		settle(() => this.#reader.cancel());
		settle(() => this.#options.sink.end());
		this.#options.listener.closed(reason);
	}

	async read(): Promise<void> {
		const decoder = this.#options.codec.decoder(this.#options.limits);
		try {
			for (;;) {
				const { done, value } = await this.#reader.read();
				if (done || value === undefined) break;
				await this.#take(decoder, value);
			}
			for (const item of decoder.end()) this.#deliver(item);
			this.close(failure("channel_closed", { reason: "the other side ended" }));
		} catch (error) {
			this.close(failure("channel_closed", { reason: "reading failed", cause: error }));
		}
	}

	/** What is urgent must not be lost; but a side that asks without end and reads no answer must not fill the memory. */
	#refuseIfFull(bytes: number, urgent: boolean): void {
		const { writeQueueBytesMax, lineBytesMax, urgentMessagesMax } = this.#options.limits;
		const waiting = this.#queuedBytes + this.#sinkBytes;
		const allowed = writeQueueBytesMax + (urgent ? lineBytesMax : 0);
		const isFull = urgent && this.#queuedUrgent >= urgentMessagesMax;
		if (!isFull && (waiting === 0 || waiting + bytes <= allowed)) return;
		const reason = `${waiting} bytes wait to be read`;
		if (urgent) this.close(failure("busy", { subject: "A message", reason }));
		throw this.#closed ?? failure("busy", { subject: "A message", reason });
	}

	/** A chunk may hold work for many turns of the event loop; what waits beside it gets its turn in between. */
	async #take(decoder: Decoder, chunk: Uint8Array): Promise<void> {
		for (let begin = 0; begin < chunk.byteLength && this.#closed === undefined; ) {
			const end = this.#options.codec.cut(chunk, begin + this.#sliceBytes);
			const decoded = this.#decode(decoder, chunk.subarray(begin, end));
			const isAll = decoded.length < 2 && end === chunk.byteLength;
			for (const item of decoded) {
				this.#deliver(item);
				if (!isAll && isTurnFull()) await nextTurn();
			}
			// What was just delivered runs now, and counts for this turn; lines that are nothing count as well.
			if (!isAll) await Promise.resolve();
			if (!isAll && isTurnFull()) await nextTurn();
			begin = end;
			this.#slicesTaken += 1;
		}
	}

	/** Slices grow while they cost little, and shrink when they do not: lines of one byte cost as much as long ones. */
	#decode(decoder: Decoder, slice: Uint8Array): Decoded[] {
		const began = performance.now();
		const decoded = decoder.push(slice);
		const factor = performance.now() - began > sliceMsMax ? 0.5 : 2;
		this.#sliceBytes = Math.min(sliceBytesMax, Math.max(sliceBytesMin, this.#sliceBytes * factor));
		return decoded;
	}

	/** Lets what the other side has said be read to its end, as long as it comes, before a write error is told. */
	async #lastWords(): Promise<void> {
		let quiet = 0;
		for (let wait = 0; wait < lastWaitsMax && this.#closed === undefined && quiet < quietWaits; wait += 1) {
			const before = this.#slicesTaken;
			await new Promise((resolve) => setTimeout(resolve, lastWaitMs));
			quiet = this.#slicesTaken === before ? quiet + 1 : 0;
		}
	}

	async #drain(): Promise<void> {
		const drained = Promise.withResolvers<void>();
		this.#drained = drained;
		// One microtask collects what is sent in the same turn into one write.
		await Promise.resolve();
		while (this.#queued.length > 0 && this.#closed === undefined) {
			this.#sinkBytes = this.#queuedBytes;
			const bytes = this.#takeQueued();
			try {
				const { sink } = this.#options;
				await Promise.all([sink.write(bytes), Promise.try(() => sink.flush())]);
			} catch (error) {
				// The other side is gone; the end of its stream, which comes with its exit, tells more than EPIPE does.
				await this.#lastWords();
				this.close(failure("channel_closed", { reason: "the other side no longer reads", cause: error }));
			}
			this.#sinkBytes = 0;
		}
		this.#drained = undefined;
		drained.resolve();
	}

	handOver(): void {
		if (this.#queued.length > 0) settle(() => this.#options.sink.write(this.#takeQueued()));
	}

	#takeQueued(): Uint8Array {
		const bytes = joinBytes(this.#queued, this.#queuedBytes);
		this.#queued = [];
		this.#queuedBytes = 0;
		this.#queuedUrgent = 0;
		return bytes;
	}

	#deliver(item: Decoded): void {
		const { limits, listener } = this.#options;
		if (this.#closed !== undefined) return;
		if (item.kind === "message") listener.message(item.value, item.bytes);
		else if (item.kind === "noise") listener.noise(item.excerpt, item.reason);
		else this.close(failure("message_too_large", { reason: `over ${tooMuch(item, limits)} in one line` }));
	}
}

function tooMuch({ values }: { values?: true }, { valuesMax, lineBytesMax }: Limits["wire"]): string {
	return values ? `${valuesMax} values` : `${lineBytesMax} bytes`;
}

// So few bytes that even lines of one byte, each of them noise, take part of a millisecond.
const sliceBytesMin = 512;
const sliceBytesMax = 64 * 1024;
/** The end of a stream comes with the exit, this long after a write has failed at most. */
const lastWaitMs = 10;
/** After the loop stood still a timer is due before anything is read; the next one is not. */
const quietWaits = 2;
/** One that says more and more and reads nothing is not heard out for ever. */
const lastWaitsMax = 100;
/** A slice that takes longer to decode is too long. */
const sliceMsMax = 0.05;

/**
 * Gives a value back that JSON has a form for; JSON.stringify leaves a member of another type out without a word.
 * @throws BroodError `not_serializable`
 */
export function carried(value: unknown): unknown {
	if (typeof value !== "function" && typeof value !== "symbol") return value;
	throw failure("not_serializable", { subject: "A value", reason: `it is a ${typeof value}` });
}

/** JSON for the wire, or the reason why a value has none. */
function encode(codec: Codec, message: unknown): string {
	try {
		return codec.encode(message);
	} catch (error) {
		const reason = messageOf(error);
		if (error instanceof RangeError) throw failure("message_too_large", { reason, cause: error });
		throw failure("not_serializable", { subject: "A value", reason, cause: error });
	}
}

function settle(action: () => unknown): void {
	try {
		Promise.resolve(action()).catch(() => {});
	} catch {
		// A sink whose other side is gone may throw at its end; there is nothing left to lose.
	}
}
