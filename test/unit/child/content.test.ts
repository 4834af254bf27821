import { describe, expect, test } from "bun:test";
import { answerOf, contentOf } from "../../../child/content.ts";
import { isBroodError } from "../../../runtime/errors.ts";

class Point {
	readonly x = 1;
}
class Hollow {
	readonly #x = 1;
	get x() {
		return this.#x;
	}
}

describe("a result whose content JSON would drop without a word is refused:", () => {
	test.each([
		["an Error", new Error("lost")],
		["an Error", Object.assign(new Error("lost"), { code: "ENOENT" })],
		["a RegExp", /lost/],
		["a WeakRef", new WeakRef({})],
		["a SharedArrayBuffer", new SharedArrayBuffer(8)],
		["an ArrayBuffer", new ArrayBuffer(8)],
		["a DataView", new DataView(new ArrayBuffer(8))],
		["a Map", new Map([[1, 2]])],
		["a Set", Object.assign(new Set([1]), { size2: 1 })],
		["a Map Iterator", new Map().entries()],
		["a Promise", Promise.resolve()],
		["a Response", new Response("lost")],
		["a Blob", new Blob(["lost"])],
		["an AbortSignal", AbortSignal.abort()],
		["an Intl.Collator", new Intl.Collator()],
	])("%s", (kind, value) => {
		for (const give of [() => contentOf({ list: [value] }, "t"), () => answerOf({ value }, "an answer")]) {
			let thrown: unknown;
			try {
				give();
			} catch (error) {
				thrown = error;
			}
			expect(isBroodError(thrown, "not_serializable") ? thrown.message : thrown).toContain(`is ${kind}, which JSON`);
		}
	});
});

test("what JSON carries is carried, empty or boxed as it may be", () => {
	const value = {
		none: {},
		list: [],
		bare: Object.create(null),
		point: new Point(),
		hollow: new Hollow(),
		boxed: [new String(""), new Number(0), new Boolean(false)],
		date: new Date(0),
		url: new URL("http://a.b/"),
		bytes: new Uint8Array([7]),
		told: Object.assign(new Error("told"), { toJSON: () => "told" }),
	};
	expect(answerOf(value, "it")).toEqual({
		none: {},
		list: [],
		bare: {},
		point: { x: 1 },
		hollow: {},
		boxed: ["", 0, false],
		date: "1970-01-01T00:00:00.000Z",
		url: "http://a.b/",
		bytes: { "0": 7 },
		told: "told",
	});
});
