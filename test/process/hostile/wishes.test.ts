import { expect, setDefaultTimeout, test } from "bun:test";
import { deep, tally } from "../../support/effort.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
setDefaultTimeout(300_000);

const quick = { limits: { restart: { delaysMs: [1] }, stop: { disposeMs: 500, interruptMs: 500 } } };
const plugin = `export default (amp) => {
	amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: () => "done" });
	amp.registerCommand("die", { title: "Die" }, () => process.exit(3));
};`;
const wishes = ["enable", "disable", "reload", "call", "die"] as const;

/** Nothing of it is awaited; what it comes to is an answer or an error that is one of brood's. */
function wish({ host }: Running, name: string, kind: (typeof wishes)[number]): Promise<unknown> {
	const made = {
		enable: () => host.enable(name),
		disable: () => host.disable(name),
		reload: () => host.reload(name),
		call: () => host.tools.call("one", {}),
		die: () => host.commands.run("die"),
	}[kind]();
	return made.catch((error: { code?: string }) => expect(String(error.code)).toMatch(/^[a-z_]+$/));
}

test("wishes for one plugin in any order, none awaited, all settle in a state that is one, and a last one is obeyed", async () => {
	const running = await bench.start({ one: plugin }, quick);
	const { host } = running;
	const rounds = deep ? 150 : 12;
	for (let round = 0; round < rounds; round += 1) {
		const order = Array.from(
			{ length: 6 },
			(_, index) => wishes[(round * 7 + index * (round + 3)) % wishes.length] ?? "call",
		);
		await Promise.all(order.map((kind) => wish(running, "one", kind)));
		await host.disable("one");
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null, tools: [], commands: [] });
		await host.enable("one");
		expect(await host.tools.call("one", {})).toMatchObject({ text: "done" });
	}
	tally("rounds of wishes for a real plugin", rounds);
});

test("a call and a disable in the same tick: the call is answered or fails, and no process is left", async () => {
	const { host } = await bench.start({ one: plugin }, quick);
	for (let round = 0; round < (deep ? 50 : 10); round += 1) {
		const [called, disabled] = await Promise.allSettled([host.tools.call("one", {}), host.disable("one")]);
		expect(disabled.status).toBe("fulfilled");
		if (called.status === "fulfilled") expect(called.value.text).toBe("done");
		else expect(called.reason).toHaveProperty("code");
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
		const [enabled, again] = await Promise.allSettled([host.enable("one"), host.tools.call("one", {})]);
		expect([enabled.status, again.status]).toEqual(["fulfilled", "rejected"]);
	}
});

test("disable three times at once, after a crash, and of what never ran: all resolve", async () => {
	const { host, reaches } = await bench.start({ one: plugin, never: "throw new Error('no');" }, quick);
	await Promise.all([host.disable("one"), host.disable("one"), host.disable("one")]);
	await host.enable("one");
	await host.commands.run("die").catch(() => {});
	await Promise.all([host.disable("one"), host.disable("one")]);
	await Promise.all([host.disable("never"), host.disable("never")]);
	await Promise.all([reaches("one", "disabled"), reaches("never", "disabled")]);
});

test("five reloads at once leave one process, and each comes to an end", async () => {
	const running = await bench.start({ one: plugin }, quick);
	const { host, events } = running;
	await Promise.all(Array.from({ length: 5 }, () => host.reload("one")));
	const spawns = events.filter((event) => event.type === "fact" && event.fact === "spawned").length;
	expect(spawns).toBeLessThanOrEqual(6);
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", tools: [{ name: "one" }] });
});
