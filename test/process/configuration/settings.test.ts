import { describe, expect, test } from "bun:test";
import {
	chmodSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../../runtime/records.ts";
import { deep, tally } from "../../support/effort.ts";
import { createBench } from "../support/host.ts";
import { act, acts, folders, put } from "./support.ts";

const bench = createBench();

describe("a plugin that changes settings", () => {
	test("writes the workspace's, or the user's, and reads them merged", async () => {
		const { host } = await bench.start({ one: acts });
		const { workspace, global, amp } = folders();
		put(amp, '{ "from": "amp", "only": "amp" }');
		const answers = async (input: JsonObject) => JSON.parse(await act(host, input));
		await answers({ update: { from: "global", list: [1] }, target: "global" });
		await answers({ update: { from: "workspace" } });
		expect(await answers({ get: true })).toEqual({ from: "workspace", only: "amp", list: [1] });
		expect(JSON.parse(readFileSync(global, "utf8"))).toEqual({ from: "global", list: [1] });
		expect(JSON.parse(readFileSync(workspace, "utf8"))).toEqual({ from: "workspace" });
		expect(statSync(workspace).mode & 0o777).toBe(0o600);
		await answers({ delete: "from" });
		await answers({ delete: "nowhere" });
		await answers({ delete: "only", target: "global" });
		expect(await answers({ get: true })).toEqual({ from: "global", only: "amp", list: [1] });
		expect(readFileSync(amp, "utf8")).toBe('{ "from": "amp", "only": "amp" }');
		expect(readdirSync(dirname(workspace))).toEqual(["settings.json"]);
	});

	test("keeps comments, order, layout, mode and link of the file", async () => {
		const { host } = await bench.start({ one: acts });
		const { workspace, root } = folders();
		const real = join(root, "dotfiles/brood.json");
		const text = (port: string) =>
			`\ufeff// mine\r\n{\r\n  "z": 1, // last letter\r\n  "port": ${port}, /* of the server */\r\n  "a": [1,2]\r\n}\r\n`;
		put(real, text("80"));
		chmodSync(real, 0o640);
		mkdirSync(dirname(workspace), { recursive: true });
		symlinkSync("../dotfiles/brood.json", workspace);
		await act(host, { update: { port: 8080, a: [1, 2] } });
		expect(readFileSync(real, "utf8")).toBe(text("8080"));
		expect(lstatSync(workspace).isSymbolicLink()).toBe(true);
		expect(statSync(real).mode & 0o777).toBe(0o640);
	});

	test("is told file, line and column of a broken file, which stays as it is", async () => {
		const { host } = await bench.start({ one: acts });
		const { workspace, global } = folders();
		put(workspace, '{\n\t"a": oops // keep\n}');
		for (const input of [{ get: true }, { update: { b: 1 } }, { delete: "a" }]) {
			const error = await act(host, input);
			expect(error).toContain(`${workspace} cannot be used: line 2, column 7`);
		}
		expect(readFileSync(workspace, "utf8")).toBe('{\n\t"a": oops // keep\n}');
		// The other layer is another file.
		await act(host, { update: { b: 1 }, target: "global" });
		expect(JSON.parse(readFileSync(global, "utf8"))).toEqual({ b: 1 });
	});

	test.each([
		["a function", "{ f() {} }", "f"],
		["a bigint within", "{ a: { n: 1n } }", "n"],
		["what is no number", "{ a: [NaN] }", "NaN"],
		["a Map", "{ m: new Map() }", "Map"],
		["undefined", "{ u: undefined }", "amp.configuration.delete"],
		["a circle", "(() => { const c = {}; c.c = c; return c; })()", "cyclic"],
	])("is refused %s in its own call", async (_, source, part) => {
		const { host, wire } = await bench.start({
			one: `export default (amp) => amp.registerTool({ name: "act", description: "", inputSchema: { type: "object" },
				execute: () => amp.configuration.update(${source}).then(() => "done", (error) => [error.code, error.message, error.hint].join(" ")) });`,
		});
		const { text } = await host.tools.call("act", {}, { events: false });
		expect(text).toStartWith("not_serializable");
		expect(text).toContain(part);
		expect(wire("one").filter((line) => line.includes("configuration"))).toEqual([]);
	});

	test("is refused what is no target and no object, by host or child", async () => {
		const { host } = await bench.start({ one: acts });
		for (const input of [{ update: { a: 1 }, target: "nowhere" }, { update: [1] }, { delete: 5 }]) {
			expect(await act(host, input)).toContain("are wrong");
		}
		expect(readdirSync(folders().root)).not.toContain(".brood");
	});

	test("names members like those that objects inherit, and pollutes nothing", async () => {
		const { host } = await bench.start({ one: acts });
		const partial = JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"toString":{"__proto__":{"polluted":1}}}');
		await act(host, { update: partial });
		const written = readFileSync(folders().workspace, "utf8");
		expect(Object.keys(JSON.parse(written)).sort()).toEqual(["__proto__", "constructor", "toString"]);
		expect(JSON.parse(await act(host, { get: true }))).toEqual({ constructor: 2, toString: {} });
		expect("polluted" in {}).toBe(false);
	});

	test("hears that a folder cannot be written, and that there is no place for the user's", async () => {
		const { host } = await bench.start({ one: acts });
		const { workspace, global } = folders();
		writeFileSync(dirname(workspace), "a file in the place of the folder");
		const error = await act(host, { update: { a: 1 } });
		expect(error).toContain(`${workspace} cannot be used: it cannot be written`);
		mkdirSync(global, { recursive: true });
		const other = await act(host, { update: { a: 1 }, target: "global" });
		expect(other).toContain("it is a directory, not a file");
	});

	test("of a user without HOME has the workspace's settings only", async () => {
		const { XDG_CONFIG_HOME, HOME } = process.env;
		delete process.env.XDG_CONFIG_HOME;
		delete process.env.HOME;
		try {
			const { host } = await bench.start({ one: acts });
			Object.assign(process.env, { XDG_CONFIG_HOME, HOME });
			await act(host, { update: { a: 1 } });
			expect(await act(host, { get: true })).toBe('{"a":1}');
			const error = await act(host, { update: { a: 1 }, target: "global" });
			expect(error).toContain("neither XDG_CONFIG_HOME nor HOME");
		} finally {
			Object.assign(process.env, { XDG_CONFIG_HOME, HOME });
		}
	});
});

