import { failure } from "../../../runtime/errors.ts";
import type { Json, JsonObject } from "../../../runtime/records.ts";

/** What is asked of the settings. */
export type SettingsRequest =
	| { kind: "table" }
	| { kind: "value"; key: string }
	| { kind: "set"; values: JsonObject }
	| { kind: "unset"; keys: string[] };

/** Takes the name of a plugin off the words: one without "=" that stands before others, or before keys to unset. */
export function splitPlugin(words: readonly string[], unset: readonly string[]): { plugin?: string; rest: string[] } {
	const [first, ...rest] = words;
	if (first === undefined || first.includes("=") || (rest.length === 0 && unset.length === 0))
		return { rest: [...words] };
	return { plugin: first, rest };
}

/** Reads the words behind the name of the plugin. @throws BroodError `usage` */
export function readRequest(words: readonly string[], unset: readonly string[]): SettingsRequest {
	if (unset.length > 0) {
		if (words.length > 0)
			throw failure("usage", { reason: "--unset takes keys out, and no other key can be read or set with it" });
		return { kind: "unset", keys: unset.map(checkKey) };
	}
	const [first] = words;
	if (first === undefined) return { kind: "table" };
	if (words.length === 1 && !first.includes("=")) return { kind: "value", key: checkKey(first) };
	return readAssignments(words);
}

/** Reads words that are all KEY=VALUE. @throws BroodError `usage` */
export function readAssignments(words: readonly string[]): SettingsRequest {
	const odd = words.find((word) => !word.includes("="));
	if (odd !== undefined) {
		throw failure("usage", {
			reason: `"${odd}" has no "=": a key is read alone, and several are only set, as KEY=VALUE`,
		});
	}
	return { kind: "set", values: Object.fromEntries(words.map(readAssignment)) };
}

function readAssignment(word: string): [key: string, value: Json] {
	const at = word.indexOf("=");
	const key = checkKey(word.slice(0, at));
	return [key, readValue(key, word.slice(at + 1))];
}

function checkKey(key: string): string {
	if (key === "") throw failure("usage", { reason: "A key is not empty" });
	// A reader of settings leaves it out.
	if (key === "__proto__") throw failure("usage", { reason: "__proto__ is no key that settings can have" });
	return key;
}

/** JSON where it can be read as that, else the text as it is. */
function readValue(key: string, text: string): Json {
	const lost: string[] = [];
	let value: Json;
	try {
		value = JSON.parse(text, (_: string, part: Json, context?: { source?: string }) => {
			const source = context?.source ?? "";
			if (!holdsAllOf(part, source)) lost.push(source);
			return part;
		});
	} catch {
		return text;
	}
	const [number] = lost;
	if (number === undefined) return value;
	const reason =
		number === text.trim()
			? `The number of "${key}" is too large to be kept exactly`
			: `The number ${number} in "${key}" is too large to be kept exactly`;
	const hint = number === text.trim() ? `As text it is: '${key}="${number}"'` : `As text it is: "${number}"`;
	throw failure("usage", { reason, hint });
}

/** Whether a number is the one that was written. */
function holdsAllOf(value: Json, source: string): boolean {
	if (typeof value !== "number") return true;
	return Number.isFinite(value) && (!/^-?\d+$/.test(source) || Number.isSafeInteger(value));
}
