/** A stream of bytes in both directions, to a side that need not be a process of Bun. Knows no messages. */
export interface ByteWire {
	/** Begins to give what comes to the listener; called again, the new listener takes the place of the old one. */
	open(listener: WireListener): void;
	/**
	 * Gives bytes to the other side, in order, at once if it can. Throws nothing: a side that is gone takes nothing.
	 * @returns how many of them were taken; once `drained` was heard the rest must be given again, more may follow it
	 */
	write(bytes: Uint8Array): number;
	/** Holds the other side up once what lies between is full; what is on its way may still come. */
	pause(): void;
	resume(): void;
	/** Ends both directions; nothing is heard any more. What was taken still arrives. */
	end(): void;
}

/** What a wire tells its one listener. */
export interface WireListener {
	/** The bytes are the listener's to keep. */
	data(bytes: Uint8Array): void;
	/** More can be written; heard after each write that was not taken whole, and sometimes when none was. */
	drained(): void;
	/** The other side has ended, all that it said was given before; or the wire has failed, with the error. Once. */
	closed(error?: unknown): void;
}
