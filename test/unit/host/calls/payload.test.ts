import { describe, expect, test } from "bun:test";
import { newID, payloadOf } from "../../../../host/calls/payload.ts";
import { isBroodError } from "../../../../runtime/errors.ts";
import { type EventName, eventNames, type JsonObject } from "../../../../runtime/records.ts";

const minimal: Record<EventName, JsonObject> = {
	"session.start": {},
	"tool.call": { tool: "read" },
	"tool.result": { tool: "read" },
	"agent.start": {},
	"agent.end": {},
	"changes.prompt": {},
};
const members: Record<EventName, string[]> = {
	"session.start": ["thread"],
	"tool.call": ["input", "thread", "tool", "toolUseID"],
	"tool.result": ["input", "status", "thread", "tool", "toolUseID"],
	"agent.start": ["id", "message", "thread"],
	"agent.end": ["id", "message", "messages", "status", "thread"],
	"changes.prompt": ["thread", "workflow"],
};

describe("the payload of an event", () => {
	test.each([...eventNames])("%s has every member that its handlers read, whatever was given", (event) => {
		const payload = payloadOf(event, minimal[event]);
		expect(Object.keys(payload).sort()).toEqual(members[event]);
		expect(payload.thread).toEqual({ id: expect.stringMatching(/^T-[0-9a-f-]{36}$/) });
	});

	test("keeps what was given, members that nobody knows too", () => {
		const given = {
			thread: { id: "T-1" },
			tool: "read",
			input: { a: 1 },
			toolUseID: "toolu-1",
			status: "error",
			more: [1],
		};
		expect(payloadOf("tool.result", given)).toEqual(given);
	});

	test("gives each event a thread of its own", () => {
		expect(payloadOf("session.start", {}).thread).not.toEqual(payloadOf("session.start", {}).thread);
	});

	test.each<[EventName, JsonObject, string]>([
		["tool.call", {}, "tool is the name of the tool"],
		["tool.result", { tool: 7 }, "tool is the name of the tool"],
		["tool.call", { tool: "read", input: "text" }, "input is an object"],
		["tool.call", { tool: "read", input: [1] }, "input is an object"],
		["agent.start", { thread: "T-1" }, "thread is an object with an id"],
		["agent.end", { thread: { id: 7 } }, "thread is an object with an id"],
		["session.start", { thread: [] }, "thread is an object with an id"],
	])("%s with %j is refused", (event, data, reason) => {
		let thrown: unknown;
		try {
			payloadOf(event, data);
		} catch (error) {
			thrown = error;
		}
		expect(isBroodError(thrown, "invalid_params")).toBe(true);
		expect(String(thrown)).toContain(reason);
	});
});

test("an id begins readably and is never given twice", () => {
	const ids = Array.from({ length: 100 }, () => newID("toolu"));
	expect(new Set(ids).size).toBe(100);
	expect(ids.every((id) => id.startsWith("toolu-"))).toBe(true);
});
