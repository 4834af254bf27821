import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PluginAPI } from "../../child/plugin.ts";

const root = resolve(import.meta.dir, "../..");
const samples = resolve(import.meta.dir, "samples");
let folder = "";
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "brood-samples-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Which sample shows a member; the compiler asks for each. */
const sampleOf: Record<keyof PluginAPI, string> = {
	logger: "logger",
	system: "system",
	configuration: "configuration",
	$: "shell",
	helpers: "helpers",
	ui: "ui",
	ai: "ai",
	attachments: "attachments",
	activeThread: "threads",
	threads: "threads",
	experimental: "experimental",
	on: "events",
	registerTool: "tools",
	registerCommand: "commands",
	registerSkill: "skills",
	registerAgentMode: "modes",
	registerLinkPattern: "links",
	onDispose: "dispose",
	createAgent: "agents",
	getBuiltinAgent: "agents",
	createStatusItem: "status",
	createWebhook: "webhook",
};

test("each member has a sample that uses it", async () => {
	for (const [member, name] of Object.entries(sampleOf)) {
		const file = join(samples, `${name}.ts`);
		expect({ file, exists: existsSync(file) }).toEqual({ file, exists: true });
		const uses = (await Bun.file(file).text()).match(/\bamp\.(\$|\w+)|\{ (\w+) \} = amp\b/g) ?? [];
		expect(uses.map((use) => use.replace(/amp\.|[{}= ]|amp$/g, ""))).toContain(member);
	}
});

/** What an author has: strict, and none of the stricter rules of this project. */
function compile(include: string[]): { exitCode: number; output: string } {
	const config = join(folder, `${Bun.randomUUIDv7()}.json`);
	const plugin = join(root, "child/plugin.ts");
	const compilerOptions = {
		strict: true,
		noEmit: true,
		target: "ESNext",
		module: "Preserve",
		moduleResolution: "bundler",
		allowImportingTsExtensions: true,
		types: ["bun-types"],
		typeRoots: [join(root, "node_modules")],
		skipLibCheck: true,
		paths: {
			"@ampcode/plugin": [plugin],
			"brood/plugin": [plugin],
			brood: [join(root, "host/index.ts")],
		},
	};
	writeFileSync(config, JSON.stringify({ compilerOptions, include }));
	const tsc = Bun.spawnSync([join(root, "node_modules/.bin/tsc"), "-p", config, "--pretty", "false"], { cwd: root });
	return { exitCode: tsc.exitCode, output: tsc.stdout.toString() + tsc.stderr.toString() };
}

test("samples and examples compile with tsc --strict, as in a project of an author", () => {
	const { exitCode, output } = compile([`${samples}/*.ts`, join(root, "examples/plugins/**/*.ts")]);
	expect({ exitCode, output }).toEqual({ exitCode: 0, output: "" });
});

test("the same compiler refuses what the API has not, line by line", () => {
	const wrong = [
		'amp.on("tool.calls", () => {});',
		'amp.on("tool.call", () => ({ action: "deny" }));',
		'amp.on("tool.call", () => ({ action: "modify" }));',
		'amp.on("tool.result", () => ({ output: "x" }));',
		'amp.on("agent.end", () => ({ action: "continue" }));',
		"amp.registerCommand('id', {}, () => {});",
		"amp.registerTool({ name: 'n', description: 'd', inputSchema: { type: 'array' }, execute: () => '' });",
		"amp.registerTool({ name: 'n', description: 'd', inputSchema: { type: 'object' } });",
		"amp.registerSkill('skills/x');",
		"amp.registerLinkPattern({ id: 'x', pattern: /x/, href: '' });",
		"amp.createStatusItem({ url: 'https://example.com' });",
		"amp.ui.select({ title: 't' });",
		"amp.ui.confirm({ message: 'no title' });",
		"amp.$('ls');",
		"amp.threads.get();",
		"amp.attachments.upload({ data: 1, mimeType: 'image/png' });",
		"amp.ai.ask();",
		"amp.nothing();",
		"amp.ui = amp.ui;",
	];
	const file = join(folder, "wrong.ts");
	const source = [
		'import type { PluginAPI } from "@ampcode/plugin";',
		"export default (amp: PluginAPI) => {",
		...wrong,
		"};",
	];
	writeFileSync(file, source.join("\n"));
	const { output } = compile([file]);
	const lines = [...output.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => Number(line) - 3);
	expect([...new Set(lines)].map((line) => wrong[line])).toEqual(wrong);
});
