import { describe, expect, test } from "bun:test";
import { messageOf } from "../../../runtime/errors.ts";
import type { JsonObject } from "../../../runtime/records.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A plugin whose tools answer with their input; each has its own schema. */
const tools = (schemas: Record<string, object>) => `export default (amp) => {
	for (const [name, inputSchema] of Object.entries(${JSON.stringify(schemas)})) {
		amp.registerTool({ name, description: "", inputSchema, execute: (input) => JSON.stringify(input) });
	}
	amp.registerTool({ name: "pid", description: "", inputSchema: { type: "object" }, execute: () => String(process.pid) });
};`;
const strict = {
	type: "object",
	properties: { path: { type: "string" }, lines: { type: "integer", minimum: 1 } },
	required: ["path"],
	additionalProperties: false,
};

describe("an input", () => {
	test("that fits its schema reaches the tool unchanged", async () => {
		const { host } = await bench.start({ one: tools({ read: strict }) });
		expect((await host.tools.call("read", { path: "a", lines: 2 })).text).toBe('{"path":"a","lines":2}');
	});

	test.each<[JsonObject, string]>([
		[{}, "it must have required property 'path'"],
		[{ path: 7 }, "path must be string"],
		[{ path: "a", lines: 0 }, "lines must be >= 1"],
		[{ path: "a", other: true }, "it must NOT have additional properties"],
	])("%j is refused with the reason and does not reach the plugin", async (input, reason) => {
		const { host, wire } = await bench.start({ one: tools({ read: strict }) });
		const before = wire("one").length;
		const error = await rejection(host.tools.call("read", input));
		expect(error).toMatchObject({ code: "invalid_input", plugin: "one" });
		expect(messageOf(error)).toContain('"read"');
		expect(messageOf(error)).toContain(reason);
		expect(wire("one").slice(before)).toEqual([]);
	});

	test("all that is wrong with it is told at once", async () => {
		const { host } = await bench.start({ one: tools({ read: strict }) });
		const error = await rejection(host.tools.call("read", { lines: 0.5 }));
		expect(error).toMatchObject({ message: expect.stringMatching(/path.*; .*lines|lines.*; .*path/) });
	});

	test("reaches the tool whatever it is where the host does not check", async () => {
		const { host } = await bench.start(
			{ one: tools({ read: strict, odd: { type: "object", required: 7 } }) },
			{ checkInputs: false },
		);
		expect((await host.tools.call("read", { lines: "none" })).text).toBe('{"lines":"none"}');
		expect((await host.tools.call("odd", {})).text).toBe("{}");
	});

	test("that a gate has modified is checked as the gate left it", async () => {
		const { host } = await bench.start({
			gate: `export default (amp) => amp.on("tool.call", () => ({ action: "modify", input: { path: 7 } }));`,
			one: tools({ read: strict }),
		});
		expect(await rejection(host.tools.call("read", { path: "fits" }))).toMatchObject({ code: "invalid_input" });
	});
});

describe("a schema", () => {
	test("that does not compile is reported, its calls fail with the reason, and other tools work", async () => {
		const { host } = await bench.start({
			one: tools({ odd: { type: "object", properties: { a: { type: "strin" } } }, read: strict }),
		});
		expect(host.tools.list().map(({ key }) => key)).toEqual(["odd", "read", "pid"]);
		const error = await rejection(host.tools.call("odd", { a: 1 }));
		expect(error).toMatchObject({ code: "invalid_schema", plugin: "one" });
		expect(messageOf(error)).toContain('"odd"');
		expect(host.plugins.log("one")).toMatchObject([{ source: "host", level: "warn", message: messageOf(error) }]);
		expect((await host.tools.call("read", { path: "a" })).ok).toBe(true);
		expect(host.plugins.get("one").state).toBe("ready");
	});

	test("with an unknown $ref does not compile either", async () => {
		const { host } = await bench.start({
			one: tools({ odd: { type: "object", properties: { a: { $ref: "#/$defs/gone" } } } }),
		});
		expect(await rejection(host.tools.call("odd", {}))).toMatchObject({ code: "invalid_schema" });
	});

	test("may have a pattern that would take for ever, which never runs in the host", async () => {
		const text = "a".repeat(64);
		const { host } = await bench.start({
			one: tools({
				slow: {
					type: "object",
					properties: { text: { type: "string", pattern: "^(a+)+$" } },
					patternProperties: { "^(b+)+$": { type: "number" } },
					additionalProperties: false,
				},
			}),
		});
		const input = { text: `${text}!`, ["b".repeat(64).concat("!")]: "x" };
		expect((await host.tools.call("slow", input)).text).toBe(JSON.stringify(input));
	});

	test("may name formats that nobody knows", async () => {
		const { host } = await bench.start({
			one: tools({ mail: { type: "object", properties: { to: { type: "string", format: "email-ish" } } } }),
		});
		expect((await host.tools.call("mail", { to: "nobody" })).text).toBe('{"to":"nobody"}');
	});

	test("keeps the process that it belongs to: nothing is started anew for a refusal", async () => {
		const { host } = await bench.start({ one: tools({ read: strict }) });
		const { pid } = host.plugins.get("one");
		await rejection(host.tools.call("read", {}));
		expect((await host.tools.call("pid", {})).text).toBe(String(pid));
	});
});
