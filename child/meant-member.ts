import { nearest } from "../runtime/near.ts";

/** The member of the API whose name is nearest to one that does not exist and was called, such as `ui.confirm`. */
export function meantMember(error: unknown, api: object): string | undefined {
	const called = error instanceof TypeError ? /^\w+((?:\.\w+)+) is not a function/.exec(error.message)?.[1] : undefined;
	if (called === undefined) return undefined;
	const path = called.slice(1).split(".");
	const last = path.pop() ?? "";
	let owner: unknown = api;
	for (const name of path) owner = typeof owner === "object" && owner !== null ? Reflect.get(owner, name) : undefined;
	if (typeof owner !== "object" || owner === null || last in owner) return undefined;
	const meant = nearest(last, Object.keys(owner));
	return meant === undefined ? undefined : [...path, meant].join(".");
}
