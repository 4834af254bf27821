import { expect, test } from "bun:test";
import fc from "fast-check";
import { removeMember, setMember, setMembers } from "../../../../host/base/jsonc-edit.ts";
import { propertyRuns } from "../../../support/effort.ts";

test("many members are set at once as they would be one after the other", () => {
	const text = fc.constantFrom(
		"{}",
		'{ "a": 1 }',
		'{\n  "a": 1, // one\n  "b": [2]\n}',
		'{\r\n\t"b": 1,\r\n}',
		'{"a":1,"c":2,"a":3}',
	);
	const values = fc.uniqueArray(
		fc.tuple(fc.constantFrom("a", "b", "c", "d", "e"), fc.constantFrom(1, "text", [1, { x: 2 }])),
		{
			selector: ([key]) => key,
		},
	);
	fc.assert(
		fc.property(text, values, (before, all) => {
			const oneByOne = all.reduce<string>((sum, [key, value]) => setMember(sum, key, value), before);
			expect(setMembers(before, all)).toBe(oneByOne);
		}),
		propertyRuns,
	);
});

test.each([
	["set", (count: number) => () => setMembers("{}", numbered(count))],
	[
		"removed",
		(count: number) => {
			const text = `{${'"a": 1, '.repeat(count)}"b": 2}`;
			return () => removeMember(text, "a");
		},
	],
])("members are %s in time that grows with their number, and not with its square", (_, task) => {
	const [few, many] = [task(400), task(8_000)];
	const ratios = [1, 2, 3].map(() => {
		// As much work on both sides, so that both are long enough to be measured.
		const base = msOf(() => {
			for (let times = 0; times < 20; times += 1) few();
		});
		return msOf(many) / base;
	});
	expect(Math.min(...ratios)).toBeLessThan(5);
});

function numbered(count: number): [string, number][] {
	return Array.from({ length: count }, (_, index) => [`key${index}`, index]);
}

function msOf(task: () => unknown): number {
	const before = performance.now();
	task();
	return performance.now() - before;
}
