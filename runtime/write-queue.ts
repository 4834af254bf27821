import { joinBytes } from "./codec/bytes.ts";
import type { PartedMessage } from "./codec/codec.ts";

/** What waits to be written: bytes in order, and messages with parts, whose slices go while nothing else waits. */
export class WriteQueue {
	#pieces: Uint8Array[] = [];
	// Pieces before it have left.
	#first = 0;
	#bytes = 0;
	#takenBytes = 0;
	// Where the urgent messages end, counted in bytes from the first that was ever taken.
	#urgentEnds: number[] = [];
	#parted: Parted[] = [];
	// Bytes of messages with parts and of lines held back, which are no pieces yet.
	#heldBytes = 0;
	#heldUrgent = 0;

	get bytes(): number {
		return this.#bytes + this.#heldBytes;
	}

	get urgentMessages(): number {
		return this.#urgentEnds.length + this.#heldUrgent;
	}

	/** Whether slices of a message are still to come; what is added now goes before them. */
	get isSlicing(): boolean {
		return this.#parted.length > 0;
	}

	/**
	 * Adds the line of a message. One in order, a notification, goes after every message that was added before, and what
	 * comes later goes after it; other messages, which are told apart by their ids, may pass one with parts.
	 */
	push(line: Uint8Array, urgent = false, isInOrder = true): void {
		if (this.#parted.length === 0) return this.#add(line, urgent);
		const holder = isInOrder ? this.#parted.at(-1) : this.#parted.findLast(({ held }) => held.length > 0);
		if (holder === undefined) return this.#add(line, urgent);
		holder.held.push({ line, urgent });
		this.#heldBytes += line.byteLength;
		if (urgent) this.#heldUrgent += 1;
	}

	pushParted(line: Uint8Array, { partBytes, slices }: PartedMessage): void {
		this.#parted.push({ line, slices: slices(), leftBytes: partBytes, held: [] });
		this.#heldBytes += line.byteLength + partBytes;
	}

	/** The next bytes to write: small pieces together, a large one by itself, since joining it would copy it. */
	next(): Uint8Array {
		if (this.#bytes === 0) this.#addSlice();
		let bytes = 0;
		let end = this.#first;
		for (; end < this.#pieces.length; end += 1) {
			const more = this.#pieces[end]?.byteLength ?? 0;
			if (bytes > 0 && bytes + more > joinedBytesMax) break;
			bytes += more;
		}
		return joinBytes(this.#pieces.slice(this.#first, end), bytes);
	}

	/** Everything as one. */
	all(): Uint8Array {
		while (this.#parted.length > 0) this.#addSlice();
		return joinBytes(this.#pieces.slice(this.#first), this.#bytes);
	}

	/** Drops so many bytes from the front; they have left. */
	taken(bytes: number): void {
		this.#bytes -= bytes;
		this.#takenBytes += bytes;
		if (this.#bytes === 0) {
			this.#dropPieces();
			return;
		}
		let left = bytes;
		for (let piece = this.#pieces[this.#first]; piece !== undefined; piece = this.#pieces[this.#first]) {
			if (piece.byteLength > left) {
				this.#pieces[this.#first] = piece.subarray(left);
				break;
			}
			left -= piece.byteLength;
			this.#first += 1;
		}
		// Now and then, so that each piece is moved a few times at most.
		if (this.#first * 2 > this.#pieces.length) {
			this.#pieces = this.#pieces.slice(this.#first);
			this.#first = 0;
		}
		const waiting = this.#urgentEnds.findIndex((end) => end > this.#takenBytes);
		if (waiting !== 0) this.#urgentEnds.splice(0, waiting < 0 ? this.#urgentEnds.length : waiting);
	}

	clear(): void {
		this.#dropPieces();
		this.#parted = [];
		this.#heldBytes = 0;
		this.#heldUrgent = 0;
	}

	#add(piece: Uint8Array, urgent: boolean): void {
		this.#pieces.push(piece);
		this.#bytes += piece.byteLength;
		if (urgent) this.#urgentEnds.push(this.#takenBytes + this.#bytes);
	}

	/** Adds the next slice of the first message with parts, and after its last one what was held back behind it. */
	#addSlice(): void {
		const [parted] = this.#parted;
		if (parted === undefined) return;
		if (parted.line !== undefined) {
			this.#heldBytes -= parted.line.byteLength;
			this.#add(parted.line, false);
			parted.line = undefined;
		}
		const slice = parted.leftBytes > 0 ? parted.slices.next() : undefined;
		if (slice !== undefined && !slice.done) {
			const { heading, bytes } = slice.value;
			this.#add(heading, false);
			this.#add(bytes, false);
			this.#heldBytes -= bytes.byteLength;
			parted.leftBytes -= bytes.byteLength;
		}
		if (parted.leftBytes > 0) return;
		this.#parted.shift();
		for (const { line, urgent } of parted.held) {
			this.#heldBytes -= line.byteLength;
			if (urgent) this.#heldUrgent -= 1;
			this.#add(line, urgent);
		}
	}

	#dropPieces(): void {
		this.#pieces = [];
		this.#first = 0;
		this.#bytes = 0;
		this.#urgentEnds = [];
	}
}

interface Parted {
	/** Absent once it was added. */
	line: Uint8Array | undefined;
	slices: ReturnType<PartedMessage["slices"]>;
	leftBytes: number;
	/** Lines that go after its last slice. */
	held: { line: Uint8Array; urgent: boolean }[];
}

/** Copying so much costs less than another write. */
const joinedBytesMax = 64 * 1024;
