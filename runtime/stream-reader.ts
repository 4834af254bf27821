import type { WireListener } from "./wire.ts";

/** The reading half of a wire over a stream. */
export interface StreamReader {
	/** Chunks that were read so far. */
	readonly chunks: number;
	/** Whether it waits for a chunk, all that came before was given. */
	readonly isWaiting: boolean;
	/** Begins to read; called again, the new listener takes the place of the old one. */
	open(listener: Pick<WireListener, "data" | "closed">): void;
	pause(): void;
	resume(): void;
	/** Nothing is heard any more. */
	end(): void;
}

/** What is used of a stream's reader; the global types of Bun and of the web library disagree about the rest. */
interface ByteReader {
	read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
	cancel(): Promise<void>;
}

/** Reads a stream as it comes. A child starts with it: it has little to set up. */
export function readStream(readable: ReadableStream<Uint8Array>): StreamReader {
	const reader = readable.getReader() as ByteReader;
	let listener: Pick<WireListener, "data" | "closed"> | undefined;
	let chunks = 0;
	let isWaiting = false;
	// Settles at the resume; absent while reading.
	let paused: PromiseWithResolvers<void> | undefined;

	async function read(): Promise<void> {
		try {
			for (;;) {
				isWaiting = true;
				const { done, value } = await reader.read();
				isWaiting = false;
				if (done || value === undefined || listener === undefined) break;
				chunks += 1;
				listener.data(value);
				if (paused !== undefined) await paused.promise;
			}
			close();
		} catch (error) {
			close(error);
		}
	}

	function close(error?: unknown): void {
		const told = listener;
		listener = undefined;
		told?.closed(error);
	}

	function resume(): void {
		paused?.resolve();
		paused = undefined;
	}

	return {
		get chunks() {
			return chunks;
		},
		get isWaiting() {
			return isWaiting;
		},
		open(next) {
			const isFirst = listener === undefined;
			listener = next;
			if (isFirst) void read();
		},
		pause() {
			paused ??= Promise.withResolvers();
		},
		resume,
		end() {
			listener = undefined;
			resume();
			reader.cancel().catch(() => {});
		},
	};
}
