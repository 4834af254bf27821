import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A plugin that makes each of these calls and answers with what each of them said. */
const calling = (calls: string[]) => `export default (amp) => {
	const told = [${calls.map((call) => `() => { ${call}; }`).join(",\n")}].map((call) => {
		try { call(); return "accepted"; } catch (error) { return error.code + ": " + error.message; }
	});
	amp.registerTool({ name: "told", description: "", inputSchema: { type: "object" }, execute: () => told });
};`;

describe("the observable protocol", () => {
	const library = `export const key = Symbol.observable ?? "@@observable"; export const from = (source) => source[key]();`;
	const observes = `import { from, key } from "./library.js";
		export default (amp) => {
			const sources = { configuration: amp.configuration, activeThread: amp.activeThread, title: amp.threads.get("T-1").title, state: amp.threads.get("T-1").state };
			amp.registerTool({ name: "observe", description: "", inputSchema: { type: "object" }, async execute() {
				const seen = { key: typeof key };
				for (const [name, source] of Object.entries(sources)) {
					const ways = [
						(listen) => from(source).subscribe(listen),
						(listen) => source.subscribe({ next: listen }),
						(listen) => source.pipe((same) => same).subscribe({ next: listen, error() {}, complete() {} }),
					];
					seen[name] = [source.pipe((same) => same) === source || typeof source.pipe((same) => same).subscribe, source.pipe(() => 5)];
					for (const way of ways) {
						const { promise, resolve } = Promise.withResolvers();
						const subscription = way(resolve);
						seen[name].push(JSON.stringify(await promise));
						subscription.unsubscribe();
						subscription.unsubscribe();
					}
				}
				return seen;
			} });
		};`;

	test("has its key before a plugin's libraries look for it, and each observable speaks it", async () => {
		bench.write("observes/library.js", library);
		const { host } = await bench.start({ "observes/index.ts": observes });
		host.threads?.create({ id: "T-1", title: "Plans" });
		host.threads?.setActive("T-1");
		const { text } = await host.tools.call("observe", {});
		const three = (value: unknown) => expect.arrayContaining([5, ...Array(3).fill(JSON.stringify(value))]);
		expect(JSON.parse(text)).toEqual({
			key: "symbol",
			configuration: three({}),
			activeThread: three({ id: "T-1" }),
			title: three("Plans"),
			state: three("idle"),
		});
	});
});

describe("what a registration leaves out", () => {
	test("has its default: a command's category is its plugin, it is enabled, and a mode's label is its agent's", async () => {
		const { host } = await bench.start({
			"my-tools": `// @amp-agent-mode {"key":"k","label":"Careful"}
			export default (amp) => {
				amp.registerCommand("a", { title: "A" }, () => {});
				amp.registerCommand("b", { title: "B", category: "Other", description: "Does b" }, () => {});
				const agent = amp.createAgent({ model: "a/b", instructions: "i", display: { label: "Careful", color: "#abc" } });
				amp.registerAgentMode({ key: "k", agent });
				amp.registerTool({ name: "t", description: "T", inputSchema: { type: "object" }, execute() {} });
				amp.registerTool({ name: "u", title: "Use", transcriptGroup: { active: "Using", complete: "Used" }, description: "U", inputSchema: { type: "object", properties: {} }, execute() {} });
			};`,
		});
		const enabled = { type: "enabled" };
		expect(host.commands.list().map(({ item }) => item)).toEqual([
			{ id: "a", title: "A", category: "my-tools", availability: enabled },
			{ id: "b", title: "B", category: "Other", description: "Does b", availability: enabled },
		] as never);
		expect(host.modes.list().map(({ item }) => [item.key, item.label, item.color])).toEqual([["k", "Careful", "#abc"]]);
		expect(host.plugins.get("my-tools").warnings).toEqual([]);
		expect(host.tools.list().map(({ item }) => item)).toEqual([
			{ name: "t", description: "T", inputSchema: { type: "object" } },
			{
				name: "u",
				title: "Use",
				description: "U",
				inputSchema: { type: "object", properties: {} },
				transcriptGroup: { active: "Using", complete: "Used" },
			},
		]);
	});
});

