import { expect, test } from "bun:test";
import { createDispatch } from "../../../../host/calls/dispatch.ts";
import { createEvents } from "../../../../host/calls/events.ts";
import type { Backend, BackendCall } from "../../../../host/contracts/backend.ts";
import { createRegistry } from "../../../../host/registry.ts";
import { limits } from "../../../../runtime/limits.ts";
import type { JsonObject } from "../../../../runtime/records.ts";
import { fakeBackend } from "../lifecycle/support.ts";

/** The numbers of calls in the order in which a plugin got them; the first ones wait until the schema is compiled. */
async function orderOf(schema: JsonObject, first: JsonObject): Promise<number[]> {
	const registry = createRegistry();
	const made: number[] = [];
	const tool = { name: "count", description: "", inputSchema: { type: "object", ...schema } };
	registry.publish({ plugin: "one", rank: [3, 0, "one"] }, { tool: [tool] });
	const backend: Backend = {
		...fakeBackend(),
		async call(call: BackendCall) {
			if (call.kind === "tool") made.push(Number(call.input.n));
			return { content: [] };
		},
	};
	const use = <Result>(_: string, task: (backend: Backend) => Promise<Result>) => task(backend);
	const shared = { registry, problem() {}, use };
	const events = createEvents({ ...shared, limits: limits.call, toolCallFailure: "reject", root: () => "/" });
	const { callTool } = createDispatch({ ...shared, events, checkInputs: true, absent: () => [] });
	const calls: Promise<unknown>[] = [];
	const call = () => calls.push(callTool("count", { ...(calls.length === 0 ? first : {}), n: calls.length + 1 }));
	for (let n = 0; n < 10; n += 1) call();
	// Others come at every moment in which the schema may become known.
	while (made.length === 0) {
		call();
		await Promise.resolve();
		if (calls.length % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
	}
	for (let n = 0; n < 10; n += 1) call();
	await Promise.all(calls);
	expect(made).toHaveLength(calls.length);
	return made;
}

const large = { text: "a".repeat(400_000) };

test.each<[string, JsonObject, JsonObject?]>([
	["takes time to compile", { not: { required: ["m"] } }],
	["is plain", { required: ["n"], properties: { n: { type: "number" } } }],
	["is plain until a large input comes", { properties: { text: { minLength: 1 } } }, large],
	["says nothing", {}],
])(
	"calls of a tool whose schema %s reach its plugin in the order in which they were made",
	async (_, schema, first = {}) => {
		const order = await orderOf(schema, first);
		expect(order).toEqual(order.toSorted((a, b) => a - b));
	},
);
