import { expect, test } from "bun:test";
import { paramsSchemas } from "../../../runtime/schema/wire.ts";
import { fromWireError, readWireError, toWireError } from "../../../runtime/wire-error.ts";

function crossed(thrown: unknown): Error {
	const wire = readWireError(JSON.parse(JSON.stringify(toWireError(thrown))));
	if (wire === undefined) throw new Error("the wire form was not understood");
	return fromWireError(wire);
}

test("an AggregateError keeps its class, its errors with their classes, and theirs", () => {
	const inner = new AggregateError([new RangeError("third")], "inner");
	const came = crossed(new AggregateError([new TypeError("first"), inner, "text"], "all", { cause: new Error("why") }));
	// A list with what is no error is data of its own.
	expect(came).not.toHaveProperty("errors");
	const whole = crossed(new AggregateError([new TypeError("first"), inner], "all", { cause: new Error("why") }));
	if (!(whole instanceof AggregateError)) throw new Error(`it is no AggregateError but ${whole.name}`);
	expect(whole).toMatchObject({ name: "AggregateError", message: "all", cause: { message: "why" } });
	const [first, second] = whole.errors;
	expect(first).toBeInstanceOf(TypeError);
	expect(second).toBeInstanceOf(AggregateError);
	expect(second.errors[0]).toBeInstanceOf(RangeError);
});

test("an error of a class of its own that lists errors keeps name and list", () => {
	class BuildFailed extends AggregateError {
		override name = "BuildFailed";
	}
	expect(crossed(new BuildFailed([new Error("one")], "two files"))).toMatchObject({
		name: "BuildFailed",
		message: "two files",
		errors: [{ message: "one" }],
	});
});

test("errors that hold each other, or that are without number, are cut", () => {
	const cycle = new AggregateError([], "cycle");
	cycle.errors.push(cycle, cycle);
	expect(JSON.stringify(toWireError(cycle)).split('"cycle"').length).toBeLessThan(80);
	const many = new AggregateError(Array.from({ length: 10_000 }, (_, index) => new Error(`${index}`)));
	expect(toWireError(many).data?.errors).toHaveLength(64);
	const foreign = { code: 1, message: "m", data: { name: "E", errors: Array(10_000).fill({ code: 1, message: "m" }) } };
	expect(readWireError(foreign)?.data?.errors).toHaveLength(64);
});

test("a list of errors that throws when it is looked at is left out", () => {
	const revoked = Proxy.revocable([], {});
	revoked.revoke();
	expect(toWireError(Object.assign(new Error("odd"), { errors: revoked.proxy })).data).not.toHaveProperty("errors");
});

test("what a foreign child lists as errors of a failed load must be errors", () => {
	const failed = (errors: unknown) => {
		const error = { code: 1, message: "m", data: { name: "AggregateError", errors } };
		return paramsSchemas["runtime.failed"].safeParse({ stage: "import", error, positions: [] }).success;
	};
	expect(failed([{ code: 1, message: "m" }])).toBe(true);
	for (const wrong of [5, "text", [5], [{ message: "m" }], {}]) expect(failed(wrong)).toBe(false);
});
