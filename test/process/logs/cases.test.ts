import { expect, test } from "bun:test";
import { basename, dirname } from "node:path";
import { jsonLog } from "../../../host/index.ts";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import { createBench } from "../support/host.ts";
import { errorTexts, filesBelow, startCase } from "./support.ts";

const bench = createBench();

test("136-secret-input-not-logged: with all logs and traces on, the answer is nowhere but in the plugin", async () => {
	const lines: string[] = [];
	const { host, frames, events, folder, written } = await startCase(bench, "136-secret-input-not-logged", {
		providers: { ui: scriptedUI(["hunter2-canary"]) },
		log: jsonLog((line) => lines.push(line)),
		logFilter: "debug",
	});
	expect(await host.commands.run("key")).toMatchObject({ ok: true });
	const everything = [lines, frames("plugin"), events, host.plugins.list(), host.plugins.log("plugin")];
	expect(JSON.stringify(everything)).not.toContain("hunter2");
	expect(frames("plugin").filter(({ method }) => method === "ui.input")).toMatchObject([
		{ kind: "call" },
		{ kind: "result", message: { result: "[secret]" } },
	]);
	await host.stop();
	expect(written()).toEqual([true]);
	const files = [...filesBelow(dirname(folder))];
	const holding = files.filter(([, text]) => text.includes("hunter2")).map(([path]) => basename(path));
	// The plugin compares the answer with the word, which the page of the case names too.
	expect(holding.sort()).toEqual(["EXPECT.md", "plugin.ts"]);
});

test("144-odd-logger-arguments: four readable entries, each of one line, and the plugin lives", async () => {
	const { host, written } = await startCase(bench, "144-odd-logger-arguments");
	expect(await host.commands.run("still")).toMatchObject({ ok: true });
	expect(written()).toEqual(["still here"]);
	const entries = host.plugins.log("plugin").filter(({ source }) => source === "plugin");
	expect(entries.map(({ level }) => level)).toEqual(["info", "info", "info", "info"]);
	const [odd = "", long = "", lines = "", none] = entries.map(({ message }) => message);
	for (const text of ["text 1 true null undefined", "10", "Symbol(s)", "Map", "err", "cycle", "NaN", "Uint8Array"]) {
		expect(odd).toContain(text);
	}
	expect(Buffer.byteLength(long)).toBeLessThan(8 * 1024 + 8);
	expect(lines).toBe("line one\\nline two\\u001b[31m");
	expect(none).toBe("");
	expect(entries.filter(({ message }) => /[\n\r]/.test(message))).toEqual([]);
});

test("165-stack-points-at-source: the stack has the lines of the two sources, and they come first", async () => {
	const { host } = await startCase(bench, "165-stack-points-at-source");
	const { ok, text, error } = await host.tools.call("boom", {});
	expect({ ok, text }).toEqual({ ok: false, text: "boom from line 5 1" });
	const places = (error?.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
	expect(places[0]).toMatch(/inner\.ts:5\b/);
	expect(places[1]).toMatch(/index\.ts:8\b/);
	expect(errorTexts(error)).toContain("boom from line 5 1");
});

test("166-misspelt-event-name: each mistake is told by its name and with what is allowed", async () => {
	const { host, written } = await startCase(bench, "166-misspelt-event-name");
	const [event, member, tool] = written();
	// New events must not kill old plugins, so the name is accepted, with a warning.
	expect(event).toBe("accepted");
	const warnings = host.plugins.log("plugin").filter(({ level }) => level === "warn");
	expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('"tool.calls"')]);
	for (const known of ["tool.call", "tool.result", "session.start", "agent.start", "agent.end"]) {
		expect(warnings[0]?.message).toContain(known);
	}
	expect(host.plugins.get("plugin").warnings).toEqual([expect.stringContaining("tool.calls")]);
	expect(member).toContain("registerTol");
	for (const field of ["description", "inputSchema", "execute"]) expect(tool).toContain(field);
	expect(tool).not.toContain("undefined is not");
});
