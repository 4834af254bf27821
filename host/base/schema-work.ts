import type { Json, JsonObject } from "../../runtime/records.ts";

/** Whether the references of a schema multiply beyond what can be checked. */
export function isBoundless(schema: JsonObject): boolean {
	return schemaWork(schema) > workMax;
}

// One whose references double at each step has billions.
const workMax = 100_000;

/**
 * How many parts a schema has when each local reference is followed, as one check of one value would. A reference back
 * to where it came from counts once: how often it is followed depends on the value.
 */
function schemaWork(schema: JsonObject): number {
	const known = new Map<string, number>();

	function workOf(value: Json): number {
		if (typeof value !== "object" || value === null) return 1;
		const members = Array.isArray(value) ? value : Object.values(value);
		const reference = Array.isArray(value) ? undefined : value.$ref;
		const own = members.reduce<number>((sum, member) => sum + workOf(member), 1);
		return typeof reference === "string" && reference.startsWith("#/") ? own + workOfReference(reference) : own;
	}

	function workOfReference(reference: string): number {
		const done = known.get(reference);
		if (done !== undefined) return done;
		known.set(reference, 1);
		const work = workOf(lookUp(schema, reference));
		known.set(reference, work);
		return work;
	}

	return workOf(schema);
}

function lookUp(schema: JsonObject, reference: string): Json {
	let found: Json = schema;
	for (const part of reference.slice(2).split("/")) {
		const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof found !== "object" || found === null) return null;
		found = Array.isArray(found) ? (found[Number(name)] ?? null) : (found[name] ?? null);
	}
	return found;
}
