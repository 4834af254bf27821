import { expect, test } from "bun:test";
import fc from "fast-check";
import { holdsMoreValues } from "../../../runtime/codec/values.ts";
import { propertyRuns } from "../../support/effort.ts";

test("values of a text are counted by its commas and brackets, whatever stands in its strings", () => {
	fc.assert(
		fc.property(fc.json(), fc.constantFrom("", ",[{", '\\"', "\\\\", '\\\\\\",['), (json, odd) => {
			const text = `[${json},"${odd}"]`;
			const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
			const count = bare.match(/[,[{]/g)?.length ?? 0;
			expect(holdsMoreValues(text, count - 1)).toBe(true);
			expect(holdsMoreValues(text, count)).toBe(false);
		}),
		propertyRuns,
	);
});

test("a string without an end has no values behind it", () => {
	expect(holdsMoreValues('["a,,,,,,,,', 1)).toBe(false);
});
