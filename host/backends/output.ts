/** Splits a byte stream of text into lines. */
export interface LineReader {
	push(chunk: Uint8Array): void;
	/** Gives out what stands after the last line end. */
	end(): void;
}

/** A text without its line end waits this long for more before it is given out as a line. */
const partialLineMs = 50;

/** Reads lines of UTF-8; a longer one is cut, the rest of it dropped. */
export function createLineReader({ bytesMax, line }: { bytesMax: number; line(text: string): void }): LineReader {
	const decoder = new TextDecoder();
	let rest = "";
	let cutting = false;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function give(text: string): void {
		if (!cutting) line(text.length > bytesMax ? `${text.slice(0, bytesMax)}…` : text.replace(/\r$/, ""));
		cutting = false;
	}

	function flush(): void {
		clearTimeout(timer);
		if (rest === "") return;
		const text = rest;
		rest = "";
		// What follows a line that was cut belongs to it until its end comes.
		if (!cutting) give(text);
	}

	return {
		push(chunk) {
			clearTimeout(timer);
			const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
			rest = parts.pop() ?? "";
			for (const part of parts) give(part);
			if (rest.length > bytesMax) {
				give(rest);
				rest = "";
				cutting = true;
			}
			if (rest !== "") {
				timer = setTimeout(flush, partialLineMs);
				timer.unref();
			}
		},
		end: flush,
	};
}

/** Keeps the end of a stream. */
export function createTail(bytesMax: number): { push(chunk: Uint8Array): void; text(): string } {
	let chunks: Uint8Array[] = [];
	let bytes = 0;
	return {
		push(chunk) {
			chunks.push(chunk);
			bytes += chunk.byteLength;
			if (bytes < 2 * bytesMax) return;
			const kept = Buffer.concat(chunks).subarray(-bytesMax);
			chunks = [kept];
			bytes = kept.byteLength;
		},
		text: () => new TextDecoder().decode(Buffer.concat(chunks).subarray(-bytesMax)),
	};
}
