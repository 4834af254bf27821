import { expect, test } from "bun:test";
import { headOf, showError, showInLine } from "../../../child/show-error.ts";
import { failure } from "../../../runtime/errors.ts";

const runtimeFile = "/runtime/entry.js";

test("an error is shown with its source, and without the frames of this runtime", () => {
	const shown = showError(ofStack(new TypeError("boom"), import.meta.path), [runtimeFile]);
	expect(shown).toMatch(/^\s*\d+ \| /);
	expect(shown).toMatch(/\nTypeError: boom\n +at handler \(.*show-error\.test\.ts:2:1\)$/);
});

test("an error made in this runtime is shown without its source, and without empty members", () => {
	const own = failure("invalid_registration", { subject: "registerTool()", reason: "it lacks a name" });
	// This file plays the runtime's.
	const shown = showError(own, ["/errors.ts"]);
	expect(shown).toStartWith("BroodError: registerTool() was refused: it lacks a name.\n");
	expect(shown).toContain('code: "invalid_registration"');
	expect(shown).not.toContain("undefined");
	expect(shown).not.toContain("errors.ts");
	expect(shown).toContain("show-error.test.ts");
});

test("in one line an error is its name, message, causes and frames, also within an object", () => {
	const cause = ofStack(new RangeError("root"), "/p/deep.ts");
	const error = ofStack(new TypeError("two\nlines", { cause }), import.meta.path);
	const line = showInLine(error, [runtimeFile]);
	expect(line).toMatch(
		/^TypeError: two lines at handler \(\S+:2:1\) RangeError: root at handler \(\/p\/deep\.ts:2:1\)$/,
	);
	expect(showInLine({ first: 1, error }, [runtimeFile])).toMatch(/^\{ first: 1, error: TypeError: two lines at .*\}$/);
});

test("what holds no error is shown as it is", () => {
	expect(showInLine({ a: [1, "two\nlines"] })).toBe('{ a: [ 1, "two\\nlines" ] }');
	expect(showInLine(undefined)).toBe("undefined");
});

test("whatever was thrown is shown, and its head told", () => {
	const hostile = Object.defineProperty(new Error("inside"), "name", {
		get() {
			throw new Error("no name");
		},
	});
	const { proxy, revoke } = Proxy.revocable({}, {});
	revoke();
	for (const thrown of [hostile, proxy, null, undefined, 7, Symbol("s"), "text"]) {
		expect(typeof showError(thrown)).toBe("string");
		expect(typeof headOf(thrown)).toBe("string");
	}
	expect(headOf(new TypeError("boom"))).toBe("TypeError: boom");
	expect(headOf("just text")).toBe("just text");
});

/** Gives an error the stack of a handler in a file, called by the runtime. */
function ofStack<Thrown extends Error>(error: Thrown, file: string): Thrown {
	error.stack = `${error.name}: ${error.message}\n    at handler (${file}:2:1)\n    at serve (${runtimeFile}:1:2000)`;
	return error;
}
