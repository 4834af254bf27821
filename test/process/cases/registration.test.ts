import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { openCase, statesOf } from "./support.ts";

const bench = createBench();
const alone = { events: false };
const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: ${JSON.stringify(name)}, description: "", inputSchema: { type: "object" }, execute: ${execute} });`;

test("059-registration-after-ready: a tool appears and is replaced while the plugin runs, without a reload", async () => {
	const running = await openCase(bench, "059-registration-after-ready");
	const { host } = running;
	const grown = () => host.tools.list().filter(({ key }) => key === "grown");
	const replaced = running.next("registry", ({ change }) => change.changed.some(({ key }) => key === "grown"));
	await host.commands.run("grow");
	expect(grown()).toMatchObject([{ item: { description: "v1" } }]);
	expect((await host.tools.call("grown", {}, alone)).text).toBe("v1");
	await replaced;
	expect(grown()).toMatchObject([{ item: { description: "v2" } }]);
	expect((await host.tools.call("grown", {}, alone)).text).toBe("v2");
	expect(statesOf(running, "plugin")).toEqual(["starting", "ready"]);
});

test("062-same-tool-name-in-two-plugins: ten loads have the same winner, the loser is told, and both stay", async () => {
	const loads = Array.from({ length: 10 }, async () => {
		const { host } = await openCase(bench, "062-same-tool-name-in-two-plugins");
		const calls = ["lookup", "only_a", "only_b"].map((name) => host.tools.call(name, {}, alone));
		expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(["a", "a", "b"]);
		expect(host.plugins.list().map(({ name, state }) => `${name} ${state}`)).toEqual(["a ready", "b ready"]);
		expect(host.why("tool", "lookup")).toEqual({
			kind: "tool",
			key: "lookup",
			plugin: "a",
			refused: [{ plugin: "b", reason: '"a" has a better rank' }],
		});
		await host.stop();
	});
	await Promise.all(loads);
});

test("two plugins that want one name at times of chance have the same winner in twenty runs", async () => {
	const delays = [0, 3, 9, 27, 60];
	const late = (name: string, ms: number) =>
		`export default async (amp) => { await Bun.sleep(${ms}); ${tool("x", `() => "${name}"`)} };`;
	const run = async (index: number) => {
		const folder = bench.path(`run-${index}`);
		mkdirSync(folder);
		const [first, second] = [delays[index % 5] ?? 0, delays[Math.floor(index / 4) % 5] ?? 0];
		await Bun.write(join(folder, "a.ts"), late("a", first));
		await Bun.write(join(folder, "b.ts"), late("b", second));
		const { host } = await bench.start({}, { plugins: [folder] });
		const { text } = await host.tools.call("x", {}, alone);
		const { plugin, refused } = host.why("tool", "x");
		await host.stop();
		return { text, plugin, refused: refused.map((loser) => loser.plugin) };
	};
	const runs = await Promise.all(Array.from({ length: 20 }, (_, index) => run(index)));
	expect(runs).toEqual(Array(20).fill({ text: "a", plugin: "a", refused: ["b"] }));
});

test("064-one-bad-input-schema: each schema is judged alone, refused ones are told by name, and good ones work", async () => {
	const { host, written } = await openCase(bench, "064-one-bad-input-schema");
	expect(host.tools.list().map(({ key }) => key)).toEqual(["s_badreq", "s_ok"]);
	expect((await host.tools.call("s_ok", { x: "1" }, alone)).text).toBe('{"x":"1"}');
	const told = written() as { k: string; msg: string }[];
	expect(told.map(({ k }) => k)).toEqual(["s_string", "s_anyof", "s_null"]);
	for (const { k, msg } of told) {
		expect(msg).toContain(`registerTool("${k}")`);
		expect(msg).toContain("inputSchema");
	}
	const error = await rejection(host.tools.call("s_badreq", {}, alone));
	expect(error).toMatchObject({ code: "invalid_schema", plugin: "plugin" });
	const reports = host.plugins.log("plugin").filter(({ source }) => source === "host");
	expect(reports.map(({ message }) => message)).toEqual([expect.stringContaining("s_badreq")]);
	expect((await host.tools.call("s_ok", { x: "2" }, alone)).ok).toBe(true);
});

test("065-mode-keys-differ-by-case: one mode is there, and the refusal names both keys", async () => {
	const { host, written } = await openCase(bench, "065-mode-keys-differ-by-case");
	expect(host.plugins.get("plugin").state).toBe("ready");
	expect(host.modes.list().map(({ key, item }) => ({ key, label: item.label }))).toEqual([
		{ key: "review", label: "review" },
	]);
	const [{ refused } = { refused: "" }, ...more] = written() as { refused: string }[];
	expect(more).toEqual([]);
	expect(refused).toContain('"review"');
	expect(refused).toContain('"Review"');
});

describe("very many registrations", () => {
	const many = `export default (amp) => {
		for (let n = 0; n < 5_000; n++) ${tool("t", "() => n").replace('"t"', '"t" + n')}
		const flip = amp.registerCommand("flip", { title: "Flip" }, () => {
			for (let n = 0; n < 1_000; n++) flip.setAvailability(n % 2 ? { type: "enabled" } : { type: "disabled", reason: "n" + n });
		});
		const slow = amp.registerCommand("slow", { title: "Slow" }, async () => {
			for (let n = 0; n < 1_000; n++) {
				flip.setAvailability(n % 2 ? { type: "enabled" } : { type: "disabled", reason: "n" + n });
				if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
			}
		});
	};`;

	test("come with ready: 5,000 tools without a question, and a call of the last one works", async () => {
		const { host, wire } = await bench.start({ many });
		expect(wire("many").filter((line) => line.endsWith(".list"))).toEqual([]);
		expect(host.tools.list()).toHaveLength(5_000);
		expect((await host.tools.call("t4999", {}, alone)).text).toBe("4999");
	});

	test("of availability in one call are one list, and in many turns at most one list a turn", async () => {
		const { host, wire } = await bench.start({ many });
		const lists = async (command: string) => {
			const before = wire("many").length;
			expect((await host.commands.run(command)).ok).toBe(true);
			return wire("many")
				.slice(before)
				.filter((line) => line.startsWith("-> ") && line.endsWith(".list"));
		};
		expect(await lists("flip")).toEqual(["-> command.list"]);
		expect(host.commands.list().find(({ item }) => item.id === "flip")?.item.availability).toEqual({ type: "enabled" });
		const slow = await lists("slow");
		expect(new Set(slow)).toEqual(new Set(["-> command.list"]));
		expect(slow.length).toBeLessThanOrEqual(11);
	});
});

test("a skill that is registered without being awaited: the bad one is told, the good one is listed, the process lives", async () => {
	bench.write("guide/skills/good/SKILL.md", "---\nname: good\ndescription: Does good.\n---\nBe good.\n");
	bench.write(
		"guide/index.ts",
		`export default (amp) => {
			amp.registerSkill({ path: "skills/bad" });
			amp.registerSkill({ path: "skills/good" });
			${tool("works", '() => "works"')}
		};`,
	);
	const running = await bench.start({});
	const { host } = running;
	const told = await running.logged("guide", "skill.register");
	expect(told).toMatchObject({ level: "warn", plugin: "guide" });
	expect(told.message).toContain("skills/bad");
	if (host.skills.list().length === 0) await running.next("registry", ({ change }) => change.added.length > 0);
	expect(host.skills.list().map(({ key }) => key)).toEqual(["guide:good"]);
	expect((await host.tools.call("works", {}, alone)).text).toBe("works");
	expect(host.plugins.get("guide")).toMatchObject({ state: "ready", launches: 1 });
});

test("a command that is registered twice runs its newer handler once, and the older subscription takes nothing away", async () => {
	const { host } = await bench.start({
		one: `export default (amp) => {
			const ran = [];
			const old = amp.registerCommand("twice", { title: "Old" }, () => { ran.push("old"); });
			const newer = amp.registerCommand("twice", { title: "New" }, () => { ran.push("new"); });
			amp.registerCommand("unsubscribe old", { title: "" }, () => { old.unsubscribe(); old.setAvailability({ type: "hidden" }); });
			amp.registerCommand("unsubscribe new", { title: "" }, () => newer.unsubscribe());
			${tool("ran", "() => ran.splice(0)")}
		};`,
	});
	const twice = () => host.commands.list().filter(({ item }) => item.id === "twice");
	const ran = async () => JSON.parse((await host.tools.call("ran", {}, alone)).text);
	for (const before of ["nothing", "unsubscribe old"]) {
		if (before !== "nothing") expect((await host.commands.run(before)).ok).toBe(true);
		expect((await host.commands.run("twice")).ok).toBe(true);
		expect(await ran()).toEqual(["new"]);
		expect(twice()).toMatchObject([{ item: { title: "New", availability: { type: "enabled" } } }]);
	}
	await host.commands.run("unsubscribe new");
	expect(twice()).toEqual([]);
	expect(isBroodError(await rejection(host.commands.run("twice")), "command_not_found")).toBe(true);
});

describe("a plugin whose registrations are taken back after ready", () => {
	test("has none of them any more, of no kind, and calls of them fail clearly", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => {
				const agent = amp.getBuiltinAgent("low").definition;
				const all = [
					${tool("t", "() => 1").replace(";", "")},
					amp.registerCommand("c", { title: "C" }, () => {}),
					amp.registerAgentMode({ key: "m", label: "Mode", agent }),
					amp.registerLinkPattern({ id: "l", pattern: "X-[0-9]+", href: "https://example.com/{{match}}" }),
					amp.on("agent.start", () => ({ message: { content: "heard" } })),
				];
				amp.registerCommand("leave", { title: "Leave" }, () => { for (const one of all) one.unsubscribe(); });
			};`,
		});
		const kinds = () => ({
			tools: host.tools.list().length,
			commands: host.commands.list().length,
			modes: host.modes.list().length,
			links: host.links.list().length,
			events: host.plugins.get("one").events,
		});
		expect(kinds()).toEqual({ tools: 1, commands: 2, modes: 1, links: 1, events: ["agent.start"] });
		await host.commands.run("leave");
		expect(kinds()).toEqual({ tools: 0, commands: 1, modes: 0, links: 0, events: [] });
		expect(await rejection(host.tools.call("t", {}))).toMatchObject({ code: "tool_not_found" });
		expect(await rejection(host.commands.run("c"))).toMatchObject({ code: "command_not_found" });
		expect((await host.emit("agent.start", {})).handlers).toEqual([]);
		expect(host.why("tool", "t")).toMatchObject({ plugin: null, refused: [] });
	});
});

