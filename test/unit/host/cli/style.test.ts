import { describe, expect, test } from "bun:test";
import { alignColumns, wantsColours } from "../../../../host/cli/style.ts";

describe("colours", () => {
	test.each([
		[{}, true, true],
		[{}, false, false],
		[{ TERM: "dumb" }, true, false],
		[{ NO_COLOR: "1" }, true, false],
		[{ NO_COLOR: "" }, true, true],
		[{ FORCE_COLOR: "1" }, false, true],
		[{ FORCE_COLOR: "0" }, true, false],
		[{ FORCE_COLOR: "false" }, true, false],
		[{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
	])("with %j and a terminal %p are wanted: %p", (environment, terminal, wanted) => {
		expect(wantsColours(1, environment, () => terminal)).toBe(wanted);
	});
});

test("columns are aligned by what is seen: wide characters count twice, colours not at all", () => {
	const rows = [
		["日本", "x", "end"],
		["\u001b[31mred\u001b[39m", "long", ""],
	];
	expect(alignColumns(rows)).toEqual(["日本  x     end", "\u001b[31mred\u001b[39m   long"]);
});
