import type { Codec, Decoded, Decoder } from "./codec/codec.ts";
import { encode, holdsMore } from "./codec/encode.ts";
import { type BroodError, failure, isBroodError } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { inThisTurn, isTurnFull, nextTurn } from "./turn.ts";
import type { ByteWire } from "./wire.ts";
import { unreadError } from "./wire-stream.ts";
import { WriteQueue } from "./write-queue.ts";

/** Messages in both directions between two sides that need not share a process. */
export interface Channel {
	/**
	 * Queues a message; messages leave in this order, but calls and answers may pass a large message. An urgent one is small and passes the queue limit:
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
	/**
	 * Gives what is queued to the wire in this very moment instead of the next microtask; may be called until it has.
	 * @returns whether everything has left
	 */
	handOver(): boolean;
	/** Writes in this codec from now on: the other side has said that it reads it. */
	speak(codec: Codec): void;
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

export interface ByteChannelOptions {
	wire: ByteWire;
	/** Reads, and writes until another one is agreed. */
	codec: Codec;
	limits: Limits["wire"];
	listener: ChannelListener;
	/** What somebody who had the wire before has read and not understood; decoded first. */
	received?: Uint8Array[] | undefined;
	/** What somebody who had the wire before could not write yet; leaves first. */
	unsent?: Uint8Array[] | undefined;
}

/** A channel over a wire; knows no process. Starts reading in the next microtask. */
export function openByteChannel(options: ByteChannelOptions): ByteChannel {
	const channel = new WireChannel(options);
	inThisTurn(() => channel.begin());
	return channel;
}

// Not Buffer, whose first touch costs a child more than all its messages at the start.
const utf8 = new TextEncoder();

class WireChannel implements ByteChannel {
	readonly #options: ByteChannelOptions;
	readonly #decoder: Decoder;
	#codec: Codec;
	#closed: BroodError | undefined;
	// What came while other things had their turn; absent while everything is decoded as it comes.
	#waiting: Uint8Array[] | undefined;
	#isPaused = false;
	// The wire has ended, and what it gave is still read.
	#ended: { error: unknown } | undefined;
	/** So many bytes are decoded before anything else may run. */
	#sliceBytes = sliceBytesMin;
	readonly #queue = new WriteQueue();
	// From the first message that is queued until nothing waits any more.
	#isWriting = false;
	#flushed: PromiseWithResolvers<void> | undefined;

