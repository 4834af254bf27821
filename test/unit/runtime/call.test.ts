import { expect, test } from "bun:test";
import { cancelParams, readCancel } from "../../../runtime/call.ts";
import { failure, isBroodError } from "../../../runtime/errors.ts";

/** What the other side hears of a call that was given up for this reason. */
const heard = (error: Error) => readCancel(JSON.parse(JSON.stringify(cancelParams(7, error))))?.reason;

test("a timeout is told as a TimeoutError with its words, and nothing of the caller's files", () => {
	const error = failure("timeout", { plugin: "one", subject: 'tool "slow"', ms: 300 });
	expect(JSON.stringify(cancelParams(7, error))).not.toContain("call.test.ts");
	expect(heard(error)).toMatchObject({ name: "TimeoutError", code: "timeout", message: error.message });
	expect(isBroodError(heard(error), "timeout")).toBe(true);
});

test("any other reason of brood is told as an AbortError with its words", () => {
	const error = failure("cancelled", { subject: "The call", reason: "the plugin is being stopped" });
	expect(heard(error)).toMatchObject({ name: "AbortError", code: "cancelled", message: error.message });
});

test("a caller that just gave up is told as that; its own reason stays with it", () => {
	for (const error of [failure("cancelled", { subject: "x", cause: new Error("private") }), new Error("private")]) {
		expect(cancelParams(7, error)).toEqual({ id: 7 });
		expect(heard(error)).toMatchObject({ name: "AbortError", code: "cancelled" });
	}
});

test("a reason that went over one wire goes over the next as the same", () => {
	const once = heard(failure("timeout", { subject: "x", ms: 1 }));
	expect(once && heard(once)).toMatchObject({ name: "TimeoutError", code: "timeout" });
});

test("what names no call is read as none", () => {
	for (const params of [undefined, null, 5, "x", [], {}, { id: null }, { id: 1.5 }, { id: {} }]) {
		expect(readCancel(params)).toBeUndefined();
	}
});

test("an error that is none is no reason", () => {
	for (const error of [null, 5, "x", {}, { code: "x" }, { code: 1, message: {} }]) {
		expect(readCancel({ id: 1, error })?.reason).toMatchObject({ name: "AbortError", code: "cancelled" });
	}
});