describe("an agent mode", () => {
	const mode = (key: string, agent: string) =>
		`amp.registerAgentMode({ key: "${key}", label: "Label ${key}", agent: ${agent} })`;
	const rows: [call: string, told: string][] = [
		[mode("made", 'amp.createAgent({ model: "a/b", instructions: "i" })'), "accepted"],
		[mode("builtin", 'amp.getBuiltinAgent("deep")'), "accepted"],
		[mode("plain", '{ model: "a/b", instructions: "i" }'), "accepted"],
		[mode("extends", '{ extends: amp.createAgent({ model: "a/b", instructions: "i" }) }'), "accepted"],
		[mode("name", '"low"'), "agent is what createAgent or getBuiltinAgent gave"],
		[mode("empty", "{}"), "agent: model is required unless extends is given"],
		[mode("model", '{ model: "b", instructions: "i" }'), 'agent: model is "provider/model", not "b"'],
		[mode("silent", '{ model: "a/b" }'), "agent: instructions are required unless extends is given"],
		[mode("unknown", '{ extends: "giant" }'), "agent: extends is an agent or one of the modes"],
	];

	test("has an agent that is held to the rules of createAgent, made by it or not", async () => {
		const { host } = await bench.start({ p: calling(rows.map(([call]) => call)) });
		const told: string[] = JSON.parse((await host.tools.call("told", {})).text);
		expect(told.map((text, index) => [rows[index]?.[0], text])).toEqual(
			rows.map(([call, text]) => [call, text === "accepted" ? text : expect.stringContaining(text)]) as never,
		);
		expect(host.modes.list().map(({ key }) => key)).toEqual(["made", "builtin", "plain", "extends"]);
	});
});

describe("a link pattern", () => {
	const link = (pattern: string, href: string) =>
		`amp.registerLinkPattern({ id: "l", pattern: ${JSON.stringify(pattern)}, href: ${JSON.stringify(href)} })`;
	const rows: [call: string, told: string][] = [
		[link("A-\\d+", "https://example.com/{{match}}"), "accepted"],
		[link("A-\\d+", "http://example.com/{{match}}"), "accepted"],
		[link("A-\\d+", "/a/{{match}}?again={{match}}"), "accepted"],
		[link("(?<team>\\p{L}+)-(?<n>\\d+)", "/{{team}}/{{n}}"), "accepted"],
		[link("A(?=-\\d)", "/{{match}}"), "accepted"],
		[link("A-\\d+", "https://example.com/"), "href has a placeholder"],
		[link("A-\\d+", "//example.com/{{match}}"), "href begins with"],
		[link("A-\\d+", "{{match}}"), "href begins with"],
		[link("A-\\d+", "ftp://example.com/{{match}}"), "href begins with"],
		[link("A-\\d+", "/{{n}}"), "no group of that name"],
		[link("(?<a>x)\\k<a>", "/{{a}}"), "may not refer back"],
		[link("(x)\\1", "/{{match}}"), "may not refer back"],
		[link("(?<!x)A", "/{{match}}"), "may not look behind"],
		[link("\\_", "/{{match}}"), "is no regular expression"],
		[link("a|", "/{{match}}"), "may not match the empty text"],
		[link("(?:a*)", "/{{match}}"), "may not match the empty text"],
		[link("", "/{{match}}"), "1 to 200 characters"],
	];

	test("is accepted or refused by the rules of Amp, each refusal names its rule", async () => {
		const { host } = await bench.start({ p: calling(rows.map(([call]) => call)) });
		const told: string[] = JSON.parse((await host.tools.call("told", {})).text);
		expect(told.map((text, index) => [rows[index]?.[0], text])).toEqual(
			rows.map(([call, text]) => [call, text === "accepted" ? text : expect.stringContaining(text)]) as never,
		);
	});
});

