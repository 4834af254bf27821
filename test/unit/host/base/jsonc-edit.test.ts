import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonc } from "../../../../host/base/jsonc.ts";
import { removeMember, setMember } from "../../../../host/base/jsonc-edit.ts";
import { propertyRuns, tally } from "../../../support/effort.ts";

describe("setting a member", () => {
	test.each([
		["an empty object", "{}", '{\n\t"b": 2\n}'],
		["an empty object with a comment", "{ // none yet\n}\n", '{ // none yet\n\t"b": 2\n}\n'],
		["an object on one line", '{ "a": 1 }', '{ "a": 1, "b": 2 }'],
		["the layout of the file", '{\n    "a": 1\n}\n', '{\n    "a": 1,\n    "b": 2\n}\n'],
		["a comment behind the last one", '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "b": 2\n}'],
		["a comma behind the last one", '{\r\n  "a": 1, // one\r\n}', '{\r\n  "a": 1, // one\r\n  "b": 2,\r\n}'],
		[
			"a member that is there",
			'{ /* of b */ "b" : [1, 2] /* two */, "a": 1 }',
			'{ /* of b */ "b" : 2 /* two */, "a": 1 }',
		],
		["a member that is there twice: the last counts", '{"b":1,"b":1}', '{"b":1,"b":2}'],
	])("keeps %s", (_, before, after) => {
		expect(setMember(before, "b", 2)).toBe(after);
	});

	test("indents a value as its file does", () => {
		expect(setMember('{\r\n  "a": 1\r\n}', "b", { c: [1] })).toBe(
			'{\r\n  "a": 1,\r\n  "b": {\r\n    "c": [\r\n      1\r\n    ]\r\n  }\r\n}',
		);
	});
});

describe("removing a member", () => {
	test.each([
		["its line", '{\n\t"a": 1,\n\t"b": 2,\n\t"c": 3\n}', '{\n\t"a": 1,\n\t"c": 3\n}'],
		["the comma before the last one", '{\n\t"a": 1, // one\n\t"b": 2\n}', '{\n\t"a": 1 // one\n}'],
		["no comment", '{\n\t// of b\n\t"b": 2, // two\n\t"a": 1\n}', '{\n\t// of b\n\t// two\n\t"a": 1\n}'],
		["it from one line", '{ "b": 2, "a": 1 }', '{ "a": 1 }'],
		["each of that name", '{"b":1,"a":1,"b":2}', '{"a":1}'],
		["nothing where it is not", '{ "a": { "b": 1 } }', '{ "a": { "b": 1 } }'],
	])("takes %s", (_, before, after) => {
		expect(removeMember(before, "b")).toBe(after);
	});
});

test("an edit changes the member it is about, and no other one and no comment beside it", () => {
	const blank = fc.constantFrom("", " ", "\n", "\r\n\t", "\n  ", " // note\n", "/* note */", "\n/* note */ // note\n");
	const key = fc.constantFrom("a", "b", "c", "}", "//", "__proto__", 'q"', "\u2028", "");
	const value = fc.oneof({ maxDepth: 2 }, fc.jsonValue({ maxDepth: 2 }), fc.constantFrom("// no", "/*", "}", ","));
	const member = fc.record({ key, value, blanks: fc.tuple(blank, blank, blank, blank) });
	const document = fc.record({ members: fc.array(member, { maxLength: 5 }), comma: fc.boolean(), end: blank });
	let edits = 0;
	fc.assert(
		fc.property(document, key, value, (file, name, next) => {
			const parts = file.members.map(({ key, value, blanks: [a, b, c, d] }) =>
				[a, JSON.stringify(key), b, ":", c, JSON.stringify(value), d].join(""),
			);
			const text = `{${parts.join(",")}${file.comma && parts.length > 0 ? "," : ""}${file.end}}`;
			const notes = (of: string) => of.split(/ note(?: \*\/|[\r\n])/).length - 1;
			const plain = (of: unknown) => parseJsonc(JSON.stringify(of));
			const before = parseJsonc(text) as object;
			const { [name]: _, ...others } = before as Record<string, unknown>;
			const set = setMember(text, name, next as never);
			expect(parseJsonc(set)).toEqual(plain(name === "__proto__" ? before : { ...before, [name]: next }));
			expect(notes(set)).toBe(notes(text));
			const removed = removeMember(text, name);
			expect(parseJsonc(removed)).toEqual(plain(name === "__proto__" ? before : others));
			// What stands between a name and its value goes with them.
			const within = file.members.filter((member) => member.key === name);
			const gone = within.reduce((sum, { blanks: [, b, c] }) => sum + notes(`${b}:${c}`), 0);
			expect(notes(removed)).toBe(notes(text) - gone);
			edits += 2;
		}),
		propertyRuns,
	);
	tally("edits of generated settings files", edits, "each kept what it was not about");
});
