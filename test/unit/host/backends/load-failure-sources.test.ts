import { expect, test } from "bun:test";
import { quoteTail } from "../../../../host/backends/load-failure.ts";

const quote = (lines: string[]) => quoteTail({ code: 1, signal: null, stderrTail: `${lines.join("\n")}\n` });

test("the source that Bun shows above an error is not quoted, and numbered lines of a plugin's own are", () => {
	const source = [" 9 | const a = 1;", "10 | throw a;", "         ^"];
	const error = ["TypeError: boom", "      at /p.ts:10:5"];
	expect(quote(["uncaught exception:", ...source, ...error])).toBe(
		`; the end of its output:\nuncaught exception:\n${error.join("\n")}\n`,
	);
	expect(quote(["1 | a table", "2 | of mine", "bye"])).toContain("1 | a table\n2 | of mine\nbye");
});
