import { Bytes } from "../bytes.ts";
import { messageOf } from "../errors.ts";
import type { Decoded, DecoderLimits } from "./codec.ts";
import { noise } from "./lines.ts";
import { headingStart, type PartKind, type Path, textStart } from "./marks.ts";
import { holdsMoreValues } from "./values.ts";

/** A message whose parts are still to come. */
export class OpenMessage {
	readonly #opening: Opening;
	/** Of its line and its parts. */
	readonly #bytes: number;
	readonly #values: unknown[] = [];
	#missing: number;
	#reader: PartReader | undefined;
	/** Why it is no message after all; what is missing of it is read nevertheless. */
	#wrong: string | undefined;

	constructor(opening: Opening, lineBytes: number) {
		this.#opening = opening;
		this.#bytes = lineBytes + opening.partBytes;
		this.#missing = opening.partBytes;
	}

	/** So many bytes of its parts have not come yet. */
	get missing(): number {
		return this.#missing;
	}

	/** Takes the next bytes of its parts, none past the last one. */
	take(bytes: Uint8Array): void {
		this.#missing -= bytes.byteLength;
		for (let rest = bytes; rest.byteLength > 0 && this.#wrong === undefined; ) {
			this.#reader ??= this.#nextReader();
			if (this.#reader === undefined) return;
			const taken = rest.subarray(0, this.#reader.missing);
			rest = rest.subarray(taken.byteLength);
			try {
				this.#reader.take(taken);
				if (this.#reader.missing === 0) this.#endPart(this.#reader);
			} catch {
				this.#wrong = "a text in it is not UTF-8";
			}
		}
	}

	/** The message once nothing is missing. */
	close({ valuesMax, noiseExcerptCharsMax }: DecoderLimits): Decoded {
		const { text, parts } = this.#opening;
		this.#nextReader();
		const root: [unknown] = [this.#opening.value];
		for (const [index, { kind, path }] of parts.entries()) {
			if (this.#wrong !== undefined) break;
			const value = this.#values[index];
			if (kind !== "json") this.#wrong = place(root, path, value);
			else if (holdsMoreValues(String(value), valuesMax))
				return { kind: "too_large", bytes: this.#bytes, values: true };
			else this.#wrong = placeJson(root, path, String(value));
		}
		if (this.#wrong === undefined) return { kind: "message", value: root[0], bytes: this.#bytes };
		return noise(text, this.#wrong, this.#bytes, noiseExcerptCharsMax);
	}

	/** What it is when the stream ends before its parts. */
	cutOff(excerptCharsMax: number): Decoded {
		const reason = "the stream ended inside a message";
		return noise(this.#opening.text, reason, this.#bytes - this.#missing, excerptCharsMax);
	}

	/** A reader of the next part that is not empty. */
	#nextReader(): PartReader | undefined {
		for (;;) {
			const part = this.#opening.parts[this.#values.length];
			if (part === undefined) return undefined;
			const reader = part.kind === "bytes" ? bytesReader(part.bytes) : textReader(part.bytes);
			if (part.bytes > 0) return reader;
			this.#values.push(reader.value());
		}
	}

	#endPart(reader: PartReader): void {
		this.#values.push(reader.value());
		this.#reader = undefined;
	}
}

/** What the line says that opens a message with parts. */
export interface Opening {
	text: string;
	value: unknown;
	parts: { kind: PartKind; bytes: number; path: Path }[];
	partBytes: number;
}

/** Reads such a line; undefined when it is none. */
export function readHeading(text: string): Opening | undefined {
	const end = text.indexOf(textStart);
	if (end < 0) return undefined;
	try {
		const heading: unknown = parseJson(text.slice(headingStart.length, end));
		if (!isArray(heading) || heading.length === 0 || !heading.every(isPart)) return undefined;
		const parts = heading.map(([kind, bytes, ...path]) => ({ kind, bytes, path }));
		const partBytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
		return { text, value: parseJson(text.slice(end + 1)), parts, partBytes };
	} catch {
		return undefined;
	}
}

/** How long the slice is whose line this is; undefined when it is no such line. */
export function readSliceBytes(text: string): number | undefined {
	// Sixteen digits and more are no safe integer, and past every limit.
	const digits = text.slice(headingStart.length);
	return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}

// Kept, since a plugin may replace the global functions.
const { parse: parseJson } = JSON;
const { isArray } = Array;

function isPart(part: unknown): part is [PartKind, number, ...Path] {
	if (!isArray(part)) return false;
	const [kind, bytes, ...path] = part as unknown[];
	if (kind !== "bytes" && kind !== "text" && kind !== "json") return false;
	if (!Number.isSafeInteger(bytes) || Number(bytes) < 0) return false;
	return path.every((step) => typeof step === "string" || typeof step === "number");
}

/** Reads one part, from pieces of any size. */
interface PartReader {
	/** So many bytes have not come yet. */
	readonly missing: number;
	/** @throws TypeError when it is a text and the bytes are not UTF-8 */
	take(bytes: Uint8Array): void;
	value(): string | Bytes;
}

function bytesReader(size: number): PartReader {
	// Its own memory: what a handler keeps must neither hold nor show the messages beside it.
	const bytes = new Uint8Array(size);
	let taken = 0;
	return {
		get missing() {
			return size - taken;
		},
		take(piece) {
			bytes.set(piece, taken);
			taken += piece.byteLength;
		},
		value: () => new Bytes(bytes),
	};
}

function textReader(size: number): PartReader {
	const decoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
	let text = "";
	let missing = size;
	return {
		get missing() {
			return missing;
		},
		take(piece) {
			missing -= piece.byteLength;
			text += decoder.decode(piece, { stream: missing > 0 });
		},
		value: () => text,
	};
}

function placeJson(root: [unknown], path: Path, json: string): string | undefined {
	try {
		return place(root, path, parseJson(json));
	} catch (error) {
		return messageOf(error);
	}
}

/** Puts a value where null stands for it. @returns what is wrong with the place */
function place(root: [unknown], path: Path, value: unknown): string | undefined {
	let holder: unknown = root;
	let key: string | number = 0;
	for (const step of path) {
		holder = memberOf(holder, key);
		key = step;
	}
	if (memberOf(holder, key) !== null) return "a part has no place in it";
	// By definition, since "__proto__" is a member like any other.
	Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
	return undefined;
}

function memberOf(holder: unknown, key: string | number): unknown {
	if (typeof holder !== "object" || holder === null) return undefined;
	if (isArray(holder) !== (typeof key === "number") || !Object.hasOwn(holder, key)) return undefined;
	return (holder as Record<string | number, unknown>)[key];
}
