import { expect, test } from "bun:test";
import { fromWireError, readWireError, toWireError, type WireError } from "../../../runtime/wire-error.ts";

test("a text of an error from the other side is cut at its bound, and one of just that length is not", () => {
	const texts = (chars: number) => {
		const text = "x".repeat(chars);
		const word = "w".repeat(chars + 156);
		return { code: 1, message: text, data: { name: word, code: word, stack: text, hint: text, stage: word } };
	};
	const { message, data } = readWireError(texts(101), 100) ?? {};
	const cut = `${"x".repeat(100)}…`;
	const word = `${"w".repeat(256)}…`;
	expect({ message, data }).toEqual({
		message: cut,
		data: { name: word, code: word, stack: cut, hint: cut, stage: word },
	});
	expect(readWireError(texts(100), 100)).toEqual(texts(100));
});

test("all texts of an error and what is below it take eight times as many characters at most", () => {
	const below = Array.from({ length: 60 }, () => new Error("y".repeat(1_000), { cause: new Error("z".repeat(1_000)) }));
	const wire = readWireError(toWireError(new AggregateError(below, "x".repeat(1_000))), 100);
	expect(charsOf(wire)).toBeLessThan(8 * 100 + 300);
	expect(wire?.data?.errors).toHaveLength(60);
	expect(fromWireError(wire as WireError)).toBeInstanceOf(AggregateError);
});

test("the places of a stack are kept, however long the message before them", () => {
	const error = new Error("m".repeat(1_000_000));
	const places = error.stack?.slice(error.stack.indexOf("\n    at "));
	const { data } = readWireError(toWireError(error), 10_000) ?? {};
	expect(data?.stack).toBe(`Error: ${"m".repeat(256)}…${places}`);
});

test("no half of a character is left where a text was cut", () => {
	expect(readWireError({ code: 1, message: "abc😀" }, 4)?.message).toBe("abc\ufffd…");
});

test("a bound of Infinity cuts nothing, and one of 0 leaves the class and the number", () => {
	const error = toWireError(new Error("x".repeat(1_000_000)));
	expect(readWireError(error, Number.POSITIVE_INFINITY)).toEqual(error);
	expect(readWireError({ code: 7, message: "text" }, 0)).toEqual({ code: 7, message: "…" });
});

function charsOf(wire: WireError | undefined): number {
	if (wire === undefined) return 0;
	const { cause, errors = [], stack = "" } = wire.data ?? {};
	const own = wire.message.length + stack.length;
	return own + charsOf(cause) + errors.reduce((sum, error) => sum + charsOf(error), 0);
}
