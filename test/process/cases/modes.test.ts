import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { createSite, statesByName } from "./modules-support.ts";

const bench = createBench();

test("modes whose comments have drifted work, and each difference is a warning with file and line", async () => {
	const site = createSite(bench);
	const path = site.copy("164-agent-mode-comment-drift/plugin.ts", "plugin.ts");
	const { host } = await site.start(["plugin.ts"]);
	expect(host.modes.list().map(({ item }) => [item.key, item.label])).toEqual([
		["review", "Renamed"],
		["secret", "Secret"],
	]);
	const warnings = [
		"plugin.ts:3: the comment @amp-agent-mode is ignored",
		`${path}:1: mode "review" is announced as "Review" and was registered as "Renamed"`,
		`${path}:2: mode "ghost" is announced by a comment and was not registered`,
		`${path}:1: mode "secret" was registered and no comment announces it`,
	].map((text) => expect.stringContaining(text));
	expect(host.plugins.get("plugin").warnings).toEqual(warnings);
	const logged = host.plugins.log("plugin").filter(({ level }) => level === "warn");
	expect(logged.map(({ message }) => message)).toEqual(warnings);
});

test("the older names of members and modes do what the newer ones do", async () => {
	const site = createSite(bench);
	site.write({
		"old.ts": `// @amp-agent-mode {"key":"older","label":"Older"}
			// @amp-agent-mode {"key":"newer","label":"Newer"}
			export default (amp) => {
				const { createAgent, getBuiltinAgent, registerAgentMode, createStatusItem } = amp.experimental;
				const definition = { model: "provider/model", instructions: "Do it." };
				registerAgentMode({ key: "older", label: "Older", agent: createAgent(definition) });
				amp.registerAgentMode({ key: "newer", label: "Newer", agent: amp.createAgent(definition) });
				createStatusItem({ text: "older" }).update({ text: "older, updated" });
				amp.createStatusItem({ text: "newer" });
				amp.registerTool({ name: "facts", description: "", inputSchema: { type: "object" }, execute: () => ({
					modes: ["low", "medium", "high", "ultra", "smart", "deep", "rush"].map((mode) => [
						mode,
						amp.getBuiltinAgent(mode).definition.name,
						JSON.stringify(getBuiltinAgent(mode).definition) === JSON.stringify(amp.getBuiltinAgent(mode).definition),
					]),
					same: [amp.experimental.threads === amp.threads, amp.experimental.activeThread === amp.activeThread],
				}) });
			};`,
	});
	const { host } = await site.start(["old.ts"]);
	expect(host.plugins.get("old")).toMatchObject({ state: "ready", warnings: [] });
	const agent = { model: "provider/model", instructions: "Do it." };
	expect(host.modes.list().map(({ item }) => item)).toEqual([
		{ key: "older", label: "Older", agent },
		{ key: "newer", label: "Newer", agent },
	]);
	expect(JSON.parse((await host.tools.call("facts", {})).text)).toEqual({
		modes: [
			["low", "low", true],
			["medium", "medium", true],
			["high", "high", true],
			["ultra", "ultra", true],
			["smart", "medium", true],
			["deep", "medium", true],
			["rush", "low", true],
		],
		same: [true, true],
	});
	expect(host.statusItems.list().map(({ text }) => text)).toEqual(["older, updated", "newer"]);
});

