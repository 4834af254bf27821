import { describe, expect, test } from "bun:test";
import { parseLogFilter } from "../../../../host/base/log-filter.ts";
import { isBroodError } from "../../../../runtime/errors.ts";

const levels = ["error", "warn", "info", "debug"] as const;

function passing(filter: string, plugin = "notes"): string[] {
	const passes = parseLogFilter(filter);
	return levels.filter((level) => passes({ plugin, level }));
}

describe("a filter", () => {
	test("without a word lets everything pass", () => {
		for (const filter of ["", " ", ",", " , "]) expect(passing(filter)).toEqual([...levels]);
	});

	test.each([
		["off", []],
		["error", ["error"]],
		["warn", ["error", "warn"]],
		["info", ["error", "warn", "info"]],
		["debug", ["error", "warn", "info", "debug"]],
		[" WARN ", ["error", "warn"]],
	])("of the level %j lets it and what is graver pass", (filter, expected) => {
		expect(passing(filter)).toEqual(expected);
	});

	test("may have a level for one plugin, whatever the order", () => {
		for (const filter of ["warn,notes=debug,noisy=off", "noisy = off, notes = debug, warn"]) {
			expect(passing(filter, "notes")).toEqual([...levels]);
			expect(passing(filter, "noisy")).toEqual([]);
			expect(passing(filter, "other")).toEqual(["error", "warn"]);
		}
	});

	test("with names alone leaves the others as they are", () => {
		expect(passing("notes=off", "other")).toEqual([...levels]);
	});

	test("takes * for any text in a name, and every other character as it is", () => {
		expect(passing("no*s=off", "notes")).toEqual([]);
		expect(passing("*=off,error", "notes")).toEqual([]);
		expect(passing("a.b=off", "aXb")).toEqual([...levels]);
		expect(passing("no*=off", "a-notes")).toEqual([...levels]);
		expect(passing("a=b=off", "a=b")).toEqual([]);
		expect(passing("a*=off", "a\nb")).toEqual([]);
	});

	test("whose later word fits too counts by that", () => {
		expect(passing("warn,off")).toEqual([]);
		expect(passing("*=off,notes=error")).toEqual(["error"]);
		expect(passing("notes=error,*=off")).toEqual([]);
	});
});

test.each([
	["loud", '"loud" is no level'],
	["warn,notes=loud", 'in "notes=loud" "loud" is no level'],
	["=warn", "no name"],
	["notes=", '"" is no level'],
	["notes", '"notes" is no level'],
	["toString", "is no level"],
	["warn;debug", "is no level"],
])("%j is refused with what is wrong and what is allowed", (filter, wrong) => {
	try {
		parseLogFilter(filter);
	} catch (error) {
		if (!isBroodError(error, "usage")) throw error;
		expect(error.message).toContain(wrong);
		expect(error.message).toContain("off, error, warn, info, debug");
		expect(error.message).toContain("BROOD_LOG");
		return;
	}
	throw new Error(`${filter} was taken`);
});
