import { describe, expect, test } from "bun:test";
import { BroodError, type ErrorCode, errorTable, failure, isBroodError, messageOf } from "../../../runtime/errors.ts";
import { fromWireError, toWireError } from "../../../runtime/wire-error.ts";

describe("the table", () => {
	const codes = Object.keys(errorTable) as ErrorCode[];

	test.each(codes)("%s has a text that ends as a sentence and says nothing undefined", (code) => {
		const facts = { plugin: "p", subject: "subject", reason: "reason", ms: 5 };
		expect(failure(code, facts).message).toMatch(/^[^\n]+\.$/);
		expect(failure(code, facts).message).not.toMatch(/undefined/);
	});

	test("the numbers are one a code", () => {
		expect(new Set(codes.map((code) => errorTable[code].jsonRpcCode)).size).toBe(codes.length);
	});

	test("a hint follows the text, and a text that ends a sentence gets no second end", () => {
		expect(failure("usage", { reason: "What now?", hint: "Try --help." }).message).toBe("What now? Try --help.");
		expect(failure("usage", { reason: "Give a name" }).message).toBe("Give a name.");
	});

	test("an error carries its facts", () => {
		const cause = new Error("why");
		const exit = { code: 1, signal: null, stderrTail: "tail" };
		const error = failure("load_failed", { plugin: "p", stage: "import", reason: "it threw", exit, cause });
		expect(error).toMatchObject({ name: "BroodError", code: "load_failed", plugin: "p", stage: "import", exit });
		expect(error.cause).toBe(cause);
		expect(error.message).toBe('Plugin "p" failed to load: it threw.');
	});
});

describe("recognising an error of brood", () => {
	test("goes by the brand, so that an error of another copy counts", () => {
		const copy = Object.assign(new Error("of another copy"), { [Symbol.for("brood.error")]: true, code: "timeout" });
		expect(copy).not.toBeInstanceOf(BroodError);
		expect(isBroodError(copy)).toBe(true);
		expect(isBroodError(copy, "timeout")).toBe(true);
		expect(isBroodError(copy, "busy")).toBe(false);
		expect(toWireError(copy)).toMatchObject({ code: -32002, data: { code: "timeout" } });
	});

	test("an error with the same name and code but no brand does not count", () => {
		const alike = Object.assign(new Error("alike"), { name: "BroodError", code: "timeout" });
		expect(isBroodError(alike)).toBe(false);
	});

	test("what is no error at all does not count", () => {
		const values = [undefined, null, 1, "text", Symbol("s"), () => {}, {}, []];
		expect(values.filter((value) => isBroodError(value))).toEqual([]);
	});

	test("a value that refuses to be looked at does not count and throws nothing", () => {
		for (const value of hostile()) expect(isBroodError(value)).toBe(false);
	});

	test("a code that this copy's table lacks is carried as text beside the number of a plugin's error", () => {
		const brand = { [Symbol.for("brood.error")]: true };
		for (const code of ["of_the_future", "constructor", "__proto__"]) {
			const error = Object.assign(new Error("new"), brand, { code, name: "BroodError" });
			expect(toWireError(error)).toMatchObject({ code: -32000, message: "new", data: { code } });
			expect(fromWireError(toWireError(error))).toMatchObject({ code: "plugin_error", message: "new" });
		}
	});
});

describe("anything that is thrown has a message", () => {
	const texts: [string, unknown][] = [
		["undefined was thrown", undefined],
		["null was thrown", null],
		["0 was thrown", 0],
		["Symbol(s) was thrown", Symbol("s")],
		["just text", "just text"],
		["an empty string was thrown", ""],
		['a value was thrown that is no Error: {"a":1}', { a: 1 }],
		['a value was thrown that is no Error: {"message":5}', { message: 5 }],
		["looks like one", { message: "looks like one" }],
		["an error without a message", new Error("")],
		["first; second", new AggregateError([new Error("first"), "second", new Error("")])],
		["together", new AggregateError([new Error("first")], "together")],
		["a value was thrown that is no Error: [object Object]", { toJSON: () => undefined }],
		["a value was thrown that cannot be shown", { a: 1n }],
	];

	test.each(texts)("%j is the text here and on the wire", (text, thrown) => {
		expect(messageOf(thrown)).toBe(text);
		expect(toWireError(thrown)).toMatchObject({ code: -32000, message: text });
		expect(fromWireError(toWireError(thrown))).toBeInstanceOf(Error);
	});

	test("a large value is cut", () => {
		expect(messageOf({ a: "x".repeat(1_000) }).length).toBeLessThan(300);
	});

	test("a value that refuses to be looked at is told as such, here and on the wire", () => {
		for (const value of hostile()) {
			expect(messageOf(value)).toBe("a value was thrown that cannot be shown");
			expect(toWireError(value).message).toBe("a value was thrown that cannot be shown");
		}
	});
});

/** Values that throw at every touch. */
function hostile(): unknown[] {
	const refuse = () => {
		throw new Error("do not touch");
	};
	const traps = { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse, getPrototypeOf: refuse };
	const revoked = Proxy.revocable({}, {});
	revoked.revoke();
	return [new Proxy({}, traps), new Proxy(new Error("inside"), traps), revoked.proxy];
}

test("JSON of an error keeps its message and what helps, and neither stack nor empty members", () => {
	const positions = [{ file: "/p.ts", line: 3, column: 5, lineText: "throw it;", message: "it throws" }];
	const about = { plugin: "p", stage: "import", hint: "Look there." } as const;
	const error = failure("load_failed", { ...about, reason: "it throws", positions });
	expect(error.message).toBe('Plugin "p" failed to load: it throws. Look there.');
	// The hint is a member of its own, and not told twice.
	const message = 'Plugin "p" failed to load: it throws.';
	expect(JSON.parse(JSON.stringify({ error }))).toEqual({
		error: { code: "load_failed", message, ...about, positions: [{ file: "/p.ts", line: 3, column: 5 }] },
	});
	expect(JSON.parse(JSON.stringify(failure("host_stopped")))).toEqual({
		code: "host_stopped",
		message: "The host has been stopped.",
	});
});

test("a text that ends with quoted lines gets no full stop below them", () => {
	expect(failure("plugin_exited", { plugin: "p", reason: "it exited; the end of its output:\nlast\n" }).message).toBe(
		'Plugin "p" ended: it exited; the end of its output:\nlast',
	);
});
