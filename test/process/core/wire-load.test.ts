import { expect, test } from "bun:test";
import { noUI, type Providers } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const hello = ["<- client.info", "<- runtime.stage import", "<- runtime.stage activate"];
/** The lines of a load; the plugin is imported while the answer to hello is on its way, which may come before or after. */
const story = (lines: string[]) => {
	const answer = lines.indexOf("-> client.info ok");
	expect([1, 2]).toContain(answer);
	return lines.toSpliced(answer, 1);
};
const listsOf = (frames: { message: unknown }[]): object => {
	const { params } = (frames.at(-1)?.message ?? {}) as { params?: { lists?: object } };
	return params?.lists ?? {};
};
type Answer = { result?: { providers: string[] } };
const answerOf = (frames: { message: unknown }[]) =>
	frames.map(({ message }) => message as Answer).find((message) => message.result !== undefined);
const tool = (name: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => "${name}" });`;

test("a load says hello, both stages and ready, which brings the lists of what was registered: nothing is asked for", async () => {
	const { wire, frames } = await bench.start({
		full: `export default (amp) => {
			amp.on("agent.end", () => {});
			${tool("one")} ${tool("two")} ${tool("three")}
			amp.registerCommand("go", { title: "Go" }, () => {});
			amp.on("agent.end", () => {});
			${tool("four")}
		};`,
	});
	expect(story(wire("full"))).toEqual([...hello, "<- runtime.ready"]);
	expect(listsOf(frames("full"))).toEqual({
		command: { revision: 1, items: [expect.objectContaining({ id: "go" })] },
		tool: { revision: 4, items: ["one", "two", "three", "four"].map((name) => expect.objectContaining({ name })) },
		event: { revision: 2, items: [1, 2].map((handler) => ({ name: "agent.end", handler })) },
	});
});

test("the hello names protocol, runtime, process and guard, and is answered with all that the API needs", async () => {
	const { frames, host } = await bench.start({ one: "export default () => {};" });
	const [asked] = frames("one").map(({ message }) => message as { params?: object });
	const answered = answerOf(frames("one"));
	const { pid } = host.plugins.get("one");
	expect(asked?.params).toEqual({
		protocol: "1.0.0",
		runtimeVersion: Bun.version,
		pid,
		codecs: ["ndjson", "ndjson+parts"],
		guard: "socket",
		ms: expect.any(Number),
	});
	expect(answered?.result).toMatchObject({
		protocol: "1.0.0",
		client: { name: "brood" },
		plugin: { name: "one", path: expect.stringMatching(/\/plugins\/one\.ts$/), scope: "explicit", kind: "file" },
		ui: false,
		executor: { kind: "local" },
		activeThread: null,
		codec: "ndjson+parts",
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
		const answered = answerOf(frames("one"));
		expect(answered?.result?.providers.toSorted()).toEqual([...names, "webhooks"].sort());
		await host.stop();
	}
});

test("a plugin that registers nothing is asked for nothing", async () => {
	const { wire, host } = await bench.start({ still: "export default () => {};" });
	expect(story(wire("still"))).toEqual([...hello, "<- runtime.ready"]);
	expect(host.plugins.get("still").state).toBe("ready");
});

test("each of the six kinds is told of, and in the lists of ready", async () => {
	bench.write("whole/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n");
	const { frames, host } = await bench.start({
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
	expect(Object.keys(listsOf(frames("whole"))).sort()).toEqual(kinds);
});

test("what is registered in several turns before ready is told once a turn, the last of it by ready", async () => {
	const { wire, host } = await bench.start({
		slow: `export default async (amp) => {
			${tool("one")} ${tool("two")}
			await Bun.sleep(20);
			${tool("three")}
			await Bun.sleep(20);
			amp.registerCommand("go", { title: "Go" }, () => {});
		};`,
	});
	expect(story(wire("slow"))).toEqual([...hello, "<- tools.changed", "<- tools.changed", "<- runtime.ready"]);
	expect(host.plugins.get("slow").tools.map(({ name }) => name)).toEqual(["one", "two", "three"]);
});

test("lists of more than a million characters are asked for, so that ready stays small", async () => {
	const { wire, host } = await bench.start({
		much: `export default (amp) => {
			const description = "x".repeat(300_000);
			for (const name of ["a", "b", "c", "d"])
				amp.registerTool({ name, description, inputSchema: { type: "object" }, execute: () => name });
		};`,
	});
	expect(story(wire("much"))).toEqual([
		...hello,
		"<- tools.changed",
		"<- runtime.ready",
		"-> tool.list",
		"<- tool.list ok",
	]);
	expect(host.plugins.get("much").tools).toHaveLength(4);
});

test("a load that fails is told by one notification, and nothing is sent to that child any more", async () => {
	const { wire } = await bench.start({
		bad: `export default (amp) => { ${tool("one")} throw new Error("no"); };`,
	});
	expect(story(wire("bad")).filter((line) => !line.endsWith(".changed"))).toEqual([
		...hello,
		"<- runtime.failed activate",
	]);
});

test("what the API asks while loading goes out in order between the stages and ready", async () => {
	const { wire } = await bench.start({
		asks: `export default async (amp) => {
			await amp.configuration.get();
			amp.logger.log("one", { two: 2 });
			await amp.system.open("javascript:1").catch(() => {});
		};`,
	});
	expect(story(wire("asks"))).toEqual([
		...hello,
		"<- configuration.get",
		"-> configuration.get ok",
		"<- log",
		"<- system.open",
		"-> system.open failed",
		"<- runtime.ready",
	]);
});
