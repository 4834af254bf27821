import { describe, expect, test } from "bun:test";
import { BroodError, failure, isBroodError } from "../../../runtime/errors.ts";
import { fromWireError, readWireError, toWireError, type WireError } from "../../../runtime/wire-error.ts";

describe("an error that crosses the wire", () => {
	const classes = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, Error };
	test.each(Object.entries(classes))(
		"one of class %s comes back as that class with its name, message and stack",
		(_, Class) => {
			const sent = new Class("what went wrong");
			const came = crossed(sent);
			expect(came.constructor).toBe(Class);
			expect(came).toMatchObject({ name: sent.name, message: "what went wrong", stack: sent.stack });
		},
	);

	test("an error of brood comes back as one, with its code, stage and hint", () => {
		const came = crossed(failure("load_failed", { plugin: "p", stage: "activate", reason: "x", hint: "Do y." }));
		expect(came).toBeInstanceOf(BroodError);
		expect(isBroodError(came, "load_failed")).toBe(true);
		expect(came).toMatchObject({ stage: "activate", hint: "Do y.", message: 'Plugin "p" failed to load: x. Do y.' });
	});

	test("the code of a plugin's own error is kept, a number as text", () => {
		expect(crossed(Object.assign(new Error("gone"), { code: "ENOENT" }))).toMatchObject({ code: "ENOENT" });
		expect(crossed(Object.assign(new Error("gone"), { code: 404 }))).toMatchObject({ code: "404" });
		expect(crossed(new Error("plain"))).not.toHaveProperty("code");
	});

	test("a plugin's error with a code of brood's table is not taken for an error of brood", () => {
		const came = crossed(Object.assign(new Error("mine"), { code: "timeout" }));
		expect(isBroodError(came)).toBe(false);
		expect(came).toMatchObject({ code: "timeout", message: "mine" });
	});

	test("the name of a class that this side lacks is kept", () => {
		class DiskFullError extends Error {
			override name = "DiskFullError";
		}
		const came = crossed(new DiskFullError("no room"));
		expect(came.name).toBe("DiskFullError");
		expect(String(came)).toBe("DiskFullError: no room");
		const odd = crossed(Object.assign(new Error("odd"), { name: "constructor" }));
		expect(odd).toBeInstanceOf(Error);
		expect(odd).toMatchObject({ name: "constructor", message: "odd" });
	});

	test("an AggregateError keeps its name and message", () => {
		const came = crossed(new AggregateError([new Error("one"), new Error("two")], "all failed"));
		expect(came).toMatchObject({ name: "AggregateError", message: "all failed" });
	});

	test("a DOMException keeps its name, message and number", () => {
		const came = crossed(new DOMException("stopped", "AbortError"));
		expect(came).toMatchObject({ name: "AbortError", message: "stopped", code: "20" });
	});

	test("causes come along, whatever they are", () => {
		const root = new TypeError("root");
		const came = crossed(new Error("top", { cause: new RangeError("middle", { cause: root }) }));
		expect(came.cause).toBeInstanceOf(RangeError);
		expect(came.cause).toMatchObject({ message: "middle", cause: { message: "root", stack: root.stack } });
		expect(crossed(new Error("top", { cause: "text" })).cause).toMatchObject({ name: "NonError", message: "text" });
		expect(crossed(new Error("top", { cause: null })).cause).toMatchObject({ message: "null was thrown" });
		expect(crossed(new Error("top")).cause).toBeUndefined();
	});

	test("a cycle of causes is cut", () => {
		const one = new Error("one");
		const two = new Error("two", { cause: one });
		one.cause = two;
		const came = crossed(one);
		expect(came.cause).toMatchObject({ message: "two", cause: { message: "one" } });
		expect(causesOf(came)).toBeLessThan(20);
	});

	test("an error whose getters throw is carried with what can be read", () => {
		const error = new Error("readable");
		for (const key of ["name", "stack", "code", "cause"]) {
			Object.defineProperty(error, key, {
				get() {
					throw new Error("do not touch");
				},
			});
		}
		expect(toWireError(error)).toEqual({ code: -32000, message: "readable", data: { name: "Error" } });
	});

	test("parts of another type than text are left out", () => {
		const error = Object.assign(new Error("odd"), { name: 5, stack: {}, code: {}, hint: "a plugin's own" });
		expect(toWireError(error)).toEqual({ code: -32000, message: "odd", data: { name: "Error" } });
		const branded = Object.assign(failure("busy"), { hint: 5, stage: {} });
		expect(Object.keys(toWireError(branded).data ?? {})).toEqual(["name", "code", "stack"]);
	});
});

describe("an error object of a foreign side", () => {
	test.each([
		[-32601, "method_not_found"],
		[-32602, "invalid_params"],
		[-32603, "internal"],
	] as const)("the number %p alone becomes an error of brood with the code %p", (code, name) => {
		const error = fromWireError({ code, message: "foreign" });
		expect(isBroodError(error, name)).toBe(true);
		expect(error.message).toBe("foreign");
	});

	test("a number that the table lacks becomes the code of a plain error", () => {
		const error = fromWireError({ code: 4711, message: "foreign" });
		expect(isBroodError(error)).toBe(false);
		expect(error).toMatchObject({ name: "Error", message: "foreign", code: 4711 });
	});

	const refused: unknown[] = [null, "text", 5, {}, { code: 1 }, { message: "m" }, { code: "1", message: "m" }];
	test.each(refused.map((value) => [value]))("%j is no error object", (value) => {
		expect(readWireError(value)).toBeUndefined();
	});

	test("of its data only what has the right type is kept", () => {
		const wrong = { code: 1, stack: [], hint: {}, stage: null, cause: "text", more: true };
		const read = (data: unknown) => readWireError({ code: 1, message: "m", data });
		expect(read({ name: "N", ...wrong })).toEqual({ code: 1, message: "m", data: { name: "N" } });
		for (const data of [null, "text", 5, [], {}, { name: 5 }]) expect(read(data)).toEqual({ code: 1, message: "m" });
	});

	test("a chain of causes of any length is cut and does not exhaust the stack", () => {
		const level = '{"code":1,"message":"m","data":{"name":"Error","cause":';
		const error = readWireError(JSON.parse(`${level.repeat(100_000)}null${"}}".repeat(100_000)}`));
		expect(error).toBeDefined();
		if (error !== undefined) expect(causesOf(fromWireError(error))).toBeLessThan(20);
	});
});

/** What the other side makes of an error. */
function crossed(thrown: unknown): Error {
	const wire: unknown = JSON.parse(JSON.stringify(toWireError(thrown)));
	const read: WireError | undefined = readWireError(wire);
	if (read === undefined) throw new Error("the wire form was not understood");
	return fromWireError(read);
}

function causesOf(error: unknown): number {
	return error instanceof Error && error.cause !== undefined ? 1 + causesOf(error.cause) : 0;
}
