import { describe, expect, test } from "bun:test";
import { mismatches } from "../../../../host/calls/turn-expect.ts";
import { parseTurnScript } from "../../../../host/calls/turn-script.ts";
import { isBroodError } from "../../../../runtime/errors.ts";
import type { Json } from "../../../../runtime/records.ts";

function reason(script: unknown): string {
	try {
		parseTurnScript(script);
		return "";
	} catch (error) {
		expect(isBroodError(error, "usage")).toBe(true);
		return String(error);
	}
}

describe("the script of a turn", () => {
	test("may hold everything that is documented", () => {
		const script = {
			message: "hi",
			thread: "T-1",
			session: false,
			start: { expect: { messages: [] } },
			tools: [
				{
					tool: "Bash",
					input: { cmd: "ls" },
					result: null,
					expect: { decision: "allow", gate: "g", input: {}, source: "script", status: "done", output: 1, error: "e" },
				},
				{ tool: "Read", error: "no" },
			],
			reply: "there",
			end: { status: "cancelled", expect: { continue: "on", plugin: "p" } },
			rounds: [{}, { tools: [], end: { expect: { continue: false } } }],
		};
		expect(parseTurnScript(script) as unknown).toEqual(script);
	});

	test("may hold a result of any depth that its copy can have, and says so of one beyond", () => {
		const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
		const script = (depth: number) => ({ message: "", tools: [{ tool: "a", result: nested(depth) }] });
		expect(parseTurnScript(script(500)).tools).toHaveLength(1);
		for (const depth of [4_000, 7_000, 10_000, 15_000]) expect(reason(script(depth))).toMatch(/^$|cannot be played/);
	});

	test.each<[string, unknown, string]>([
		["no message", {}, "message: "],
		["a text", "hello", "it is no object"],
		[
			"a cycle",
			Object.assign(
				{},
				{
					get self() {
						return this;
					},
				},
			),
			"it contains itself",
		],
		["a misspelt member", { message: "", tool: [] }, '"tool"'],
		["a misspelt expectation", { message: "", tools: [{ tool: "a", expect: { outputs: "" } }] }, "tools[0].expect: "],
		["a tool without a name", { message: "", tools: [{ tool: "a" }, { input: {} }] }, "tools[1].tool: "],
		["an input that is a text", { message: "", tools: [{ tool: "a", input: "ls" }] }, "tools[0].input: "],
		[
			"a decision that there is not",
			{ message: "", tools: [{ tool: "a", expect: { decision: "deny" } }] },
			'not "deny"',
		],
		[
			"both a result and an error",
			{ message: "", tools: [{ tool: "a", result: 1, error: "" }] },
			"tools[0]: give it a result or an error, not both",
		],
		["a status that there is not", { message: "", rounds: [{ end: { status: "ok" } }] }, "rounds[0].end.status: "],
	])("with %s is refused, by its path", (_, script, told) => {
		expect(reason(script)).toContain(told);
	});
});

describe("an expectation", () => {
	test.each<[Json, Json | undefined]>([
		[{}, { a: 1 }],
		[{ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }],
		[
			[{ a: 1 }, 2],
			[{ a: 1, b: 2 }, 2],
		],
		[null, null],
		[[], []],
	])("%j is met by %j", (expected, actual) => {
		expect(mismatches(expected, actual)).toEqual([]);
	});

	test.each<[Json, Json | undefined, object[]]>([
		["a", "b", [{ path: "", expected: "a", actual: "b" }]],
		[{ a: 1 }, {}, [{ path: "a", expected: 1 }]],
		[{ toString: 1 }, {}, [{ path: "toString", expected: 1 }]],
		[{ a: [1] }, { a: [1, 2] }, [{ path: "a.length", expected: 1, actual: 2 }]],
		[{ a: [1, { b: "x" }] }, { a: [1, { b: "y" }] }, [{ path: "a[1].b", expected: "x", actual: "y" }]],
		[{}, [], [{ path: "", expected: {}, actual: [] }]],
		[[], {}, [{ path: "", expected: [], actual: {} }]],
		[{ a: null }, {}, [{ path: "a", expected: null }]],
	])("%j is not met by %j", (expected, actual, wrong) => {
		expect(mismatches(expected, actual)).toEqual(wrong as never);
	});
});

describe("what is wrong with a script is said in words", () => {
	test.each<[object, string]>([
		[{ message: null }, "message: it is what the person says, a text, not null"],
		[{ message: "", tool: [] }, 'there is no "tool" here; is it "tools"?'],
		[{ message: "", xyzzy: 1 }, 'there is no "xyzzy" here; there are start, tools, reply, end, message'],
		[{ message: "", start: { expect: { messages: [1] } } }, "start.expect.messages[0]: it is the content of a message"],
		[{ message: "", start: { expect: { messages: "hi" } } }, "it is the list of all messages that plugins add"],
		[{ message: "", end: { status: "ok" } }, 'it is one of done, error, interrupted, cancelled, not "ok"'],
		[{ message: "", end: [] }, "end: it is an object of status, expect, not a list"],
		[{ message: "", session: "yes" }, 'session: it is true or false, not "yes"'],
		[{ message: "", rounds: {} }, "rounds: it is a list of rounds"],
		[{ message: "", tools: ["Bash"] }, 'tools[0]: it is an object of tool, input, result, error, expect, not "Bash"'],
		[{ message: "", tools: Array(7).fill({}) }, "; and 2 more"],
	])("%j: %s", (script, told) => {
		expect(reason(script)).toContain(told);
		expect(reason(script)).not.toContain("Invalid input");
	});
});
