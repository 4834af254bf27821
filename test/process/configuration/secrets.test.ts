import { expect, test } from "bun:test";
import { jsonLog } from "../../../host/index.ts";
import type { Frame } from "../../../runtime/peer.ts";
import { errorTexts } from "../logs/support.ts";
import { createBench } from "../support/host.ts";
import { acts, folders, heard, hears, put } from "./support.ts";

const bench = createBench();

// Built, so that no source and no code frame holds the words themselves.
const secret = (name: string) => [name, "canary", "word"].join("-");
const first = secret("first");
const nested = secret("nested");
const later = secret("later");
const written = secret("written");
const plain = secret("plain");

const leaky = `export default (amp) => {
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	const told = async () => JSON.stringify(await amp.configuration.get());
	tool("logs", async () => { amp.logger.log("logged " + await told()); console.log("printed", await told()); return "done"; });
	tool("throws", async () => { throw new Error("thrown " + await told()); });
	tool("gives", told);
};`;

test("a setting whose name says that it is secret is in no log, error or trace of a plugin that was told it", async () => {
	const settings = {
		"weather.token": first,
		mail: { apiKey: nested, hosts: [plain] },
		"weather.tokens": 3,
		city: plain,
	};
	put(folders().workspace, JSON.stringify(settings));
	const lines: string[] = [];
	const frames: Frame[] = [];
	const { host, logged } = await bench.start(
		{ leaky },
		{ log: jsonLog((line) => lines.push(line)), wire: (_, frame) => frames.push(frame) },
	);
	const call = (name: string) => host.tools.call(name, {}, { events: false });
	await call("logs");
	await logged("leaky", "printed");
	const thrown = await call("throws");
	const given = await call("gives");

	expect(JSON.parse(given.text)).toEqual(settings);
	const kept = JSON.stringify([lines, frames, host.plugins.log("leaky")]) + errorTexts(thrown.error) + thrown.text;
	for (const canary of [first, nested]) expect(kept).not.toContain(canary);
	expect(kept).toContain(plain);
	expect(host.plugins.log("leaky").map(({ message }) => message)).toContain(
		`logged {"weather.token":"[secret]","mail":{"apiKey":"[secret]","hosts":["${plain}"]},"weather.tokens":3,"city":"${plain}"}`,
	);
});

test("so is one that a subscription tells, and one that a plugin writes", async () => {
	const { workspace } = folders();
	put(workspace, JSON.stringify({ token: first }));
	const writes = acts.replace(
		"await amp.configuration.update",
		'amp.logger.log("writes " + input.update.password); await amp.configuration.update',
	);
	const { host, logged } = await bench.start({ hears, acts: `${writes}` });
	await logged("hears", 'heard {"token":"[secret]"}');
	put(workspace, JSON.stringify({ token: later, n: 2 }));
	await logged("hears", '"n":2');
	await host.tools.call("act", { update: { password: written } }, { events: false });
	await host.tools.call("act", { update: { password: written } }, { events: false });
	const said = JSON.stringify([...heard(host, "hears"), ...host.plugins.log("acts").slice(-1)]);
	for (const canary of [first, later, written]) expect(said).not.toContain(canary);
	expect(said).toContain("writes [secret]");
});
