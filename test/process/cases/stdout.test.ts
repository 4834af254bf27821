import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { openCase } from "./support.ts";

const bench = createBench();

test("017-console-everywhere: it loads and runs, and its texts stand in its log with its name", async () => {
	const { host, written, logged } = await openCase(bench, "017-console-everywhere");
	expect(host.plugins.get("plugin").state).toBe("ready");
	expect((await host.commands.run("talk")).ok).toBe(true);
	expect(written()).toEqual(["ran"]);
	await logged("plugin", "{ a: 1 }".replaceAll(/[{}]/g, "").trim());
	await host.stop();
	const output = host.plugins.log("plugin").filter(({ source }) => source === "output");
	expect(output.every(({ plugin }) => plugin === "plugin")).toBe(true);
	const text = output.map(({ message }) => message).join("\n");
	for (const part of ["at import", "no newline at import", "load", "deep", "in command", "a: 1"]) {
		expect(text).toContain(part);
	}
	expect(host.plugins.log("plugin").filter(({ source }) => source === "host")).toEqual([]);
});

test("021-plugin-replaces-console-and-stdout: the runtime keeps what it needs", async () => {
	const { host } = await openCase(bench, "021-plugin-replaces-console-and-stdout");
	expect(await host.tools.call("t", {})).toMatchObject({ ok: true, text: "ok" });
	await host.stop();
	expect(host.plugins.get("plugin")).toMatchObject({ state: "stopped", launches: 1 });
});