describe("many that change the same file at once", () => {
	test("three plugins of two hosts lose nothing, nor a comment", async () => {
		const other = acts.replace('"act"', '"other"');
		const [first, second] = await Promise.all([bench.start({ one: acts, two: other }), bench.start({ one: acts })]);
		const { workspace } = folders();
		put(workspace, "{\n\t// kept\n}\n");
		const doers = [
			[first.host, "act"],
			[first.host, "other"],
			[second.host, "act"],
		] as const;
		const keys = Array.from({ length: 45 }, (_, index) => `k${index}`);
		await Promise.all(
			keys.map((key, index) => {
				const [host, tool] = doers[index % 3] ?? doers[0];
				return act(host, { update: { [key]: index } }, tool);
			}),
		);
		const expected = Object.fromEntries(keys.map((key, index) => [key, index]));
		expect(JSON.parse(await act(first.host, { get: true }))).toEqual(expected);
		expect(readFileSync(workspace, "utf8")).toContain("// kept");
		expect(readdirSync(dirname(workspace))).toEqual(["settings.json"]);
	});

	test("a writer that is killed at any moment leaves the old text or the new one, and nothing that stays", async () => {
		const { workspace } = folders();
		const filler = "x".repeat(200_000);
		const text = (n: number) => `{\n\t// kept\n\t"filler": "${filler}",\n\t"n": ${n}\n}\n`;
		put(workspace, text(0));
		const program = join(import.meta.dir, "../../fixtures/configuration/writes-without-end.ts");
		const isWhole = () => {
			const now = readFileSync(workspace, "utf8");
			return now === text(Number(/"n": (\d+)/.exec(now)?.[1]));
		};
		let killed = 0;
		for (const ms of deep ? Array.from({ length: 60 }, (_, n) => n) : [0, 1, 2, 3, 5, 8, 13, 50]) {
			const writer = Bun.spawn([process.execPath, program, folders().root], { stdout: "pipe", stderr: "inherit" });
			// It says so after its first write; from then on it always writes.
			await writer.stdout.getReader().read();
			// Who reads meanwhile finds it whole as well.
			for (const end = performance.now() + ms; performance.now() < end; await Bun.sleep(0))
				expect(isWhole()).toBe(true);
			writer.kill("SIGKILL");
			await writer.exited;
			killed += 1;
			expect(isWhole()).toBe(true);
		}
		tally("writers of settings killed while they wrote", killed, "the file was whole each time");
		const { host } = await bench.start({ one: acts });
		await act(host, { update: { n: 1 } });
		expect(readFileSync(workspace, "utf8") === text(1)).toBe(true);
		expect(readdirSync(dirname(workspace))).toEqual(["settings.json"]);
	});
});
