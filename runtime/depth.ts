import { messageDepthMax } from "./limits.ts";

/**
 * Gives a message with `undefined` for those of its members that nest deeper than `messageDepthMax`, and tells of each. Who
 * later writes, compares or checks such a member would exhaust the stack, and leave half done what others share with it.
 *
 * @param bytes of the message on the wire; most are too short to nest deep
 */
export function withinDepth(message: unknown, bytes: number, dropped: (what: string) => void): unknown {
	// Each level takes two bytes at least.
	if (bytes <= 2 * messageDepthMax || typeof message !== "object" || message === null) return message;
	const members = Object.entries(message);
	const deep = new Set(members.flatMap(([name, member]) => (isDeeper(member) ? [name] : [])));
	if (deep.size === 0) return message;
	for (const name of deep) dropped(`"${name}" of a message`);
	if (Array.isArray(message)) return [];
	// Their names stay: without its method a request would look like an answer, and a wrong answer like a right one.
	return Object.fromEntries(members.map(([name, member]) => [name, deep.has(name) ? undefined : member]));
}

/** Goes down level by level, since recursion is what it saves others from. */
function isDeeper(value: unknown): boolean {
	let level = isObject(value) ? [value] : [];
	for (let depth = 1; level.length > 0; depth += 1) {
		if (depth > messageDepthMax) return true;
		const next: object[] = [];
		for (const parent of level) {
			const members: unknown[] = Array.isArray(parent) ? parent : Object.values(parent);
			for (const member of members) if (isObject(member)) next.push(member);
		}
		level = next;
	}
	return false;
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}
