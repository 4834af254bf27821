import { expect, test } from "bun:test";
import fc from "fast-check";
import { nearest } from "../../../runtime/near.ts";

const names = ["session.start", "tool.call", "tool.result", "agent.start", "agent.end"];

test.each([
	["tool.calls", "tool.call"],
	["Tool.Call", "tool.call"],
	["tool.clal", "tool.call"],
	["toolcall", "tool.call"],
	["agent.ends", "agent.end"],
	["sesion.strt", "session.start"],
	["agent.begin", undefined],
	["tool", undefined],
	["", undefined],
	["x".repeat(10_000), undefined],
])("whoever wrote %j meant %p", (word, meant) => {
	expect(nearest(word, names)).toBe(meant);
});

test("of several that are as near the first is taken, and of none nothing", () => {
	expect(nearest("ab", ["ac", "ad"])).toBe("ac");
	expect(nearest("ab", [])).toBeUndefined();
});

test("a name is nearest to itself, whatever its case", () => {
	const word = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 40 });
	fc.assert(
		fc.property(word, fc.array(word), (name, others) => {
			expect(nearest(name.toUpperCase(), [...others, name])?.toLowerCase()).toBe(name.toLowerCase());
		}),
	);
});
