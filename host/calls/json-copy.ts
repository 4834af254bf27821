import type { Json } from "../../runtime/records.ts";

/**
 * What `JSON.parse(JSON.stringify(value))` gives, without writing the text: a long string costs nothing.
 *
 * @throws TypeError for a cycle or a bigint, RangeError for what nests too deep, and whatever a getter or toJSON throws
 */
export function jsonCopy(value: unknown): Json | undefined {
	return copy(value, "", new Set());
}

function copy(given: unknown, key: string, above: Set<object>): Json | undefined {
	const value = plain(given, key);
	switch (typeof value) {
		case "string":
		case "boolean":
			return value;
		case "number":
			return Number.isFinite(value) ? value + 0 : null;
		case "bigint":
			throw new TypeError("a bigint has no JSON form");
		case "object":
			return value === null ? null : copyObject(value, above);
	}
	return undefined;
}

function copyObject(value: object, above: Set<object>): Json {
	if (above.has(value)) throw new TypeError("it contains itself");
	above.add(value);
	const made = Array.isArray(value) ? copyArray(value, above) : copyMembers(value, above);
	above.delete(value);
	return made;
}

function copyArray(list: unknown[], above: Set<object>): Json[] {
	return Array.from(list, (item, index) => copy(item, String(index), above) ?? null);
}

function copyMembers(value: object, above: Set<object>): Json {
	const members: [string, Json][] = [];
	for (const key of Object.keys(value)) {
		const member = copy(Reflect.get(value, key), key, above);
		if (member !== undefined) members.push([key, member]);
	}
	return Object.fromEntries(members);
}

/** The value that its own toJSON, or a wrapper of the language, stands for. */
function plain(given: unknown, key: string): unknown {
	const hasMethods =
		typeof given === "bigint" || (typeof given === "object" && given !== null) || typeof given === "function";
	const toJSON: unknown = hasMethods ? Reflect.get(Object(given), "toJSON") : undefined;
	const value: unknown = typeof toJSON === "function" ? Reflect.apply(toJSON, given, [key]) : given;
	return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
}
