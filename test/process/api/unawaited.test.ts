import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

const mistakes: [method: string, body: string][] = [
	["ai.ask", "amp.ai.ask()"],
	["ai.ask", 'amp.ai.ask("q", { maxTokens: -1 })'],
	["ai.generate", "amp.ai.generate({})"],
	["attachments.upload", "amp.attachments.upload({ data: 5, mimeType: 'image/png' })"],
	["configuration.update", "amp.configuration.update({ gone: undefined })"],
	["configuration.update", "amp.configuration.update(null)"],
	["thread.call", 'amp.threads.get("T-1").messages({ limit: 1n })'],
	["agent.run", 'amp.getBuiltinAgent("low").run("m", { n: 1n })'],
];

test("a mistake in what is passed to the API, in a call that nobody awaits, is logged and ends no plugin", async () => {
	const { host, logged } = await bench.start({
		careless: `const mistakes = [${mistakes.map(([, body]) => `(amp) => ${body}`).join(",")}];
			export default (amp) => amp.registerCommand("careless", { title: "C" }, () => { for (const make of mistakes) make(amp); });`,
	});
	await host.commands.run("careless");
	const methods = new Set(mistakes.map(([method]) => method));
	for (const method of methods) await logged("careless", `amp call ${method} failed and nobody awaited it`);
	expect(host.plugins.get("careless")).toMatchObject({ state: "ready", launches: 1 });
	expect(host.plugins.log("careless").filter(({ level }) => level === "warn")).toHaveLength(mistakes.length);
});