test("an event that is emitted while a plugin loads skips that plugin, and never meets a half-made one", async () => {
	const go = JSON.stringify(bench.path("go"));
	const handler = `amp.on("session.start", () => { console.error("saw it as " + state); });`;
	const early = bench.start({
		half: `import { existsSync } from "node:fs";
		export default async (amp) => {
			let state = "half-made";
			${handler}
			console.error("loading");
			while (!existsSync(${go})) await Bun.sleep(5);
			state = "ready";
		};`,
		whole: `export default (amp) => { let state = "ready"; ${handler} };`,
	});
	// The host is there once all have loaded, so one of them loads again.
	await Bun.write(bench.path("go"), "");
	const { host, logged, next, wire } = await early;
	await Bun.file(bench.path("go")).delete();
	await host.disable("half");
	const loading = next("log", ({ entry }) => entry.message === "loading");
	const enabled = host.enable("half");
	await loading;
	const { handlers } = await host.emit("session.start", {});
	expect(handlers.map(({ plugin }) => plugin)).toEqual(["whole"]);
	expect(wire("half")).not.toContain("-> event.dispatch");
	await Bun.write(bench.path("go"), "");
	await enabled;
	expect((await host.emit("session.start", {})).handlers.map(({ plugin }) => plugin)).toEqual(["half", "whole"]);
	await logged("half", "saw it as ready");
	expect(host.plugins.log("half").some(({ message }) => message.includes("half-made"))).toBe(false);
});
