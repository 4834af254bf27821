import { describe, expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { openCase } from "./support.ts";

const bench = createBench();
const alone = { events: false };

test("014-result-cannot-be-json: each bad result is an error that names tool and reason, and the process goes on", async () => {
	const { host } = await openCase(bench, "014-result-cannot-be-json");
	const { pid } = host.plugins.get("plugin");
	const reasons: Record<string, string> = {
		bad_bigint: "BigInt",
		bad_cycle: "cyclic",
		bad_fn: "function",
		bad_sym: "symbol",
		bad_getter: "getter",
	};
	for (const [tool, reason] of Object.entries(reasons)) {
		const { ok, text, error } = await host.tools.call(tool, {}, alone);
		expect({ ok, code: (error as { code?: string }).code }).toEqual({ ok: false, code: "not_serializable" });
		expect(text).toContain(`"${tool}"`);
		expect(text).toContain(reason);
	}
	expect(await host.tools.call("bad_undef", {}, alone)).toMatchObject({ ok: true, content: [] });
	expect(await host.tools.call("good", {}, alone)).toMatchObject({ ok: true, text: "good" });
	expect(host.plugins.get("plugin")).toMatchObject({ state: "ready", launches: 1, pid });
});

test("022-exit-right-after-large-reply: the whole result arrives, whatever the plugin does next", async () => {
	const running = await openCase(bench, "022-exit-right-after-large-reply", {
		limits: { restart: { delaysMs: [1], retriesMax: 100 } },
	});
	for (const launches of [1, 2, 3, 4, 5]) {
		expect(running.host.plugins.get("plugin").launches).toBe(launches);
		const again = running.next("state", ({ state }) => state === "ready");
		const begin = performance.now();
		const { ok, text } = await running.host.tools.call("big", {}, alone);
		expect({ ok, length: text.length }).toEqual({ ok: true, length: 300_000 });
		expect(performance.now() - begin).toBeLessThan(2_000);
		expect(text).toBe("x".repeat(300_000));
		await again;
	}
	expect(running.host.plugins.get("plugin")).not.toHaveProperty("error");
});

describe("an exit that the plugin asks for", () => {
	const exits = (body: string) => `export default (amp) => amp.registerTool({ name: "ends", description: "",
		inputSchema: { type: "object" }, execute: async () => { ${body} } });`;
	const options = { limits: { restart: { delaysMs: [60_000] } } };

	test("loses no answer to a host that is too busy to read", async () => {
		const { host, until } = await bench.start(
			{ one: exits('setTimeout(() => process.exit(0)); return "x".repeat(8_000_000);') },
			options,
		);
		const call = host.tools.call("ends", {}, alone);
		// The call leaves, then nobody reads while the plugin answers and ends.
		await new Promise((resolve) => setImmediate(resolve));
		Bun.sleepSync(300);
		expect((await call).text.length).toBe(8_000_000);
		const { error } = await until("state", ({ state }) => state === "restarting");
		expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 0, signal: null } });
	});

	test("loses nothing that was said in the same turn, and comes with its code", async () => {
		const { host, logged } = await bench.start(
			{ one: exits('amp.logger.log("last words"); process.exit(7);') },
			options,
		);
		const error = await rejection(host.tools.call("ends", {}, alone));
		expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 7, signal: null } });
		expect(await logged("one", "last words")).toMatchObject({ source: "plugin" });
	});

	test("does not come back, also where the plugin has said nothing", async () => {
		const { host, logged } = await bench.start(
			{ one: exits('console.error("before"); try { process.exit(); } finally { console.error("after"); }') },
			options,
		);
		expect(await rejection(host.tools.call("ends", {}, alone))).toMatchObject({ exit: { code: 0 } });
		await logged("one", "before");
		const output = host.plugins.log("one").filter(({ source }) => source === "output");
		expect(output.map(({ message }) => message)).toEqual(["before"]);
	});
});
