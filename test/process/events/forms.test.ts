import { describe, expect, test } from "bun:test";
import { type EventName, eventNames, type Json, type JsonObject } from "../../../runtime/records.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A plugin whose handlers answer what the event itself says under `mine`, or `answer`; without it they answer nothing. */
const answering = (mine: string) => `export default (amp) => {
	for (const name of ${JSON.stringify(eventNames)}) amp.on(name, (event) => event.${mine} ?? event.answer);
};`;

interface Form {
	form: string;
	answer?: Json;
	/** What the event comes to. */
	result: Json;
	/** What is wrong with the answer, where something is. */
	wrong?: string;
	/** More of the payload. */
	data?: JsonObject;
}

const nothing: Form[] = [
	{ form: "nothing", result: null },
	{ form: "an empty object", answer: {}, result: null },
];
const wrongs = (result: Json): Form[] => [
	{ form: "a text", answer: "yes", result, wrong: "an answer is an object or nothing" },
	{ form: "a list", answer: [{}], result, wrong: "an answer is an object or nothing" },
];
const rejected = { action: "reject-and-continue", message: expect.stringContaining("A gate failed") } as never;
const onlyStatus = "status is done, error or cancelled";

const forms: Record<EventName, Form[]> = {
	"session.start": [
		...nothing,
		{ form: "whatever: it is not looked at", answer: { action: "reject-and-continue" }, result: null },
	],
	"tool.call": [
		...nothing,
		...wrongs(rejected),
		{ form: "allow", answer: { action: "allow" }, result: null },
		...[
			{ action: "reject-and-continue", message: "not now" },
			{ action: "modify", input: { cmd: "ls -l" } },
			{ action: "modify", input: {} },
			{ action: "synthesize", result: { output: "done already" } },
			{ action: "synthesize", result: { output: "", exitCode: 3 } },
			{ action: "error", message: "never" },
		].map((answer) => ({ form: JSON.stringify(answer), answer, result: answer })),
		{ form: "allow, with more", answer: { action: "allow", message: "because" }, result: null },
		{ form: "an unknown action", answer: { action: "deny" }, result: rejected, wrong: "action is allow" },
		{ form: "no message", answer: { action: "error" }, result: rejected, wrong: "error needs a message" },
		{ form: "no input", answer: { action: "modify" }, result: rejected, wrong: "modify needs an input object" },
		{
			form: "no output",
			answer: { action: "synthesize", result: { exitCode: 0 } },
			result: rejected,
			wrong: "synthesize needs result.output",
		},
	],
	"tool.result": [
		...nothing,
		...wrongs(null),
		...[
			{ status: "done", output: "shortened" },
			{ status: "done", output: { lines: [1, 2] } },
			{ status: "error", error: "it is not what it seems" },
			{ status: "error", error: "both", output: "half" },
			{ status: "cancelled" },
		].map((answer) => ({ form: JSON.stringify(answer), answer, result: answer })),
		{ form: "no status", answer: { output: "x" }, result: null, wrong: onlyStatus },
		{ form: "a status of a call under way", answer: { status: "running" }, result: null, wrong: onlyStatus },
		{ form: "an error that is no text", answer: { status: "error", error: 7 }, result: null, wrong: "error is a text" },
	],
	"agent.start": [
		...nothing,
		...wrongs(null),
		...[{ content: "mind the gap" }, { content: "seen", display: true }, { content: "unseen", display: false }].map(
			(message) => ({
				form: JSON.stringify(message),
				answer: { message },
				result: { messages: [{ ...message, plugin: "one" }] },
			}),
		),
		{ form: "no content", answer: { message: {} }, result: null },
		{ form: "a message that is a text", answer: { message: "x" }, result: null, wrong: "message.content is a text" },
	],
	"agent.end": [
		...nothing,
		...wrongs(null),
		...[
			{ action: "continue", userMessage: "and the tests" },
			{ action: "continue", userMessage: "once more", maxContinuations: 2 },
		].map((answer) => ({ form: JSON.stringify(answer), answer, result: { ...answer, plugin: "one" } })),
		{
			form: "continue, but never",
			answer: { action: "continue", userMessage: "no", maxContinuations: 0 },
			result: null,
		},
		{ form: "another action", answer: { action: "stop" }, result: null, wrong: 'action is "continue"' },
		{ form: "no message", answer: { action: "continue" }, result: null, wrong: "userMessage is a text" },
		{
			form: "a number of times that is none",
			answer: { action: "continue", userMessage: "x", maxContinuations: "2" },
			result: null,
			wrong: "maxContinuations is a whole number",
		},
	],
	"changes.prompt": [
		...nothing,
		...wrongs(null),
		{ form: "a text to append", answer: { append: "No secrets." }, result: { appends: ["No secrets."] } },
		{ form: "an empty text", answer: { append: "" }, result: { appends: [""] } },
		{ form: "no text", answer: { append: 7 }, result: null, wrong: "append is a text" },
	],
};

