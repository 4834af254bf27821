import { expect, test } from "bun:test";
import { join } from "node:path";
import { createBench } from "../support/host.ts";

/** Programs in the place of the child that say odd things and collect what the host answers. */
const bench = createBench();
const cases = join(import.meta.dir, "../../fixtures/cases");

test("requests with the ids 0, empty, text and negative are answered with the same ids and a result", async () => {
	const got = await answersTo("009-falsy-and-string-request-ids");
	expect(got.map(({ id }) => id)).toEqual([0, "", "a-1", -1]);
	expect(got.every((message) => "result" in message)).toBe(true);
});

test("methods named like members of objects are not found, and nothing is polluted", async () => {
	const got = await answersTo("012-hostile-method-names");
	expect(got.map(({ error }) => error?.code)).toEqual(Array(8).fill(-32601));
	expect("polluted" in {}).toBe(false);
});

test("messages from the future are ignored, refused or answered, each as what it is", async () => {
	const got = await answersTo("155-messages-from-the-future");
	expect(got.find(({ id }) => id === 77)?.error?.code).toBe(-32601);
	expect(got.find(({ id }) => id === 78)).toHaveProperty("result.protocol");
});

interface Answer {
	id: unknown;
	result?: unknown;
	error?: { code: number };
}

/** What the host answered the fake child with, told by its last notification. */
async function answersTo(name: string): Promise<Answer[]> {
	const told = Promise.withResolvers<Answer[]>();
	const command = [process.execPath, join(cases, name, "fake-child.ts")];
	const starting = bench.start(
		{ one: "" },
		{
			launch: { form: "custom", command },
			wire(_, { message }) {
				const { method, params } = message as { method?: string; params?: { got: Answer[] } };
				if (method === "probe.done" && params !== undefined) told.resolve(params.got);
			},
		},
	);
	const got = await told.promise;
	// It ends without ever becoming ready, which is its own affair.
	await starting;
	return got;
}