describe("values at and beyond their limits", () => {
	const agent = 'amp.getBuiltinAgent("low")';
	const mode = (members: string) => `amp.registerAgentMode({ key: "k", label: "L", agent: ${agent}, ${members} })`;
	const create = (members: string) => `amp.createAgent({ model: "a/b", instructions: "i", ${members} })`;
	const tool = (length: number) =>
		`amp.registerTool({ name: "t".repeat(${length}), description: "d", inputSchema: { type: "object" }, execute() {} })`;
	const link = (id: number, pattern: number) =>
		`amp.registerLinkPattern({ id: "i".repeat(${id}), pattern: "p".repeat(${pattern}), href: "https://example.com/{{match}}" })`;
	const webhook = (key: string) => `await amp.createWebhook({ key: ${key}, handler() {} })`;

	const kept = [
		mode('label: "l".repeat(24), color: "#3af"'),
		mode('color: "#33AAFF80"'),
		create('display: { label: "l".repeat(24), color: "#33aaff" }, compactionThresholdTokens: 1'),
		create("compactionThresholdTokens: Number.MAX_SAFE_INTEGER"),
		tool(128),
		link(64, 200),
	];
	const refused: [call: string, limit: string][] = [
		[mode('label: "l".repeat(25)'), "a label has at most 24 characters, not 25"],
		[mode('label: ""'), "a label is needed"],
		[mode('label: "Smart"'), "the label of a built-in mode"],
		[mode('color: "red"'), 'color is a hexadecimal colour such as "#3af", not "red"'],
		[mode('color: "#12345"'), 'color is a hexadecimal colour such as "#3af"'],
		[mode('key: ""'), "key is a text that is not empty"],
		[`${mode('key: "one"')}; ${mode('key: "ONE"')}`, 'keys differ by more than case, and "one" is registered'],
		[create('display: { label: "l".repeat(25) }'), "display.label is a text of at most 24 characters"],
		[create('display: { color: "red" }'), 'display.color is a hexadecimal colour such as "#3af", not "red"'],
		[create('model: "gpt"'), 'model is "provider/model", not "gpt"'],
		[create("compactionThresholdTokens: 0"), "compactionThresholdTokens is a positive integer"],
		[create("compactionThresholdTokens: 1.5"), "compactionThresholdTokens is a positive integer"],
		['amp.createAgent({ model: "a/b" })', "instructions are required unless extends is given"],
		['amp.getBuiltinAgent("giant")', 'there is no mode "giant"; there are low, medium, high, ultra'],
		[tool(129), "a tool name has 1 to 128 letters"],
		[tool(0), "a tool name has 1 to 128 letters"],
		[link(65, 1), "id has 1 to 64 letters"],
		[link(1, 201), "pattern is a regular expression of 1 to 200 characters"],
		['amp.registerCommand("", { title: "t" }, () => {})', "an id is a text that is not empty"],
		[webhook('"k".repeat(129)'), "key has 1 to 128 characters"],
		[webhook('""'), "key has 1 to 128 characters"],
		[webhook('" k"'), "no space at either end"],
		[webhook("undefined"), "key has 1 to 128 characters"],
		['await amp.createWebhook({ key: "k" })', "handler is a function"],
	];

	test("are kept, or refused in the plugin's own call with the limit named; the plugin goes on", async () => {
		const site = createSite(bench);
		const calls = [...kept, ...refused.map(([call]) => call)];
		site.write({
			"limits.ts": `import { appendFileSync } from "node:fs";
				export default async (amp) => {
					const calls = [${calls.map((call) => `async () => { ${call}; }`).join(",\n")}];
					for (const call of calls) {
						const told = await call().then(() => ({ ok: true }), ({ code, message }) => ({ ok: false, code, message }));
						appendFileSync(process.env.CASE_LOG, JSON.stringify(told) + "\\n");
					}
				};`,
		});
		const running = await site.start(["limits.ts"]);
		expect(statesByName(running)).toEqual({ limits: "ready" });
		const told = site.written();
		expect(told.slice(0, kept.length)).toEqual(kept.map(() => ({ ok: true })));
		expect(told.slice(kept.length)).toEqual(
			refused.map(([, limit]) => ({
				ok: false,
				code: "invalid_registration",
				message: expect.stringContaining(limit),
			})),
		);
		expect(running.host.modes.list().map(({ item }) => item.key)).toEqual(["k", "one"]);
		expect(running.host.tools.list().map(({ item }) => item.name)).toEqual(["t".repeat(128)]);
		expect(running.host.links.list().map(({ item }) => item.id)).toEqual(["i".repeat(64)]);
	});

	test("of a label or a colour that is no text are refused as well", async () => {
		const site = createSite(bench);
		const calls = [create("display: { label: 25 }"), create("display: { color: 7 }"), mode("label: 25")];
		site.write({
			"odd.ts": `import { appendFileSync } from "node:fs";
				export default async (amp) => {
					for (const call of [${calls.map((call) => `async () => { ${call}; }`).join(",\n")}]) {
						const told = await call().then(() => ({ code: "none" }), ({ code }) => ({ code }));
						appendFileSync(process.env.CASE_LOG, JSON.stringify(told) + "\\n");
					}
				};`,
		});
		await site.start(["odd.ts"]);
		expect(site.written().map(({ code }) => code)).toEqual(calls.map(() => "invalid_registration"));
	});
});
