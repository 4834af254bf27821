import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EnablementStore, PluginKey } from "../../../host/index.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();
const tool = (name: string) =>
	`export default (amp) => { amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => process.exit(3) }); };`;
const places = { plugins: [], places: true };
const stateFile = () => join(process.env.XDG_STATE_HOME ?? "", "brood/plugins.json");

/** Puts a plugin into the place of the user. */
function put(name: string, source = tool(name)): string {
	const path = join(process.env.XDG_CONFIG_HOME ?? "", "brood/plugins", `${name}.ts`);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, source);
	return path;
}

/** A store in memory. */
function memory(off: string[] = []) {
	const keys: PluginKey[] = [];
	const store: EnablementStore = {
		async read(plugins) {
			keys.push(...plugins);
			return plugins.map(({ name }) => (off.includes(name) ? false : undefined));
		},
		async write(plugins, enabled) {
			for (const { name } of plugins) {
				if (!enabled) off.push(name);
				else off.splice(off.indexOf(name), 1);
			}
		},
	};
	return { store, off, keys };
}

describe("what a host keeps of on and off", () => {
	test("is nothing unless it is told to", async () => {
		put("one");
		const { host } = await bench.start({}, places);
		await host.disable("one");
		expect(host.plugins.get("one").state).toBe("disabled");
		expect(host.tools.list()).toEqual([]);
		expect(existsSync(stateFile())).toBe(false);
		expect((await bench.start({}, places)).host.plugins.get("one").state).toBe("ready");
	});

	test("is in later hosts with persist, and enable takes it back in the one that runs", async () => {
		put("one");
		const { host } = await bench.start({}, places);
		await host.disable("one", { persist: true });
		const later = await bench.start({}, places);
		expect(later.host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null, launches: 0 });
		expect(later.events).toContainEqual({ type: "state", plugin: "one", state: "disabled" });
		await later.host.enable("one", { persist: true });
		expect(later.host.plugins.get("one").state).toBe("ready");
		expect(later.host.tools.list()).toHaveLength(1);
		expect(host.plugins.get("one").state).toBe("disabled");
		expect((await bench.start({}, places)).host.plugins.get("one").state).toBe("ready");
	});

	test("is all or nothing: what cannot be kept leaves the plugin as it was", async () => {
		put("one");
		const { host } = await bench.start({}, places);
		mkdirSync(dirname(stateFile()), { recursive: true });
		writeFileSync(stateFile(), "{");
		const error = await rejection(host.disable("one", { persist: true }));
		expect(isBroodError(error, "invalid_state") && error.message).toContain(stateFile());
		expect(host.plugins.get("one").state).toBe("ready");
		expect(readFileSync(stateFile(), "utf8")).toBe("{");
	});

	test("is not of plugins that were named by their path", async () => {
		const { host } = await bench.start({ one: tool("one") });
		expect(isBroodError(await rejection(host.disable("one", { persist: true })), "usage")).toBe(true);
		expect(host.plugins.get("one").state).toBe("ready");
		await host.disable("one");
		expect(host.plugins.get("one").state).toBe("disabled");
	});
});

describe("the store", () => {
	test("of an embedder is asked instead of the file, by keys that mean one plugin anywhere", async () => {
		const path = put("one");
		put("two");
		const { store, off, keys } = memory(["one"]);
		const { host } = await bench.start({ explicit: tool("explicit") }, { places: true, enablement: store });
		const states = host.plugins.list().map(({ name, state }) => [name, state]);
		expect(states).toEqual([
			["explicit", "ready"],
			["one", "disabled"],
			["two", "ready"],
		]);
		const key = { system: "amp", scope: "user", directory: dirname(path) };
		expect(keys as unknown[]).toEqual([
			{ ...key, name: "one" },
			{ ...key, name: "two" },
		]);
		await host.enable("one", { persist: true });
		await host.disable("two", { persist: true });
		expect(off).toEqual(["two"]);
		expect(existsSync(stateFile())).toBe(false);
	});

	test("that is false lets all run that was switched off, and keeps nothing", async () => {
		put("one");
		await (await bench.start({}, places)).host.disable("one", { persist: true });
		const { host } = await bench.start({}, { ...places, enablement: false });
		expect(host.plugins.get("one").state).toBe("ready");
		expect(isBroodError(await rejection(host.disable("one", { persist: true })), "usage")).toBe(true);
	});

	test("that fails starts none of what it was asked about, each with the reason, and enable starts one all the same", async () => {
		put("one");
		const store: EnablementStore = { read: () => Promise.reject(new Error("no disk")), write: async () => {} };
		const { host, logged } = await bench.start({ explicit: tool("explicit") }, { places: true, enablement: store });
		expect(host.plugins.get("explicit").state).toBe("ready");
		const { state, error } = host.plugins.get("one");
		expect({ state, code: error?.code }).toEqual({ state: "disabled", code: "provider_failed" });
		expect((await logged("one", "no disk")).level).toBe("error");
		await host.enable("one");
		expect(host.plugins.get("one")).not.toHaveProperty("error");
		expect(host.plugins.get("one").state).toBe("ready");
	});
});

test("enable forgets the crashes of a plugin that runs, so that it has all its restarts again", async () => {
	const { host, next } = await bench.start({ one: tool("one") }, { limits: { restart: { delaysMs: [1] } } });
	const crash = async () => {
		const back = next("state", ({ state }) => state === "ready" || state === "failed");
		await rejection(host.tools.call("one", {}));
		return (await back).state;
	};
	expect([await crash(), await crash(), await crash()]).toEqual(["ready", "ready", "ready"]);
	expect(host.plugins.get("one").launches).toBe(4);
	const { pid } = host.plugins.get("one");
	await host.enable("one");
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1, pid });
	expect(await crash()).toBe("ready");
	expect(host.plugins.get("one").launches).toBe(2);
});
