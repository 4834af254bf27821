import { expect, test } from "bun:test";
import fc from "fast-check";
import { plainCommand, plainTool } from "../../../child/api/plain.ts";
import { commandItem, toolItem } from "../../../child/api/validate.ts";

const warnings: string[] = [];
const log = (_: string, message: string) => void warnings.push(message);

/** What the judgement makes of it, or undefined when it refuses or warns. */
function judged<Item>(judge: () => Item): Item | undefined {
	warnings.length = 0;
	try {
		const item = judge();
		return warnings.length === 0 ? item : undefined;
	} catch {
		return undefined;
	}
}

const names = fc.oneof(
	fc.stringMatching(/^[\w-]{1,8}$/),
	fc.constantFrom("", "a b", "é", "x".repeat(128), "x".repeat(129), "a\n", "constructor"),
	fc.string(),
);
const maybe = <Value>(value: fc.Arbitrary<Value>) =>
	fc.oneof({ weight: 4, arbitrary: value }, fc.constantFrom(undefined, null, 7, "", {}, []));
const schemas = fc.oneof(
	fc.constant({ type: "object" }),
	fc.constant({ type: "object", properties: { a: { type: "string", default: undefined } } }),
	fc.constantFrom<unknown[]>({ type: "array" }, { type: "object", big: 1n }, { toJSON: () => ({ type: "object" }) }),
	fc.json().map((text): unknown => JSON.parse(text)),
);

test("what is taken for a plain tool gives the item of the judgement, and nothing else is taken", () => {
	const tools = fc.record(
		{
			name: maybe(names),
			title: maybe(fc.string()),
			description: maybe(fc.string()),
			inputSchema: maybe(schemas),
			execute: maybe(fc.constant(() => "")),
			transcriptGroup: fc.constantFrom(undefined, { active: "a", complete: "b" }, "odd"),
		},
		{ requiredKeys: [] },
	);
	let plain = 0;
	fc.assert(
		fc.property(tools, (tool) => {
			const item = plainTool(tool);
			if (item === undefined) return;
			plain += 1;
			expect(judged(() => toolItem(tool, log))).toEqual(item);
		}),
		{ numRuns: 3_000, seed: 5 },
	);
	expect(plain).toBeGreaterThan(50);
});

test("what is taken for a plain command gives the item of the judgement, and nothing else is taken", () => {
	const commands = fc.record(
		{
			title: maybe(fc.string()),
			category: maybe(fc.string()),
			description: maybe(fc.string()),
			availability: fc.constantFrom(undefined, { type: "enabled" }, { type: "hidden" }, "odd"),
		},
		{ requiredKeys: [] },
	);
	let plain = 0;
	fc.assert(
		fc.property(maybe(names), maybe(commands), maybe(fc.constant(() => {})), (id, command, handler) => {
			const item = plainCommand(id, command, handler);
			if (item === undefined) return;
			plain += 1;
			expect(judged(() => commandItem(id, command, handler, log))).toEqual(item);
		}),
		{ numRuns: 3_000, seed: 6 },
	);
	expect(plain).toBeGreaterThan(50);
});

test.each([undefined, null, 7, "tool"])("a plugin that registers %p is judged", (odd) => {
	expect(plainTool(odd)).toBeUndefined();
	expect(plainCommand("go", odd, () => {})).toBeUndefined();
});
