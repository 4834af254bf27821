import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const idle = `export default (amp) => {
	amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => "done" });
};`;

/** Starts a host with an idle plugin, whose child lies in a cache of its own. */
async function startIdle(options: object = {}): Promise<{ running: Running; cache: string }> {
	const { XDG_CACHE_HOME } = process.env;
	const cache = bench.path("cache");
	process.env.XDG_CACHE_HOME = cache;
	try {
		return { running: await bench.start({ idle }, options), cache };
	} finally {
		if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME;
		else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME;
	}
}

const call = ({ host }: Running) => host.tools.call("t", {});

describe("a plugin that was idle while somebody emptied the cache", () => {
	test.skipIf(process.platform !== "linux")("answers its first call all the same", async () => {
		const { running, cache } = await startIdle();
		const { pid } = running.host.plugins.get("idle");
		while (!readFileSync(`/proc/${pid}/maps`, "utf8").includes("/rest.js")) await Bun.sleep(20);
		rmSync(cache, { recursive: true });
		expect(await call(running)).toMatchObject({ ok: true });
		expect(running.host.plugins.get("idle")).toMatchObject({ pid, launches: 1 });
	});

	test("tells what it misses when that came too early, and is started again", async () => {
		const { running, cache } = await startIdle({ limits: { restart: { delaysMs: [1] } } });
		const [folder = ""] = readdirSync(join(cache, "brood")).filter((name) => name.startsWith("child-"));
		rmSync(join(cache, "brood", folder, "rest.js"));
		const again = running.next("state", ({ state }) => state === "ready");
		const error = await rejection(call(running));
		expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 1 } });
		expect(String(error)).toContain("rest.js");
		await again;
		expect(await call(running)).toMatchObject({ ok: true });
	});
});
