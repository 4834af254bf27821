import { describe, expect, test } from "bun:test";
import { payloadOf } from "../../../../host/calls/payload.ts";
import { isBroodError } from "../../../../runtime/errors.ts";
import { type EventName, eventNames, type JsonObject } from "../../../../runtime/records.ts";

function refusal(event: EventName, data: JsonObject): string {
	try {
		payloadOf(event, data);
		return "";
	} catch (error) {
		expect(isBroodError(error, "invalid_params")).toBe(true);
		return String(error);
	}
}

const needed: Partial<Record<EventName, JsonObject>> = { "tool.call": { tool: "a" }, "tool.result": { tool: "a" } };
const block = (content: JsonObject) => ({ messages: [{ role: "user", id: "M-1", content: [content] }] });

describe("a member of an event's payload", () => {
	test.each<[EventName, JsonObject, string]>([
		["agent.end", { status: "finished" }, 'status is one of done, error, interrupted, cancelled, not "finished"'],
		["agent.end", { message: 1 }, "message is a text, not 1"],
		["agent.end", { messages: "x" }, 'messages is a list of messages, not "x"'],
		["agent.end", { id: null }, "id is the id, a text, not null"],
		["agent.end", { messages: ["hi"] }, 'messages[0] is an object with role, id and content, not "hi"'],
		["agent.end", { messages: [{ content: [] }] }, "messages[0].role is user, assistant or info, and it is missing"],
		["agent.end", { messages: [{ role: "user", content: { text: "hi" } }] }, "messages[0].content is a list of blocks"],
		["agent.end", block({ text: "hi" }), "messages[0].content[0].type is text, thinking, tool_use or tool_result"],
		["agent.end", block({ type: "text" }), "messages[0].content[0].text is a text, and it is missing"],
		["agent.end", block({ type: "tool_use", id: "a", name: "b", input: "c" }), 'input is an object, not "c"'],
		["agent.end", block({ type: "tool_result", status: "done" }), "toolUseID is the id, a text, and it is missing"],
		["agent.end", block({ type: "tool_result", toolUseID: "a", status: "ok" }), "status is one of done"],
		["agent.start", { message: ["hi"] }, "message is a text, not a list"],
		["agent.start", { changesWorkflow: "merge" }, 'changesWorkflow is one of ship, push_branch, not "merge"'],
		["tool.call", { tool: "a", toolUseID: 7 }, "toolUseID is the id, a text, not 7"],
		["tool.result", { tool: "a", status: "ok" }, 'status is one of done, error, cancelled, not "ok"'],
		["tool.result", { tool: "a", status: "interrupted" }, "status is one of done, error, cancelled"],
		["tool.result", { tool: "a", error: { message: "no" } }, "error is a text, not an object"],
		["changes.prompt", { workflow: "merge" }, 'workflow is one of ship, push_branch, not "merge"'],
		...eventNames.map((event): [EventName, JsonObject, string] => [
			event,
			{ ...needed[event], thread: { id: 7 } },
			"thread is an object with an id, not an object",
		]),
	])("of %s: %j is refused, and it is said what is allowed", (event, data, told) => {
		expect(refusal(event, data)).toContain(told);
	});

	test.each([...eventNames])("of %s that nobody knows passes", (event) => {
		const given = { ...needed[event], foo: 1, bar: [{}] };
		expect(payloadOf(event, given)).toMatchObject(given);
	});

	test.each<[EventName, JsonObject]>([
		["agent.end", { status: "interrupted", messages: [] }],
		["agent.end", { status: "cancelled" }],
		["agent.end", { messages: [{ role: "system", id: 7, content: [] }] }],
		["agent.end", { messages: [{ role: "user" }, { role: "assistant", content: "hi" }] }],
		["agent.end", block({ type: "text", text: "hi", more: 1 })],
		["agent.end", block({ type: "image", url: "u" })],
		["agent.end", block({ type: "tool_result", toolUseID: "a", output: [1] })],
		["agent.end", block({ type: "tool_use", id: "a", name: "b" })],
		["agent.start", { changesWorkflow: null }],
		["tool.result", { tool: "a", error: null, output: null }],
	])("of %s: %j passes, since real agents send it", (event, data) => {
		expect(payloadOf(event, data)).toMatchObject(data);
	});
});
