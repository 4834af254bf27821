import { Bytes, metBytes, stringifyWithoutBytes } from "../bytes.ts";
import type { Encoded, Slice } from "./codec.ts";
import { headingStart, type PartKind, type Path, textStart } from "./marks.ts";

/** A message as one line, unless it is long or holds bytes: those and its long texts then follow the line as parts. */
export function encodeParts(message: unknown): Encoded {
	const text = stringifyWithoutBytes(message);
	const met = metBytes();
	if (text === undefined) throw new TypeError(`${typeof message} has no JSON form`);
	if (!met && text.length <= lineCharsMax) return `${text}\n`;
	const parts: Part[] = [];
	const rest = withoutParts(message, [], parts);
	// Bytes that only a toJSON method gave are no part; this writes them as base64.
	let json = parts.length > 0 || met ? stringify(rest) : text;
	const isLong = json.length > lineCharsMax;
	if (isLong) {
		parts.unshift({ kind: "json", value: json, bytes: Buffer.byteLength(json), path: [] });
		json = "null";
	}
	if (parts.length === 0) return `${json}\n`;
	const heading = stringify(parts.map(({ kind, bytes, path }) => [kind, bytes, ...path]));
	return {
		line: `${headingStart}${heading}${textStart}${json}\n`,
		partBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
		...(isLong && typeof parts[0]?.value === "string" ? { json: parts[0].value } : {}),
		slices: () => slicesOf(parts),
	};
}

interface Part {
	kind: PartKind;
	value: string | Uint8Array;
	bytes: number;
	path: Path;
}

// Kept, since a plugin may replace the global functions.
const { stringify } = JSON;
const { isArray } = Array;
const utf8 = new TextEncoder();

/** A longer line goes in slices. A message of this size is written and read in less than a turn of the event loop. */
const lineCharsMax = 128 * 1024;
/** A longer text is a part; shorter ones are cheaper where they stand. */
const textCharsMax = 16 * 1024;
/** Bytes or characters that go at once: with their heading they fit into one write. */
const sliceMax = 64 * 1024 - 16;
/** Deeper members are dropped by whoever reads. */
const depthMax = 1_000;

/** The value with null for each of its parts, which are added to `parts`; the same value when it has none. */
function withoutParts(value: unknown, path: Path, parts: Part[]): unknown {
	if (typeof value === "string") {
		// Half a surrogate pair has no UTF-8; JSON escapes it.
		if (value.length <= textCharsMax || !value.isWellFormed()) return value;
		parts.push({ kind: "text", value, bytes: Buffer.byteLength(value), path: [...path] });
		return null;
	}
	if (typeof value !== "object" || value === null || path.length > depthMax) return value;
	if (value instanceof Bytes) {
		const { view } = value;
		parts.push({ kind: "bytes", value: view, bytes: view.byteLength, path: [...path] });
		return null;
	}
	if (typeof (value as { toJSON?: unknown }).toJSON === "function") return value;
	if (isArray(value)) return withoutItems(value, path, parts);
	return withoutMembers(value as Record<string, unknown>, path, parts);
}

function withoutItems(items: unknown[], path: Path, parts: Part[]): unknown[] {
	let copy: unknown[] | undefined;
	for (let index = 0; index < items.length; index += 1) {
		const before = parts.length;
		path.push(index);
		const rest = withoutParts(items[index], path, parts);
		path.pop();
		if (parts.length === before) continue;
		copy ??= [...items];
		copy[index] = rest;
	}
	return copy ?? items;
}

function withoutMembers(members: Record<string, unknown>, path: Path, parts: Part[]): Record<string, unknown> {
	let copy: Record<string, unknown> | undefined;
	for (const key of Object.keys(members)) {
		const before = parts.length;
		path.push(key);
		const rest = withoutParts(members[key], path, parts);
		path.pop();
		if (parts.length === before) continue;
		copy ??= { ...members };
		// By definition, since "__proto__" is a member like any other.
		Object.defineProperty(copy, key, { value: rest, enumerable: true, configurable: true, writable: true });
	}
	return copy ?? members;
}

function* slicesOf(parts: Part[]): Generator<Slice> {
	for (const { value, bytes: size } of parts) {
		const isText = typeof value === "string";
		const length = isText ? value.length : size;
		for (let begin = 0; begin < length; ) {
			const end = Math.min(length, begin + sliceMax);
			const bytes = isText ? utf8.encode(charsOf(value, begin, end)) : bytesIn(value, begin, end);
			yield { heading: utf8.encode(`${headingStart}${bytes.byteLength}\n`), bytes };
			begin += sliceMax;
		}
	}
}

/** Zeros once their memory was given away; the other side waits for as many. */
function bytesIn(bytes: Uint8Array, begin: number, end: number): Uint8Array {
	return bytes.byteLength < end ? new Uint8Array(end - begin) : bytes.subarray(begin, end);
}

/** A pair of surrogates goes whole, with its first half. */
function charsOf(text: string, begin: number, end: number): string {
	return text.slice(begin + (isPairAt(text, begin) ? 1 : 0), end + (isPairAt(text, end) ? 1 : 0));
}

/** Whether a place in a well-formed text is between the halves of a pair. */
function isPairAt(text: string, place: number): boolean {
	return (text.charCodeAt(place) & 0xfc00) === 0xdc00;
}
