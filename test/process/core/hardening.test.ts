import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { isBroodError, noUI } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

/** Each of these once broke a host, or another plugin. */
const bench = createBench();

const tool = (name: string, execute: string, schema = '{ type: "object" }') =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: ${schema}, execute: ${execute} });`;
const plugin = (body: string) => `export default (amp) => { ${body} };`;

test("a handler that never ends holds no place once it was given up: 1,100 of them leave the plugin usable", async () => {
	const hangs = 'amp.on("session.start", () => new Promise(() => {}));';
	const { host } = await bench.start(
		{ one: plugin(hangs + tool("t", '() => "works"')) },
		{ limits: { call: { eventHandlerMs: 30 } } },
	);
	for (let round = 0; round < 4; round += 1) {
		await Promise.all(Array.from({ length: 275 }, () => host.emit("session.start")));
	}
	expect((await host.tools.call("t", {})).text).toBe("works");
});

test("two plugins that hang while they load hold up no other", async () => {
	const hang = "await new Promise(() => {}); export default () => {};";
	const { host, events } = await bench.start(
		{ a: hang, b: hang, c: plugin("") },
		{ limits: { load: { readyMs: 2_000 } } },
	);
	expect(host.plugins.list().map(({ state }) => state)).toEqual(["failed", "failed", "ready"]);
	const states = events.flatMap((event) => (event.type === "state" ? [`${event.plugin} ${event.state}`] : []));
	expect(states.indexOf("c ready")).toBeLessThan(states.indexOf("a failed"));
});

const registers = `amp.registerTool({ name: "g" + n, description: "", inputSchema: { type: "object" }, execute: () => "grown" });`;

test.each([
	["its answer", `({ n }) => { ${registers} }`],
	["an answer that takes time", `async ({ n }) => { await null; ${registers} }`],
	["an answer that is only like a promise", `({ n }) => ({ then(answer) { ${registers} answer(); } })`],
])("what a tool registers is there when %s is", async (_, execute) => {
	const grow = tool("grow", execute);
	const { host } = await bench.start({ one: plugin(grow) });
	for (let n = 0; n < 20; n += 1) {
		await host.tools.call("grow", { n });
		expect((await host.tools.call(`g${n}`, {})).text).toBe("grown");
	}
});

test("a reload is not thrown away when the old instance crashes meanwhile", async () => {
	const slow = (body: string) => `export default async (amp) => { ${body} await Bun.sleep(300); };`;
	const { host, until } = await bench.start(
		{ one: slow(tool("die", "() => process.exit(3)")) },
		{ limits: { restart: { delaysMs: [20] } } },
	);
	const reloaded = host.reload("one");
	await host.tools.call("die", {}).catch(() => {});
	await until("state", ({ state }) => state === "restarting");
	await reloaded;
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
});

describe("a schema of a plugin", () => {
	const refused = async (schema: string) => {
		const { host } = await bench.start({ one: plugin(tool("t", '() => "ran"', schema)) });
		return host.tools.call("t", {}).catch((error: unknown) => error);
	};

	test("that asks for an asynchronous check is checked all the same", async () => {
		const error = await refused('{ type: "object", $async: true, required: ["x"] }');
		expect(isBroodError(error, "invalid_input")).toBe(true);
	});

	test("that refers to itself without end, or doubles at each reference, is refused as a schema", async () => {
		expect(isBroodError(await refused('{ type: "object", allOf: [{ $ref: "#" }] }'), "invalid_schema")).toBe(true);
		const doubling = `(() => { const $defs = { d40: {} }; for (let i = 0; i < 40; i++) { const $ref = "#/$defs/d" + (i + 1);
			$defs["d" + i] = { allOf: [{ $ref }, { $ref }] }; } return { type: "object", $defs, $ref: "#/$defs/d0" }; })()`;
		expect(isBroodError(await refused(doubling), "invalid_schema")).toBe(true);
	});

	test("may name members like those that objects inherit", async () => {
		expect(await refused('{ type: "object", properties: { constructor: { type: "string" } } }')).toMatchObject({
			ok: true,
		});
		const error = await refused('{ type: "object", required: ["toString"] }');
		expect(isBroodError(error, "invalid_input")).toBe(true);
	});
});

test("an input that is no object is refused, whatever the schema", async () => {
	const { host } = await bench.start({ one: plugin(tool("t", "() => 1")) });
	for (const input of ["x", null, [1], 5]) {
		const error = await host.tools.call("t", input as never).catch((thrown: unknown) => thrown);
		expect(isBroodError(error, "invalid_input")).toBe(true);
	}
});

test("a result whose contents JSON would drop is refused by name", async () => {
	const { host } = await bench.start({
		one: plugin(tool("map", "() => ({ found: new Map([[1, 2]]) })") + tool("ok", "() => ({ at: new Date(0) })")),
	});
	expect((await host.tools.call("map", {})).text).toContain('"found" is a Map');
	expect((await host.tools.call("ok", {})).text).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test("times that no timer can count are no limit, and what is no number is refused", async () => {
	const { host } = await bench.start(
		{ one: plugin(tool("t", "() => Bun.sleep(50).then(() => 1)")) },
		{ limits: { load: { readyMs: Infinity }, stop: { disposeMs: Infinity, interruptMs: 2 ** 40 } } },
	);
	for (const timeoutMs of [2 ** 31, Infinity]) {
		expect((await host.tools.call("t", {}, { timeoutMs })).ok).toBe(true);
	}
	const wrong = bench.start({ one: plugin("") }, { limits: { load: { readyMs: "x" as never } } });
	expect(await wrong.catch((error: unknown) => String(error))).toContain("limits.load.readyMs");
});

test("a provider or an observer that throws costs neither the stop nor the wire", async () => {
	const ui = {
		...noUI(),
		get available(): boolean {
			throw new Error("no idea");
		},
	};
	const broken = await bench.start({ one: plugin("") }, { providers: { ui } });
	expect(broken.host.plugins.get("one").error?.message).toContain("no idea");
	await broken.host.stop();
	const wire = () => {
		throw new Error("wire boom");
	};
	const { host } = await bench.start({ one: plugin(tool("t", '() => "works"')) }, { wire });
	expect((await host.tools.call("t", {})).text).toBe("works");
	expect(host.plugins.log("one").some(({ message }) => message.includes("wire boom"))).toBe(true);
});

test("an event that does not exist is refused with those that do", async () => {
	const { host } = await bench.start({ one: plugin("") });
	for (const name of ["nonsense", "constructor"]) {
		const error = await host.emit(name as never).catch((thrown: unknown) => thrown);
		expect(String(error)).toContain("session.start");
	}
});

test("a plugin whose file is gone fails to load without a place in the runtime's own file", async () => {
	const { host } = await bench.start({ one: plugin("") });
	rmSync(host.plugins.get("one").path);
	const error = await host.reload("one").catch((thrown: unknown) => thrown);
	expect(isBroodError(error, "load_failed") && error.positions).toBeUndefined();
	expect(String(error)).toContain("one.ts");
});

test("how long a start keeps its place can be set", async () => {
	// One that waits needs no place.
	const hang = "for (;;) {} export default () => {};";
	const places = Math.max(2, navigator.hardwareConcurrency);
	const plugins = Object.fromEntries(Array.from({ length: places }, (_, index) => [`h${index}`, hang]));
	const limits = { load: { readyMs: 800, startPlaceMs: 60_000 } };
	const { events } = await bench.start({ ...plugins, z: plugin("") }, { limits });
	const states = events.flatMap((event) => (event.type === "state" ? [`${event.plugin} ${event.state}`] : []));
	expect(states.indexOf("z ready")).toBeGreaterThan(states.indexOf("h0 failed"));
});
