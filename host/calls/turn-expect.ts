import type { Json, JsonObject } from "../../runtime/records.ts";
import type { TurnMismatch } from "./turn-types.ts";

/** A message that is expected may be written as its content alone. */
export function expectedMessages(expect: { messages?: (string | JsonObject)[] } | undefined): JsonObject | undefined {
	if (expect?.messages === undefined) return expect === undefined ? undefined : {};
	return { messages: expect.messages.map((one) => (typeof one === "string" ? { content: one } : one)) };
}

/**
 * Where `actual` is not what is expected. Of an object only the members that are named count; a list has as many items,
 * each as expected; everything else is equal.
 */
export function mismatches(expected: Json, actual: Json | undefined, path = ""): TurnMismatch[] {
	const wrong = (at = path, one: Json = expected, other = actual): TurnMismatch[] => [
		{ path: at, expected: one, ...(other === undefined ? {} : { actual: other }) },
	];
	if (Array.isArray(expected)) {
		if (!Array.isArray(actual)) return wrong();
		if (actual.length !== expected.length) return wrong(`${path}.length`, expected.length, actual.length);
		return expected.flatMap((item, index) => mismatches(item, actual[index], `${path}[${index}]`));
	}
	if (typeof expected !== "object" || expected === null) return Object.is(expected, actual) ? [] : wrong();
	if (typeof actual !== "object" || actual === null || Array.isArray(actual)) return wrong();
	return Object.entries(expected).flatMap(([key, member]) => {
		const own = Object.hasOwn(actual, key) ? actual[key] : undefined;
		return mismatches(member, own, path === "" ? key : `${path}.${key}`);
	});
}
