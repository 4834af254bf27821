import { describe, expect, test } from "bun:test";
import { codeFrame, firstOwnFrame } from "../../../host/base/frame.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

describe("a code frame", () => {
	test("shows the lines around the position, with a caret and the message", async () => {
		const file = disk.file("a.ts", Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join("\r\n"));
		expect(await codeFrame({ file, line: 10, column: 6, message: "not this\nsecond line" })).toBe(
			[
				`${file}:10:6`,
				"   8 | line 8",
				"   9 | line 9",
				"> 10 | line 10",
				"     |      ^ not this",
				"  11 | line 11",
				"  12 | line 12",
			].join("\n"),
		);
	});

	test("shows as many lines as it is asked for, within the file", async () => {
		const file = disk.file("a.ts", "one\ntwo\nthree");
		expect(await codeFrame({ file, line: 2, column: 1 }, { contextLines: 0 })).toBe(`${file}:2:1\n> 2 | two\n    | ^`);
		expect(await codeFrame({ file, line: 1, column: 4 })).toBe(
			`${file}:1:4\n> 1 | one\n    |    ^\n  2 | two\n  3 | three`,
		);
	});

	test("puts the caret under the column after tabs and wide characters", async () => {
		const file = disk.file("a.ts", "\tf('日本', x)");
		const frame = await codeFrame({ file, line: 1, column: 10 });
		expect(frame.split("\n").at(-1)).toBe(`    | \t${" ".repeat(10)}^`);
	});

	test("falls back to the line that the position carries when the file is gone or has changed", async () => {
		const position = { line: 3, column: 2, lineText: "oops()" };
		const gone = disk.path("gone.ts");
		expect(await codeFrame({ ...position, file: gone })).toBe(`${gone}:3:2\n> 3 | oops()\n    |  ^`);
		const changed = disk.file("changed.ts", "a\nb\nother()\nd");
		expect(await codeFrame({ ...position, file: changed })).toBe(`${changed}:3:2\n> 3 | oops()\n    |  ^`);
	});

	test("is the position alone when there is no text at all", async () => {
		const file = disk.path("gone.ts");
		expect(await codeFrame({ file, line: 3, column: 2 })).toBe(`${file}:3:2`);
		expect(await codeFrame({ file, line: 3, column: 2, message: "why" })).toBe(`${file}:3:2\nwhy`);
		const short = disk.file("short.ts", "x");
		expect(await codeFrame({ file: short, line: 9, column: 1 })).toBe(`${short}:9:1`);
	});

	test("does not wait on a FIFO", async () => {
		const file = disk.fifo("pipe.ts");
		expect(await codeFrame({ file, line: 1, column: 1 })).toBe(`${file}:1:1`);
	});

	test("cuts long lines around the column and lets no escape sequence through", async () => {
		const file = disk.file("a.js", `${"x".repeat(5_000)}HERE\u001b[2J${"y".repeat(5_000)}`);
		const [, row = "", caret = ""] = (await codeFrame({ file, line: 1, column: 5_001 })).split("\n");
		expect(row.length).toBeLessThan(140);
		expect(row.slice(caret.indexOf("^"))).toStartWith("HERE\ufffd[2J");
	});
});

describe("the first frame of a plugin's own", () => {
	test("skips node_modules, other folders and native frames", () => {
		const stack = [
			"TypeError: bad",
			"    at <anonymous> (/plugins/p/node_modules/lib/index.js:1:2)",
			"    at map (native:1:11)",
			"    at f (/plugins/pp/other.ts:3:4)",
			"    at async run (/plugins/p/src/a.ts:5:6)",
			"    at /plugins/p/index.ts:7:8",
		].join("\n");
		expect(firstOwnFrame(stack, "/plugins/p")).toEqual({ file: "/plugins/p/src/a.ts", line: 5, column: 6 });
		expect(firstOwnFrame(stack, "/elsewhere")).toBeUndefined();
	});

	test("reads every form that a stack has, also with odd characters in the path", () => {
		const forms = ["at /r/d (x) y/s.ts:3:51", "at f (/r/d (x) y/s.ts:3:51)", "at async /r/d (x) y/s.ts:3:51"];
		for (const form of [...forms, "at new A (file:///r/d%20(x)%20y/s.ts:3:51)"]) {
			expect(firstOwnFrame(`Error: x\n    ${form}`, "/r")).toEqual({ file: "/r/d (x) y/s.ts", line: 3, column: 51 });
		}
	});

	test("finds where a real error was thrown, through a linked folder too", async () => {
		const file = disk.file("real dir/index.ts", "\nexport function boom() {\n\tthrow new Error('x');\n}\n");
		disk.link("alias", "real dir");
		const { boom } = await import(file);
		const error: unknown = await Promise.resolve()
			.then(boom, undefined)
			.catch((thrown) => thrown);
		const stack = error instanceof Error ? (error.stack ?? "") : "";
		expect(firstOwnFrame(stack, disk.path("alias"))).toMatchObject({ file, line: 3 });
	});

	test("does not choke on a hostile stack", () => {
		expect(firstOwnFrame(`    at ${" (".repeat(1_000_000)}`, "/r")).toBeUndefined();
		expect(firstOwnFrame("\n".repeat(1_000_000), "/r")).toBeUndefined();
	});
});
