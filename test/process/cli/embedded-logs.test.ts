import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createHost, isBroodError, jsonLog, type LogEntry } from "../../../host/index.ts";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

async function inEnvironment<Result>(filter: string, task: () => Promise<Result>): Promise<Result> {
	const before = process.env.BROOD_LOG;
	process.env.BROOD_LOG = filter;
	try {
		return await task();
	} finally {
		if (before === undefined) delete process.env.BROOD_LOG;
		else process.env.BROOD_LOG = before;
	}
}

const printing = `export default () => console.error("printed");`;

test("BROOD_LOG that cannot be used ends no program that embeds a host: it counts as absent", async () => {
	const entries: LogEntry[] = [];
	await inEnvironment("two;x=off", async () => {
		const running = await bench.start({ one: printing }, { log: (entry) => entries.push(entry) });
		await running.logged("one", "printed");
	});
	expect(entries).toMatchObject([{ plugin: "one", source: "output", level: "info", message: "printed" }]);
});

test("a logFilter that cannot be used is a mistake of the program, and an empty one opts out of BROOD_LOG", async () => {
	const error = await createHost({ places: false, logFilter: "two;x=off" }).catch((thrown: unknown) => thrown);
	expect(isBroodError(error, "usage")).toBe(true);
	const entries: LogEntry[] = [];
	await inEnvironment("off", async () => {
		const running = await bench.start({ one: printing }, { log: (entry) => entries.push(entry), logFilter: "" });
		await running.logged("one", "printed");
	});
	expect(entries).toHaveLength(1);
});

test("the lines of jsonLog are in the file of the documented example once the host has stopped", async () => {
	const path = bench.path("plugins.log");
	const file = Bun.file(path).writer();
	const { host } = await bench.start({ one: printing }, { log: jsonLog((line) => file.write(line)) });
	await host.stop();
	await file.end();
	const lines = (await Bun.file(path).text()).trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ plugin: "one", message: "printed" }]);
	rmSync(path);
});

test("a secret of five characters and the base64 of a token are in no log, error or trace", async () => {
	const pin = ["zq", "7x"].join("~");
	const token = ["hunter", "canary"].join("?~");
	const asking = `export default (amp) => amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		const pin = await ui.input({ title: "PIN", secret: true });
		const token = await ui.input({ title: "Token", secret: true });
		console.log("pin is", pin, { pin }, encodeURIComponent("pin=" + pin));
		amp.logger.log("token is", btoa(token), Buffer.from(token).toString("base64url"));
		throw new Error("no " + pin + " and " + btoa(token));
	});`;
	const running = await bench.start({ asking }, { providers: { ui: scriptedUI([pin, token]) } });
	const { error } = await running.host.commands.run("ask");
	await running.logged("asking", "token is");
	await running.logged("asking", "pin is");
	const kept = [running.events, running.frames("asking"), String(error?.stack), error?.message];
	const texts = JSON.stringify(kept);
	for (const form of [pin, token, btoa(token), Buffer.from(token).toString("base64url")])
		expect(texts).not.toContain(form);
	expect(error?.message).toContain("no [secret] and [secret]");
});