	constructor(options: ByteChannelOptions) {
		this.#options = options;
		this.#codec = options.codec;
		this.#decoder = options.codec.decoder(options.limits);
		for (const bytes of options.unsent ?? []) this.#queue.push(bytes);
		if (this.#queue.bytes > 0) this.#writeSoon();
	}

	send(message: unknown, urgent = false): void {
		if (this.#closed !== undefined) throw this.#closed;
		const { limits, listener } = this.#options;
		const encoded = encode(this.#codec, message);
		const isLine = typeof encoded === "string";
		const line = utf8.encode(isLine ? encoded : encoded.line);
		const bytes = line.byteLength + (isLine ? 0 : encoded.partBytes);
		if (bytes > limits.lineBytesMax) {
			throw failure("message_too_large", { reason: `${bytes} bytes of ${limits.lineBytesMax} allowed` });
		}
		this.#refuseIfFull(bytes, urgent);
		if (holdsMore(encoded, limits.valuesMax))
			throw failure("message_too_large", { reason: `it holds more than the ${limits.valuesMax} values allowed` });
		if (isLine) this.#queue.push(line, urgent, !hasId(message));
		else this.#queue.pushParted(line, encoded);
		this.#writeSoon();
		listener.sent(message, bytes);
	}

	speak(codec: Codec): void {
		this.#codec = codec;
	}

	async flush(): Promise<void> {
		while (this.#isWriting && this.#closed === undefined) {
			this.#flushed ??= Promise.withResolvers();
			await this.#flushed.promise;
		}
	}

	close(reason: BroodError): void {
		if (this.#closed !== undefined) return;
		this.#closed = reason;
		this.#queue.clear();
		this.#flushed?.resolve();
		this.#options.wire.end();
		this.#options.listener.closed(reason);
	}

	handOver(): boolean {
		return this.#queue.bytes === 0 || this.#give(this.#queue.all());
	}

	begin(): void {
		for (const bytes of this.#options.received ?? []) this.#take(bytes);
		if (this.#closed !== undefined) return;
		this.#options.wire.open({
			data: (bytes) => this.#take(bytes),
			drained: () => this.#write(),
			closed: (error) => {
				this.#ended = { error };
				if (this.#waiting === undefined) this.#end(error);
			},
		});
	}

	/** What is urgent must not be lost; but a side that asks without end and reads no answer must not fill the memory. */
	#refuseIfFull(bytes: number, urgent: boolean): void {
		const { writeQueueBytesMax, lineBytesMax, urgentMessagesMax } = this.#options.limits;
		const waiting = this.#queue.bytes;
		const allowed = writeQueueBytesMax + (urgent ? lineBytesMax : 0);
		const isFull = urgent && this.#queue.urgentMessages >= urgentMessagesMax;
		if (!isFull && (waiting === 0 || waiting + bytes <= allowed)) return;
		const reason = `${waiting} bytes wait to be read`;
		if (urgent) this.close(failure("busy", { subject: "A message", reason }));
		throw this.#closed ?? failure("busy", { subject: "A message", reason });
	}

	/** A small message is handled as it comes, without a promise. */
	#take(chunk: Uint8Array): void {
		if (this.#waiting !== undefined) {
			this.#waiting.push(chunk);
			return;
		}
		if (this.#closed !== undefined) return;
		try {
			const isWhole = chunk.byteLength <= this.#sliceBytes;
			const end = isWhole ? chunk.byteLength : this.#options.codec.cut(chunk, this.#sliceBytes);
			const decoded = this.#decode(isWhole ? chunk : chunk.subarray(0, end));
			if (decoded.length < 2 && end === chunk.byteLength) for (const item of decoded) this.#deliver(item);
			else void this.#takeInTurns(decoded, chunk.subarray(end));
		} catch (error) {
			this.#failed(error);
		}
	}

	/** A chunk may hold work for many turns of the event loop; what waits beside it gets its turn in between. */
	async #takeInTurns(decoded: Decoded[], rest: Uint8Array): Promise<void> {
		const waiting: Uint8Array[] = [];
		this.#waiting = waiting;
		try {
			await this.#deliverInTurns(decoded);
			for (let chunk: Uint8Array | undefined = rest; chunk !== undefined; chunk = waiting.shift()) {
				for (let begin = 0; begin < chunk.byteLength && this.#closed === undefined; ) {
					const end = this.#options.codec.cut(chunk, begin + this.#sliceBytes);
					await this.#deliverInTurns(this.#decode(chunk.subarray(begin, end)));
					begin = end;
				}
			}
			this.#waiting = undefined;
			if (this.#ended !== undefined) this.#end(this.#ended.error);
			else if (this.#isPaused) this.#options.wire.resume();
			this.#isPaused = false;
		} catch (error) {
			this.#failed(error);
		}
	}

	async #deliverInTurns(decoded: Decoded[]): Promise<void> {
		for (const item of decoded) {
			this.#deliver(item);
			if (isTurnFull()) await this.#nextTurn();
		}
		// What was just delivered runs now, and counts for this turn; lines that are nothing count as well.
		await Promise.resolve();
		if (isTurnFull()) await this.#nextTurn();
	}

	#nextTurn(): Promise<void> {
		if (!this.#isPaused) this.#options.wire.pause();
		this.#isPaused = true;
		return nextTurn();
	}

	/** Slices grow while they cost little, and shrink when they do not: lines of one byte cost as much as long ones. */
	#decode(slice: Uint8Array): Decoded[] {
		if (slice.byteLength < sliceBytesMin) return this.#decoder.push(slice);
		const began = performance.now();
		const decoded = this.#decoder.push(slice);
		const factor = performance.now() - began > sliceMsMax ? 0.5 : 2;
		this.#sliceBytes = Math.min(sliceBytesMax, Math.max(sliceBytesMin, this.#sliceBytes * factor));
		return decoded;
	}

	/** Called once all that the wire gave was read. */
	#end(error: unknown): void {
		if (isBroodError(error)) this.close(error);
		else if (error !== undefined) this.#failed(error);
		else {
			for (const item of this.#decoder.end()) this.#deliver(item);
			this.close(failure("channel_closed", { reason: "the other side ended" }));
		}
	}

	#failed(error: unknown): void {
		const isUnread = error instanceof Error && error.name === unreadError;
		const [reason, cause] = isUnread ? [error.message, error.cause] : ["reading failed", error];
		this.close(failure("channel_closed", { reason, cause }));
	}

	#writeSoon(): void {
		if (this.#isWriting) return;
		this.#isWriting = true;
		// One microtask collects what is sent in the same turn into one write.
		inThisTurn(() => this.#write());
	}

	#write(): void {
		while (this.#queue.bytes > 0) {
			if (!this.#give(this.#queue.next())) return;
			// A side that reads as fast as slices are made would keep everything else waiting.
			if (this.#queue.isSlicing && isTurnFull()) return void nextTurn().then(() => this.#write());
		}
		this.#isWriting = false;
		this.#flushed?.resolve();
		this.#flushed = undefined;
	}

	/** Gives the wire bytes that the queue begins with. @returns whether it has taken them all */
	#give(bytes: Uint8Array): boolean {
		const taken = this.#options.wire.write(bytes);
		if (this.#closed === undefined) this.#queue.taken(taken);
		return taken === bytes.byteLength;
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

/** Calls and answers have one: no other message depends on their order. */
function hasId(message: unknown): boolean {
	return typeof message === "object" && message !== null && "id" in message;
}