const needed = (event: EventName): JsonObject => (event.startsWith("tool.") ? { tool: "Bash" } : {});

describe("what a handler may answer", () => {
	test.each([...eventNames])("%s: each form comes to what is documented, and a wrong one is told of", async (event) => {
		const { host } = await bench.start({ one: answering("one") });
		const outcomes = await Promise.all(
			forms[event].map(({ answer }) =>
				host.emit(event, { ...needed(event), ...(answer === undefined ? {} : { answer }) }),
			),
		);
		const seen = outcomes.map(({ result, handlers: [handler] }, index) => {
			const { form, answer } = forms[event][index] ?? {};
			const error = handler?.error;
			return { form, answered: handler?.result, result, code: error?.code, told: error?.message, answer };
		});
		expect(seen).toEqual(
			forms[event].map(({ form, answer, result, wrong }) => ({
				form,
				answered: wrong === undefined ? answer : undefined,
				result,
				code: wrong === undefined ? undefined : "invalid_answer",
				told: wrong === undefined ? undefined : (expect.stringContaining(wrong) as never),
				answer,
			})),
		);
		const told = host.plugins.log("one").filter(({ message }) => message.startsWith(`its handler of ${event} failed`));
		expect(told).toHaveLength(forms[event].filter(({ wrong }) => wrong !== undefined).length);
	});

	test("several plugins' answers become one: by rank, whatever the event", async () => {
		const { host } = await bench.start({ one: answering("one"), two: answering("two") });
		const both = async (event: EventName, one: Json, two: Json) =>
			(await host.emit(event, { ...needed(event), one, two })).result;
		expect(await both("changes.prompt", { append: "a" }, { append: "b" })).toEqual({ appends: ["a", "b"] });
		expect(await both("agent.start", { message: { content: "a" } }, { message: { content: "b" } })).toEqual({
			messages: [
				{ content: "a", plugin: "one" },
				{ content: "b", plugin: "two" },
			],
		});
		const first = { action: "continue", userMessage: "a" };
		expect(await both("agent.end", first, { action: "continue", userMessage: "b" })).toEqual({
			...first,
			plugin: "one",
		});
		const modify = { action: "modify", input: { a: 1 } };
		const reject = { action: "reject-and-continue", message: "no" };
		expect(await both("tool.call", { action: "allow" }, reject)).toEqual(reject);
		expect(await both("tool.call", modify, { action: "allow" })).toEqual(modify);
		expect(await both("tool.call", modify, reject)).toEqual(reject);
		expect(await both("tool.call", reject, modify)).toEqual(reject);
		expect(await both("tool.result", { status: "done", output: "x" }, { status: "error", error: "y" })).toEqual({
			status: "error",
			output: "x",
			error: "y",
		});
	});

	test("its defaults stand in for what an event leaves out, so that handlers may read every member", async () => {
		const members = "thread, toolUseID, tool, input, status, message, id, messages, workflow";
		const { host } = await bench.start({
			reader: `export default (amp) => {
				for (const name of ["tool.call", "tool.result", "agent.start", "agent.end", "changes.prompt"]) {
					amp.on(name, ({ ${members} }) => { throw new Error(JSON.stringify({ ${members} })); });
				}
			};`,
		});
		const read = async (event: EventName) => {
			const [handler] = (await host.emit(event, needed(event))).handlers;
			return JSON.parse(/\{.*\}/.exec(handler?.error?.message ?? "")?.[0] ?? "null");
		};
		const thread = { id: expect.stringMatching(/^T-/) };
		const call = { thread, toolUseID: expect.stringMatching(/^toolu-/), tool: "Bash", input: {} };
		const turn = { thread, id: expect.stringMatching(/^M-/), message: "" };
		expect(await read("tool.call")).toEqual(call);
		expect(await read("tool.result")).toEqual({ ...call, status: "done" });
		expect(await read("agent.start")).toEqual(turn);
		expect(await read("agent.end")).toEqual({ ...turn, status: "done", messages: [] });
		expect(await read("changes.prompt")).toEqual({ thread, workflow: "ship" });
	});
});
