import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonCopy } from "../../../../host/calls/json-copy.ts";
import { propertyRuns } from "../../../support/effort.ts";

const throughText = (value: unknown) => {
	const text: string | undefined = JSON.stringify(value);
	return text === undefined ? undefined : JSON.parse(text);
};

const odd = [
	{ at: new Date(0), none: undefined, run() {}, [Symbol("s")]: 1 },
	[undefined, () => {}, Symbol("s"), Number.NaN, Number.NEGATIVE_INFINITY, -0],
	Object.assign(Object.create({ inherited: 1 }), { own: 1 }),
	JSON.parse('{"__proto__": {"a": 1}, "constructor": null}'),
	new Map([[1, 2]]),
	{ toJSON: (key: string) => ({ key }) },
	{ inner: { toJSON: (key: string) => key }, list: [{ toJSON: (key: string) => key }] },
	{ number: new Number(1), text: new String("x"), yes: new Boolean(true) },
	Object.assign(() => {}, { toJSON: () => "function" }),
	"\ud800",
	undefined,
];

test("a copy is what JSON makes of a value", () => {
	for (const value of odd) expect(jsonCopy(value)).toEqual(throughText(value));
	const shared = { a: 1 };
	expect(jsonCopy([shared, shared])).toEqual([shared, shared]);
	fc.assert(
		fc.property(
			fc.anything({ withDate: true, withBoxedValues: true, withSparseArray: true, withNullPrototype: true }),
			(value) => {
				expect(jsonCopy(value)).toEqual(throughText(value));
			},
		),
		propertyRuns,
	);
});

test("what JSON cannot carry throws, and so does what a member throws", () => {
	const cyclic: Record<string, unknown> = {};
	cyclic.list = [cyclic];
	let deep: unknown = 1;
	for (let depth = 0; depth < 1_000_000; depth += 1) deep = [deep];
	expect(() => jsonCopy(cyclic)).toThrow("it contains itself");
	expect(() => jsonCopy({ at: 1n })).toThrow("bigint");
	expect(() => jsonCopy(deep)).toThrow(RangeError);
	const throwing = {
		get at(): number {
			throw new Error("no at");
		},
	};
	expect(() => jsonCopy(throwing)).toThrow("no at");
});
