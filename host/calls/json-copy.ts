import type { Json, JsonObject } from "../../runtime/records.ts";

/**
 * What `JSON.parse(JSON.stringify(value))` gives, without writing the text: a long string costs nothing.
 *
 * @throws TypeError for a cycle or a bigint, RangeError for what nests too deep, and whatever a getter or toJSON throws
 */
export function jsonCopy(value: unknown): Json | undefined {
	return copy(value, "", []);
}

function copy(given: unknown, key: string, above: object[]): Json | undefined {
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

function copyObject(value: object, above: object[]): Json {
	if (above.includes(value)) throw new TypeError("it contains itself");
	above.push(value);
	const made = Array.isArray(value) ? copyArray(value, above) : copyMembers(value, above);
	above.pop();
	return made;
}

function copyArray(list: unknown[], above: object[]): Json[] {
	return Array.from(list, (item, index) => copy(item, String(index), above) ?? null);
}

function copyMembers(value: object, above: object[]): Json {
	const members: JsonObject = {};
	for (const key of Object.keys(value)) {
		const member = copy(Reflect.get(value, key), key, above);
		if (member === undefined) continue;
		// By definition, since this one is a member like any other.
		if (key === "__proto__") Object.defineProperty(members, key, { ...plainMember, value: member });
		else members[key] = member;
	}
	return members;
}

const plainMember = { enumerable: true, configurable: true, writable: true };

/** The value that its own toJSON, or a wrapper of the language, stands for. */
function plain(given: unknown, key: string): unknown {
	const hasMethods =
		typeof given === "bigint" || (typeof given === "object" && given !== null) || typeof given === "function";
	const toJSON: unknown = hasMethods ? Reflect.get(Object(given), "toJSON") : undefined;
	const value: unknown = typeof toJSON === "function" ? Reflect.apply(toJSON, given, [key]) : given;
	return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
}
