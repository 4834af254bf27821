import { failure, messageOf } from "../../runtime/errors.ts";
import { type EventName, eventNames, type Json, type JsonObject } from "../../runtime/records.ts";
import { jsonCopy } from "./json-copy.ts";
import { payloadFault } from "./payload-check.ts";

/** Completes the data of an event with what every payload carries. @throws BroodError `invalid_params` */
export function payloadOf(event: EventName, data: JsonObject): JsonObject {
	if (!eventNames.includes(event)) {
		const reason = `there is no such event; there are ${eventNames.join(", ")}`;
		throw failure("invalid_params", { subject: String(event), reason });
	}
	const carried = carry(data, (reason) => failure("invalid_params", { subject: event, reason }));
	const thread = carried.thread ?? { id: newID("T") };
	const base = { ...carried, thread };
	const wrong = payloadFault(event, base);
	if (wrong === undefined) return { ...defaults(event), ...base };
	throw failure("invalid_params", { subject: event, reason: wrong });
}

/**
 * The copy of a caller's object that the wire carries, so that all who see it see the same, whatever its members do.
 *
 * @throws what `refusal` makes of the reason why JSON cannot carry it
 */
export function carry(given: unknown, refusal: (reason: string) => Error): JsonObject {
	if (!isObject(given)) throw refusal("it is no object");
	let copy: Json | undefined;
	try {
		copy = jsonCopy(given);
	} catch (error) {
		throw refusal(`it cannot be carried as JSON: ${messageOf(error)}`);
	}
	if (!isObject(copy)) throw refusal("it is no object as JSON");
	return copy;
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A new id that no other call has, with a readable beginning. */
export function newID(prefix: string): string {
	return `${prefix}-${crypto.randomUUID()}`;
}

function defaults(event: EventName): JsonObject {
	switch (event) {
		case "session.start":
			return {};
		case "tool.call":
			return { toolUseID: newID("toolu"), input: {} };
		case "tool.result":
			return { toolUseID: newID("toolu"), input: {}, status: "done" };
		case "agent.start":
			return { id: newID("M"), message: "" };
		case "agent.end":
			return { id: newID("M"), message: "", status: "done", messages: [] };
		case "changes.prompt":
			return { workflow: "ship" };
	}
}
