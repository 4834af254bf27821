import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { lockFolder } from "../../../host/base/folder-lock.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = `export default (amp) => {
	const told = async (task) => { try { await task(); return "done"; } catch (error) { return error.code + ": " + error.message; } };
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	tool("get", () => told(() => amp.configuration.get()));
	tool("update", () => told(() => amp.configuration.update({ a: 1 })));
	tool("subscribe", () => told(() => new Promise((_, error) => amp.configuration.subscribe({ next() {}, error }))));
};`;

test("a host says how long a provider of settings has, and how many subscriptions a process of a plugin", async () => {
	const configuration = { get: () => new Promise<never>(() => {}), subscribe: () => ({ unsubscribe() {} }) };
	const limits = { configuration: { answerMs: 50, subscriptionsMax: 0 } };
	const { host } = await bench.start({ p: plugin }, { providers: { configuration }, limits });
	expect((await host.tools.call("get", {})).text).toMatch(/^timeout: .* within 50 ms/);
	expect((await host.tools.call("subscribe", {})).text).toStartWith("busy: ");
});

test("a host says how long a settings file that another program changes is waited for", async () => {
	const cwd = bench.path("workspace");
	mkdirSync(`${cwd}/.brood`, { recursive: true });
	const { host } = await bench.start({ p: plugin }, { cwd, limits: { configuration: { lockMs: 50 } } });
	const unlock = await lockFolder(`${cwd}/.brood`);
	expect((await host.tools.call("update", {})).text).toMatch(/^timeout: .* within 50 ms/);
	await unlock();
	expect((await host.tools.call("update", {})).text).toBe("done");
});
