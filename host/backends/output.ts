import { isTurnFull, nextTurn } from "../../runtime/turn.ts";

/** Splits a byte stream of text into lines. */
export interface LineReader {
	/** Resolves when its lines were given out, which may take many turns of the event loop. */
	push(chunk: Uint8Array): Promise<void>;
	/** Gives out what stands after the last line end. */
	end(): void;
}

/** A text without its line end waits this long for more before it is given out as a line. */
const partialLineMs = 50;

// So few bytes that even empty lines, each with its way to the log, take little of a turn.
const sliceBytes = 512;

/** Reads lines of UTF-8; a longer one is cut, the rest of it dropped. */
export function createLineReader({ bytesMax, line }: { bytesMax: number; line(text: string): void }): LineReader {
	const decoder = new TextDecoder();
	let rest = "";
	let cutting = false;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function take(text: string): void {
		const parts = text.split("\n");
		const last = parts.pop() ?? "";
		for (const part of parts) {
			add(part);
			if (!cutting) line(rest.replace(/\r$/, ""));
			rest = "";
			cutting = false;
		}
		add(last);
	}

	function add(part: string): void {
		if (cutting) return;
		rest += part;
		if (rest.length <= bytesMax) return;
		line(`${rest.slice(0, bytesMax)}…`);
		rest = "";
		// What follows a line that was cut belongs to it until its end comes.
		cutting = true;
	}

	function flush(): void {
		clearTimeout(timer);
		if (rest === "") return;
		const text = rest;
		rest = "";
		line(text.replace(/\r$/, ""));
	}

	return {
		async push(chunk) {
			clearTimeout(timer);
			for (let begin = 0; begin < chunk.byteLength; begin += sliceBytes) {
				take(decoder.decode(chunk.subarray(begin, begin + sliceBytes), { stream: true }));
				if (isTurnFull()) await nextTurn();
			}
			clearTimeout(timer);
			if (rest === "") return;
			timer = setTimeout(flush, partialLineMs);
			timer.unref();
		},
		end: flush,
	};
}

/** Keeps the end of a stream. */
export function createTail(bytesMax: number): { push(chunk: Uint8Array): void; text(): string } {
	let chunks: Uint8Array[] = [];
	let bytes = 0;
	const endOf = (parts: Uint8Array[]) => {
		const all = Buffer.concat(parts);
		return all.subarray(Math.max(0, all.byteLength - bytesMax));
	};
	return {
		push(chunk) {
			chunks.push(chunk);
			bytes += chunk.byteLength;
			if (bytes < 2 * bytesMax) return;
			const kept = endOf(chunks);
			chunks = [kept];
			bytes = kept.byteLength;
		},
		text: () => new TextDecoder().decode(endOf(chunks)),
	};
}
