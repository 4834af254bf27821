import { describe, expect, test } from "bun:test";
import {
	describeExit,
	explainExit,
	explainFailed,
	explainFetch,
	explainTimeout,
	quoteTail,
} from "../../../../host/backends/load-failure.ts";
import type { PluginSpec } from "../../../../host/spec.ts";
import { failure, type Stage } from "../../../../runtime/errors.ts";
import { toWireError } from "../../../../runtime/wire-error.ts";
import { temporaryFolder } from "../temporary.ts";

const folder = temporaryFolder();

const spec = (root = "/plugins"): PluginSpec => ({
	system: "amp",
	name: "one",
	scope: "explicit",
	kind: "file",
	path: `${root}/one.ts`,
	root,
	rank: [3, 0, "one"],
	announcedModes: [],
	warnings: [],
});

describe("an exit", () => {
	test("is told by code or signal", () => {
		expect(describeExit({ code: 3, signal: null, stderrTail: "" })).toBe("it exited with code 3");
		expect(describeExit({ code: 0, signal: null, stderrTail: "" })).toBe("it exited with code 0");
		expect(describeExit({ code: null, signal: "SIGSEGV", stderrTail: "" })).toBe("it was ended by SIGSEGV");
		expect(describeExit({ code: null, signal: null, stderrTail: "" })).toBe("it never started");
	});

	test("while loading carries stage, exit facts and what the plugin printed last", () => {
		const exit = { code: 3, signal: null, stderrTail: "one\ntwo\n" };
		const error = explainExit(spec(), "import", exit);
		expect(error).toMatchObject({ code: "exited_before_ready", stage: "import", plugin: "one", exit });
		expect(error.message).toContain("it exited with code 3 in stage import; the end of its output:\none\ntwo\n");
	});
});

describe("the quoted end of an output", () => {
	const quote = (stderrTail: string) => quoteTail({ code: 1, signal: null, stderrTail });

	test("is its last six lines", () => {
		expect(quote("1\n2\n3\n4\n5\n6\n7\n\n")).toBe("; the end of its output:\n2\n3\n4\n5\n6\n7\n");
		expect(quote("only\n")).toBe("; the end of its output:\nonly\n");
		expect(quote("one\ntwo")).toBe("; the end of its output:\none\ntwo\n");
		expect(quote("\n \n")).toBe("");
	});

	test("is not crowded out by a long stack: two frames are kept of each", () => {
		const frames = Array.from({ length: 12 }, (_, n) => `      at frame${n} (/x.ts:1:${n})`);
		const quoted = quote(["TypeError: forgot", ...frames, "bye"].join("\n"));
		expect(quoted).toBe(`; the end of its output:\nTypeError: forgot\n${frames[0]}\n${frames[1]}\nbye\n`);
	});
});

describe("a timeout", () => {
	test.each<[Stage, string]>([
		["spawn", "has not said anything"],
		["client.info", "has not begun to import it"],
		["import", "top-level await"],
		["activate", "its default export has not returned"],
		["fetch", "does not tell what it has registered"],
		["ready", "it hangs, in stage ready"],
	])("in stage %s names the likely cause", (stage, cause) => {
		const error = explainTimeout(spec(), stage, 250);
		expect(error).toMatchObject({ code: "ready_timeout", stage, plugin: "one" });
		expect(error.message).toContain("250 ms");
		expect(error.message).toContain(cause);
	});
});

describe("a fetch that fails", () => {
	test("is an exit, a timeout or what else it was, always with the stage", () => {
		const exit = { code: 1, signal: null, stderrTail: "" };
		const explained = (error: unknown) => explainFetch(spec(), error, 100);
		expect(explained(failure("plugin_exited", { exit }))).toMatchObject({
			code: "exited_before_ready",
			stage: "fetch",
			exit,
		});
		expect(explained(failure("timeout", { subject: "tool.list" }))).toMatchObject({
			code: "ready_timeout",
			stage: "fetch",
		});
		const other = explained(new Error("odd list"));
		expect(other).toMatchObject({ code: "load_failed", stage: "fetch", plugin: "one" });
		expect(other.message).toContain("odd list");
	});
});

describe("a failure that the child tells of", () => {
	test("keeps the code and hint of brood's own errors, without saying anything twice", async () => {
		const told = failure("no_default_export", { reason: "it exports nothing instead", hint: "Write one." });
		const error = await explainFailed(spec(), { stage: "import", error: toWireError(told), positions: [] });
		expect(error).toMatchObject({ code: "no_default_export", stage: "import", plugin: "one", hint: "Write one." });
		expect(error.message).toBe(
			'Plugin "one" must export a default function: it exports nothing instead, in stage import. Write one.',
		);
	});

	test("may not use a code that is not about loading", async () => {
		const told = toWireError(failure("host_stopped"));
		const error = await explainFailed(spec(), { stage: "activate", error: told, positions: [] });
		expect(error.code).toBe("load_failed");
	});

	test("shows the place in the sources, from the positions or from the stack", async () => {
		const file = folder.file("one.ts", "first\nsecond\nthird\n");
		const root = folder.path();
		const positions = [{ file, line: 2, column: 3, message: "wrong here" }];
		const told = { stage: "import", error: toWireError(new SyntaxError("bad")), positions } as const;
		const error = await explainFailed(spec(root), told);
		expect(error.frame).toContain("> 2 | second\n    |   ^ wrong here");
		expect(error.message).toContain(`SyntaxError: bad (${file}:2:3), in stage import`);
		const stack = `TypeError: x\n    at inner (/elsewhere/lib.ts:9:9)\n    at outer (${file}:3:1)`;
		const thrown = toWireError(Object.assign(new TypeError("x"), { stack }));
		const traced = await explainFailed(spec(root), { stage: "activate", error: thrown, positions: [] });
		expect(traced.positions).toMatchObject([{ file, line: 3, column: 1 }]);
		expect(traced.frame).toContain("> 3 | third");
	});

	test("shows three places at most", async () => {
		const file = folder.file("one.ts", "a\nb\nc\nd\ne\n");
		const positions = [1, 2, 3, 4, 5].map((line) => ({ file, line, column: 1 }));
		const error = await explainFailed(spec(folder.path()), {
			stage: "import",
			error: toWireError(new Error("x")),
			positions,
		});
		expect(error.positions).toHaveLength(5);
		expect(error.frame?.match(/^> /gm)).toHaveLength(3);
	});
});