test("the logger of a tool and of an event is that of the plugin", async () => {
	const { host } = await bench.start({
		p: `export default (amp) => {
			amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: (input, { logger: { log } }) => log("tool", { a: 1 }) });
			amp.on("session.start", (event, { logger }) => logger.log("event", [1]));
		};`,
	});
	await host.tools.call("t", {});
	await host.emit("session.start", {});
	const lines = host.plugins.log("p").map(({ source, level, message }) => [source, level, message]);
	expect(lines).toEqual([
		["plugin", "info", "tool { a: 1 }"],
		["plugin", "info", "event [ 1 ]"],
	]);
});

describe("a subscription", () => {
	test("ends with unsubscribe, again as often as it is called, and with the block that uses it", async () => {
		const { host } = await bench.start({
			p: `const tool = (name) => ({ name, description: "", inputSchema: { type: "object" }, execute: () => name });
			export default (amp) => {
				{
					using gone = amp.registerTool(tool("gone"));
					using heard = amp.configuration.subscribe(() => amp.logger.log("never heard"));
					using item = amp.createStatusItem({ text: "never stays" });
					using command = amp.registerCommand("gone", { title: "Gone" }, () => {});
					using too = amp.registerLinkPattern({ id: "l", pattern: "A", href: "/{{match}}" });
				}
				const off = amp.registerTool(tool("off"));
				off.unsubscribe();
				amp.registerTool(tool("off"));
				off.unsubscribe();
				amp.on("agent.start", () => {}).unsubscribe();
				const disposed = amp.onDispose(() => amp.logger.log("never"));
				disposed.unsubscribe();
				disposed.unsubscribe();
				amp.onDispose(() => amp.logger.log("disposed"));
			};`,
		});
		expect(host.tools.list().map(({ key }) => key)).toEqual(["off"]);
		const { links, commands } = host;
		expect([links.list(), commands.list(), host.plugins.get("p").events]).toEqual([[], [], []]);
		expect(host.statusItems.list()).toEqual([]);
		await host.stop();
		expect(host.plugins.log("p").map(({ message }) => message)).toEqual(["disposed"]);
	});
});

test("events carry what their caller says of the changes that are made: the workflow, of a turn and of a prompt", async () => {
	const { host } = await bench.start({
		p: `export default (amp) => {
			amp.on("agent.start", ({ changesWorkflow }) => ({ message: { content: String(changesWorkflow), display: false } }));
			amp.on("changes.prompt", ({ workflow }) => ({ append: workflow }));
		};`,
	});
	for (const workflow of ["ship", "push_branch"]) {
		const turn = await host.emit("agent.start", { message: "m", id: "1", changesWorkflow: workflow });
		expect(turn.result).toEqual({ messages: [{ content: workflow, display: false, plugin: "p" }] });
		expect((await host.emit("changes.prompt", { workflow })).result).toEqual({ appends: [workflow] });
	}
	expect((await host.emit("agent.start", { message: "m", id: "1" })).result).toMatchObject({
		messages: [{ content: "undefined" }],
	});
});

test("answers that mean no change are taken as that by every event: undefined, null and {}", async () => {
	const handlers = ["undefined", "null", "({})"].map((answer) => `amp.on(name, () => ${answer});`).join(" ");
	const { host } = await bench.start({
		p: `export default (amp) => {
			for (const name of ["session.start", "tool.call", "tool.result", "agent.start", "agent.end", "changes.prompt"]) { ${handlers} }
		};`,
	});
	for (const event of ["session.start", "agent.start", "agent.end", "changes.prompt"] as const) {
		const { handlers: reports, result } = await host.emit(event, {});
		expect([event, reports.map(({ error }) => error), result]).toEqual([
			event,
			[undefined, undefined, undefined],
			null,
		]);
	}
	for (const event of ["tool.call", "tool.result"] as const) {
		const { handlers: reports } = await host.emit(event, { tool: "Bash" });
		expect([event, reports.map(({ error }) => error)]).toEqual([event, [undefined, undefined, undefined]]);
	}
});
