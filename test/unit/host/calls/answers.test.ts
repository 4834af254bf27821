import { describe, expect, test } from "bun:test";
import { checkAnswer } from "../../../../host/calls/answers.ts";
import { merge } from "../../../../host/calls/merge.ts";
import { type EventName, eventNames, type Json } from "../../../../runtime/records.ts";

describe("an answer that is none", () => {
	test.each([...eventNames])("of %s: undefined, null and {} mean no change", (event) => {
		for (const nothing of [undefined, null, {}]) expect(checkAnswer(event, nothing)).toEqual({ answer: undefined });
	});
});

describe("an answer that is allowed", () => {
	test.each<[EventName, Json, Json | undefined]>([
		["session.start", { whatever: true }, undefined],
		["tool.call", { action: "allow", more: 1 }, { action: "allow" }],
		["tool.call", { action: "modify", input: { a: 1 } }, { action: "modify", input: { a: 1 } }],
		["tool.call", { action: "reject-and-continue", message: "no" }, { action: "reject-and-continue", message: "no" }],
		["tool.call", { action: "error", message: "" }, { action: "error", message: "" }],
		["tool.call", { action: "synthesize", result: { output: "" } }, { action: "synthesize", result: { output: "" } }],
		[
			"tool.call",
			{ action: "synthesize", result: { output: "x", exitCode: 2 } },
			{ action: "synthesize", result: { output: "x", exitCode: 2 } },
		],
		[
			"tool.call",
			{ action: "synthesize", result: { output: "x", exitCode: "2" } },
			{ action: "synthesize", result: { output: "x" } },
		],
		["tool.result", { status: "done" }, { status: "done" }],
		["tool.result", { status: "error", error: "why", output: null }, { status: "error", error: "why", output: null }],
		["agent.start", { message: null }, undefined],
		[
			"agent.start",
			{ message: { content: "x", display: false, extra: 1 } },
			{ message: { content: "x", display: false } },
		],
		["agent.start", { message: { content: "x", display: "no" } }, { message: { content: "x" } }],
		["agent.end", { action: "continue", userMessage: "on" }, { action: "continue", userMessage: "on" }],
		[
			"agent.end",
			{ action: "continue", userMessage: "on", maxContinuations: 0 },
			{ action: "continue", userMessage: "on", maxContinuations: 0 },
		],
		["changes.prompt", { append: null }, undefined],
		["changes.prompt", { append: "x" }, { append: "x" }],
	])("%s: %j", (event, given, answer) => {
		expect(checkAnswer(event, given)).toEqual({ answer: answer as never });
	});
});

describe("an answer that is not allowed", () => {
	const always: Json[] = ["text", 7, true, [], [{}]];

	test.each(eventNames.filter((event) => event !== "session.start"))("of %s is anything but an object", (event) => {
		for (const value of always) {
			expect(checkAnswer(event, value)).toEqual({
				wrong: expect.stringContaining("an answer is an object or nothing"),
			});
		}
	});

	test.each<[EventName, Json, string]>([
		["tool.call", { action: "ALLOW" }, "action is allow"],
		["tool.call", { message: "no action" }, "action is allow"],
		["tool.call", { action: "modify", input: [1] }, "modify needs an input object"],
		["tool.call", { action: "reject-and-continue" }, "reject-and-continue needs a message"],
		["tool.call", { action: "error", message: 7 }, "error needs a message"],
		["tool.call", { action: "synthesize", result: "x" }, "synthesize needs result.output"],
		["tool.call", { action: "synthesize", result: { output: 7 } }, "synthesize needs result.output"],
		["tool.call", { action: "constructor" }, "action is allow"],
		["tool.result", { output: "x" }, "status is done, error or cancelled"],
		["tool.result", { status: "fine" }, "status is done, error or cancelled"],
		["tool.result", { status: "error", error: { why: 1 } }, "error is a text"],
		["agent.start", { message: "text" }, "message.content is a text"],
		["agent.start", { message: { content: 7 } }, "message.content is a text"],
		["agent.end", { userMessage: "on" }, 'action is "continue"'],
		["agent.end", { action: "continue", userMessage: 7 }, "userMessage is a text"],
		["agent.end", { action: "continue", userMessage: "x", maxContinuations: 1.5 }, "whole number"],
		["agent.end", { action: "continue", userMessage: "x", maxContinuations: -1 }, "whole number"],
		["changes.prompt", { append: ["x"] }, "append is a text"],
	])("%s: %j says what is allowed", (event, given, reason) => {
		const checked = checkAnswer(event, given);
		expect("wrong" in checked && checked.wrong).toContain(reason);
	});
});

describe("the answers of several plugins", () => {
	const from = (plugin: string, answer: object | undefined) => ({ plugin, answer: answer as never });

	test("are nothing where nobody changed anything", () => {
		for (const event of eventNames) {
			expect(merge(event, [])).toBeNull();
			expect(merge(event, [from("a", undefined), from("b", undefined)])).toBeNull();
		}
	});

	test("keep the order in which they come, and name their plugin", () => {
		const answers = [
			from("b", { message: { content: "1" } }),
			from("a", undefined),
			from("c", { message: { content: "2" } }),
		];
		expect(merge("agent.start", answers)).toEqual({
			messages: [
				{ content: "1", plugin: "b" },
				{ content: "2", plugin: "c" },
			],
		});
		expect(merge("changes.prompt", [from("b", { append: "1" }), from("a", { append: "2" })])).toEqual({
			appends: ["1", "2"],
		});
	});

	test("of agent.end are the first continue", () => {
		const answers = [
			from("a", undefined),
			from("b", { action: "continue", userMessage: "b" }),
			from("c", { action: "continue", userMessage: "c" }),
		];
		expect(merge("agent.end", answers)).toEqual({ action: "continue", userMessage: "b", plugin: "b" });
	});
});
