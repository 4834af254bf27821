import { describe, expect, test } from "bun:test";
import { environmentFilter, parseLogFilter } from "../../../../host/base/log-filter.ts";
import { isBroodError } from "../../../../runtime/errors.ts";

function refusal(filter: string): string {
	try {
		parseLogFilter(filter);
	} catch (error) {
		if (isBroodError(error, "usage")) return error.message;
		throw error;
	}
	throw new Error(`${filter} was taken`);
}

const cannot = "The log filter (BROOD_LOG, or logFilter) cannot be used: ";

test("a wrong level is told once, with those that there are", () => {
	const message = refusal("verbose");
	expect(message).toStartWith(`${cannot}"verbose" is no level; levels are off, error, warn, info, debug. `);
	expect(message.split("off, error, warn, info, debug")).toHaveLength(2);
	expect(refusal("warn,notes=loud")).toStartWith(`${cannot}in "notes=loud" "loud" is no level; levels are off,`);
});

test.each(["info;x=off", "my notes=off", "a:b=off", "a|b=off", '"a"=off', "a/b=off", "a=off b=off", "a\tb=off"])(
	"%j is refused, since entries are parted by commas",
	(filter) => {
		expect(refusal(filter)).toContain("entries are parted by commas");
	},
);

test.each(["info;debug", "info debug", "x=off;info", "x:off"])(
	"%j is no level, and says what parts entries",
	(filter) => {
		expect(refusal(filter)).toContain(
			"is no level; levels are off, error, warn, info, debug; entries are parted by commas",
		);
	},
);

test.each(["a.b=off", "a-b_c=off", "@a+b=off", "wörter=off", "a=b=off", " a = off ", "*=off"])(
	"%j is taken",
	(filter) => {
		expect(parseLogFilter(filter)({ plugin: "other-one", level: "debug" })).toBe(filter !== "*=off");
	},
);

describe("a filter of the environment that cannot be used", () => {
	test("lets everything pass and is told to the program once", async () => {
		const warnings: string[] = [];
		const hear = ({ name, message }: Error) => void warnings.push(`${name}: ${message}`);
		process.on("warning", hear);
		try {
			for (let times = 0; times < 3; times += 1) {
				expect(environmentFilter("only-here;x=off")({ plugin: "x", level: "debug" })).toBe(true);
			}
			// Warnings are told in a later turn.
			await new Promise((resolve) => setImmediate(resolve));
		} finally {
			process.off("warning", hear);
		}
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toStartWith(`BroodWarning: ${cannot}in "only-here;x=off"`);
	});
});
