import { expect, test } from "bun:test";
import { noUI, type Providers } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const hello = ["<- client.info", "-> client.info ok", "<- runtime.stage import", "<- runtime.stage activate"];
const tool = (name: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => "${name}" });`;

test("a load says hello, both stages, each changed kind once and ready; then exactly those kinds are listed, once", async () => {
	const { wire } = await bench.start({
		full: `export default (amp) => {
			amp.on("agent.end", () => {});
			${tool("one")} ${tool("two")} ${tool("three")}
			amp.registerCommand("go", { title: "Go" }, () => {});
			amp.on("agent.end", () => {});
			${tool("four")}
		};`,
	});
	expect(wire("full")).toEqual([
		...hello,
		"<- commands.changed",
		"<- tools.changed",
		"<- events.changed",
		"<- runtime.ready",
		"-> command.list",
		"-> tool.list",
		"-> event.list",
		"<- command.list ok",
		"<- tool.list ok",
		"<- event.list ok",
	]);
});

test("the hello names protocol, runtime, process and guard, and is answered with all that the API needs", async () => {
	const { frames, host } = await bench.start({ one: "export default () => {};" });
	const [asked, answered] = frames("one").map(({ message }) => message as { params?: object; result?: object });
	const { pid } = host.plugins.get("one");
	expect(asked?.params).toEqual({
		protocol: "1.0.0",
		runtimeVersion: Bun.version,
		pid,
		codecs: ["ndjson"],
		guard: "descriptors",
		ms: expect.any(Number),
	});
	expect(answered?.result).toMatchObject({
		protocol: "1.0.0",
		client: { name: "brood" },
		plugin: { name: "one", path: expect.stringMatching(/\/plugins\/one\.ts$/), scope: "explicit", kind: "file" },
		ui: false,
		executor: { kind: "local" },
		activeThread: null,
		codec: "ndjson",
	});
});

test("the hello names the providers that answer, be they defaults or the host's own", async () => {
	const ui = { ...noUI(), available: true };
	const upload = async () => ({ url: "https://example.com/1" });
	const executor = { kind: "remote" as const, keepAlive: () => ({ unsubscribe() {} }) };
	for (const [providers, names] of [
		[{}, ["configuration", "system", "threads"]],
		[
			{ ui, executor, attachments: { upload } },
			["attachments", "configuration", "executor", "system", "threads", "ui"],
		],
		[{ executor: { kind: "remote" } }, ["configuration", "system", "threads"]],
	] satisfies [Providers, string[]][]) {
		const { frames, host } = await bench.start({ one: "export default () => {};" }, { providers });
		const [, answered] = frames("one").map(({ message }) => message as { result?: { providers: string[] } });
		expect(answered?.result?.providers.toSorted()).toEqual([...names, "webhooks"].sort());
		await host.stop();
	}
});

test("a plugin that registers nothing is asked for nothing", async () => {
	const { wire, host } = await bench.start({ still: "export default () => {};" });
	expect(wire("still")).toEqual([...hello, "<- runtime.ready"]);
	expect(host.plugins.get("still").state).toBe("ready");
});

test("each of the six kinds is told of and listed once", async () => {
	bench.write("whole/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n");
	const { wire, host } = await bench.start({
		"whole/index.ts": `export default async (amp) => {
			amp.registerLinkPattern({ id: "issue", pattern: "X-\\\\d+", href: "https://example.com/{{match}}" });
			amp.registerAgentMode({ key: "calm", label: "Calm", agent: amp.getBuiltinAgent("smart") });
			amp.on("session.start", () => {});
			${tool("one")}
			amp.registerCommand("go", { title: "Go" }, () => {});
			await amp.registerSkill({ path: "skills/tidy" });
		};`,
	});
	expect(host.plugins.get("whole")).toMatchObject({ state: "ready", skills: [{ name: "whole:tidy" }] });
	const kinds = ["command", "event", "link", "mode", "skill", "tool"];
	const lines = wire("whole");
	const ready = lines.indexOf("<- runtime.ready");
	const told = lines.slice(0, ready).filter((line) => line.endsWith(".changed"));
	expect(told.sort()).toEqual(kinds.map((kind) => `<- ${kind}s.changed`));
	expect(lines.slice(ready + 1).sort()).toEqual([
		...kinds.map((kind) => `-> ${kind}.list`),
		...kinds.map((kind) => `<- ${kind}.list ok`),
	]);
});

test("what is registered in several turns before ready is told once a turn, and listed once", async () => {
	const { wire, host } = await bench.start({
		slow: `export default async (amp) => {
			${tool("one")} ${tool("two")}
			await Bun.sleep(20);
			${tool("three")}
			await Bun.sleep(20);
			amp.registerCommand("go", { title: "Go" }, () => {});
		};`,
	});
	expect(wire("slow")).toEqual([
		...hello,
		"<- tools.changed",
		"<- tools.changed",
		"<- commands.changed",
		"<- runtime.ready",
		"-> tool.list",
		"-> command.list",
		"<- tool.list ok",
		"<- command.list ok",
	]);
	expect(host.plugins.get("slow").tools.map(({ name }) => name)).toEqual(["one", "two", "three"]);
});

test("a load that fails is told by one notification, and nothing is sent to that child any more", async () => {
	const { wire } = await bench.start({
		bad: `export default (amp) => { ${tool("one")} throw new Error("no"); };`,
	});
	expect(wire("bad").filter((line) => !line.endsWith(".changed"))).toEqual([...hello, "<- runtime.failed activate"]);
});

test("what the API asks while loading goes out in order between the stages and ready", async () => {
	const { wire } = await bench.start({
		asks: `export default async (amp) => {
			await amp.configuration.get();
			amp.logger.log("one", { two: 2 });
			await amp.system.open("javascript:1").catch(() => {});
		};`,
	});
	expect(wire("asks")).toEqual([
		...hello,
		"<- configuration.get",
		"-> configuration.get ok",
		"<- log",
		"<- system.open",
		"-> system.open failed",
		"<- runtime.ready",
	]);
});
