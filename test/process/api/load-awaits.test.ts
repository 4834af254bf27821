import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** What a plugin may await while it loads, and what a host without providers tells of it. */
const awaited: Record<string, [call: string, told: string]> = {
	agents: ['amp.getBuiltinAgent("low").run("x")', "agent.run has no provider in this host"],
	ai: ['amp.ai.ask("x")', "ai.ask has no provider in this host"],
	attachments: [
		'amp.attachments.upload({ data: "AAAA", mimeType: "image/png" })',
		"attachments.upload has no provider",
	],
	configuration: ["amp.configuration.update({ a: undefined })", "amp.configuration.update cannot be carried as JSON"],
	executor: ["amp.system.executor.keepAlive()", "system.executor.keepAlive has no provider in this host: it runs no"],
	open: ['amp.system.open("x")', 'The parameters of "system.open" are wrong: a URL begins with'],
	skill: ['amp.registerSkill({ path: "x" })', 'Skill "x" of plugin "skill" was refused: only a directory plugin'],
	threads: ['amp.threads.get("T-0").title.get()', 'There is no thread "T-0"'],
	ui: ['amp.ui.notify("x")', "Plugin UI not available: nobody is there to answer"],
};

test("a load that fails at a call of the API says which call it was, and what was wrong with it", async () => {
	const sources = Object.entries(awaited).map(([name, [call]]) => [
		name,
		`export default async (amp) => { await ${call}; };`,
	]);
	const { host } = await bench.start(Object.fromEntries(sources));
	const told = host.plugins.list().map(({ name, error }) => [name, error?.message]);
	expect(told).toEqual(
		Object.entries(awaited).map(([name, [, text]]) => [
			name,
			expect.stringContaining(`Plugin "${name}" failed to load: ${text}`),
		]) as never,
	);
	expect(host.plugins.list().every(({ error }) => error?.message.includes("in stage activate"))).toBe(true);
});
