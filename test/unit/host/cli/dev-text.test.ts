import { expect, test } from "bun:test";
import {
	describeDifference,
	describeLoss,
	describeReport,
	describeStanding,
	lossRecord,
	reportRecord,
} from "../../../../host/cli/commands/dev-text.ts";
import type { ReloadReport } from "../../../../host/reload/report.ts";
import { failure } from "../../../../runtime/errors.ts";

const paint = (_: string, text: string) => text;
const facts = { paint, time: new Date(2026, 0, 2, 3, 4, 5).getTime(), cwd: "/project" };
const report = (more: Partial<ReloadReport>): ReloadReport => ({
	...{ plugin: "hello", outcome: "reload", ms: 6.1234, files: [], added: [], removed: [], changed: [] },
	...more,
});
const position = { file: "/project/hello.ts", line: 2, column: 12, message: "Unexpected ;" };
const error = failure("load_failed", { plugin: "hello", stage: "import", reason: "no", positions: [position] });

test("a report is a line: time, outcome, plugin, files by the working directory, time to live, difference", () => {
	const files = ["/project/hello.ts", "/elsewhere/b.ts", "/project/lib/c.ts", "/project/d.ts", "/project/e.ts"];
	const changes = { added: ["tool a", "tool b"], changed: ["command go"], removed: ["event tool.call"] };
	expect(describeReport(report({ files, ...changes }), facts)).toBe(
		"03:04:05 reload   hello  hello.ts, /elsewhere/b.ts, lib/c.ts and 2 more  6.1 ms  +2 tools a, b  ~1 command go  -1 event tool.call",
	);
	expect(describeReport(report({ outcome: "kept" }), facts)).toEndWith("the old version still serves");
	expect(describeReport(report({ outcome: "failed" }), facts)).toEndWith("nothing of it serves");
	expect(describeReport(report({ outcome: "removed", files, removed: ["tool a"] }), facts)).toBe(
		"03:04:05 removed  hello  -1 tool a",
	);
});

test("of many registrations of a kind the first are named", () => {
	const added = ["a", "b", "c", "d", "e"].map((name) => `tool ${name}`);
	expect(describeDifference({ added, removed: [], changed: [] })).toEqual([["+", "5 tools a, b, c, d, …"]]);
});

test("a name cannot command the terminal", () => {
	const line = describeReport(
		report({ plugin: "a\u001b[2J", files: ["/project/\u001b[2J.ts"], added: ["tool \u001b[2J"] }),
		facts,
	);
	expect(line).not.toContain("\u001b");
});

test("what stands in sight names the place of each error, and fits the screen", () => {
	const kept = report({ outcome: "kept", error });
	const failed = report({
		plugin: "other",
		outcome: "failed",
		error: failure("ready_timeout", { plugin: "other", ms: 5 }),
	});
	const line = describeStanding([kept, failed], { ...facts, columns: 200 });
	expect(line).toStartWith("hello serves its old version: hello.ts:2:12 Unexpected ; · other does not serve: Plugin");
	expect(Bun.stringWidth(describeStanding([kept, failed], { ...facts, columns: 40 }))).toBeLessThan(40);
	expect(describeStanding([], { ...facts, columns: 40 })).toBe("");
});

test("what a plugin threw stands in sight with its place by the working directory, and without what the line says already", () => {
	const place = { file: "/project/long/path/hello.ts", line: 4, column: 8 };
	const reason = `Error: boom at load (${place.file}:4:8), in stage import`;
	const boom = failure("load_failed", { plugin: "hello", stage: "import", reason, positions: [place] });
	const line = (thrown: typeof boom) =>
		describeStanding([report({ outcome: "failed", error: thrown })], { ...facts, columns: 200 });
	expect(line(boom)).toBe("hello does not serve: long/path/hello.ts:4:8 Error: boom at load");
	const nowhere = failure("load_failed", { plugin: "hello", stage: "import", reason: "Error: boom, in stage import" });
	expect(line(nowhere)).toBe("hello does not serve: Error: boom, in stage import.");
});

test("a lost name is a line, and a record with the names and who has them", () => {
	const loss = { plugin: "hello", to: "dup", names: ["tool hello_greet", "tool b"] };
	expect(describeLoss(loss, facts)).toBe("03:04:05 lost     hello  -2 tools hello_greet, b  to dup, which comes first");
	expect(lossRecord(loss)).toEqual({
		event: "lost",
		plugin: "hello",
		to: "dup",
		removed: ["tool hello_greet", "tool b"],
	});
});

test("a record has the members that scripts rely on, and no others", () => {
	const { message } = error;
	expect(reportRecord(report({ outcome: "kept", error, files: ["/project/hello.ts"] }))).toEqual({
		...{ event: "kept", plugin: "hello", ms: 6.123, files: ["/project/hello.ts"], added: [], removed: [], changed: [] },
		error: {
			...{ code: "load_failed", stage: "import", message },
			positions: [{ file: "/project/hello.ts", line: 2, column: 12 }],
		},
	});
	expect(reportRecord(report({}))).not.toHaveProperty("error");
});
