import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { deep, tally } from "../../support/effort.ts";
import { createDesk, parseLines } from "./support.ts";

const desk = createDesk();
const workspace = () => desk.path(".brood/settings.json");
const global = () => desk.home(".config/brood/settings.json");
const amp = () => desk.path(".amp/settings.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));

function put(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}

function putLayers(): void {
	put(workspace(), '{ "theme": "dark", "shared": 1 } // ours');
	put(global(), '{ "shared": 2, "github.token": "abc" }');
	put(amp(), '{ "shared": 3, "amp.url": "x", "servers": { "one": { "apiKey": "def" } } }');
}

/** Tells what it reads. */
const reader = `export default (amp) => { amp.registerTool({ name: "read", description: "", inputSchema: { type: "object" },
	execute: async () => JSON.stringify(await amp.configuration.get()) }); };`;

describe("settings are read", () => {
	test("as plugins read them, each with its layer, its file and what it hides, secrets masked", async () => {
		putLayers();
		const { exitCode, stdout, stderr } = await desk.run(["settings"]);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
		expect(stdout.trimEnd().split("\n")).toEqual([
			expect.stringMatching(/^key +value +layer +file$/),
			expect.stringMatching(/^amp\.url +"x" +amp +\/.*\.amp\/settings\.json$/),
			expect.stringMatching(/^github\.token +"\[secret\]" +global +\//),
			expect.stringMatching(/^servers +\{"one":\{"apiKey":"\[secret\]"\}\} +amp +\//),
			expect.stringMatching(/^shared +1 +workspace over global, amp +\//),
			expect.stringMatching(/^theme +"dark" +workspace +\//),
		]);
		const revealed = await desk.run(["settings", "--reveal"]);
		expect(revealed.stdout).toContain('"abc"');
		expect(revealed.stdout).toContain('"def"');
	});

	test("in JSON, where what is masked says so", async () => {
		putLayers();
		const { stdout } = await desk.run(["settings", "--json"]);
		expect(stdout).not.toMatch(/abc|def/);
		const { settings, files } = JSON.parse(stdout);
		expect(settings).toContainEqual({
			key: "shared",
			value: 1,
			layer: "workspace",
			file: workspace(),
			over: [
				{ value: 2, layer: "global", file: global() },
				{ value: 3, layer: "amp", file: amp() },
			],
		});
		expect(settings).toContainEqual({
			key: "github.token",
			value: "[secret]",
			layer: "global",
			file: global(),
			over: [],
			masked: true,
		});
		expect(files).toEqual([
			{ layer: "workspace", file: workspace(), writable: true },
			{ layer: "global", file: global(), writable: true },
			{ layer: "amp", file: amp(), writable: false },
		]);
	});

	test("one by one: text as it is, all else as JSON, and secrets too since they were asked for", async () => {
		putLayers();
		const value = async (...parameters: string[]) => (await desk.run(["settings", ...parameters])).stdout;
		expect(await value("theme")).toBe("dark\n");
		expect(await value("shared")).toBe("1\n");
		expect(await value("shared", "--global")).toBe("2\n");
		expect(await value("github.token")).toBe("abc\n");
		expect(JSON.parse(await value("servers"))).toEqual({ one: { apiKey: "def" } });
		expect(JSON.parse(await value("theme", "--json"))).toEqual({
			key: "theme",
			value: "dark",
			layer: "workspace",
			file: workspace(),
			over: [],
		});
	});

	test("or not found, with the one that is meant", async () => {
		putLayers();
		const { exitCode, stdout, errors } = await desk.run(["settings", "theem", "--json"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(errors).toMatchObject([{ error: { code: "setting_not_found", hint: 'Is it "theme"?' } }]);
		expect((await desk.run(["settings", "theme", "--global"])).exitCode).toBe(2);
		expect((await desk.run(["settings", "constructor"])).exitCode).toBe(2);
	});

	test("and none is set on an empty machine", async () => {
		const { exitCode, stdout, stderr } = await desk.run(["settings"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
		expect(stderr).toContain("No setting is set");
		expect(JSON.parse((await desk.run(["settings", "--json"])).stdout).settings).toEqual([]);
	});
});

describe("settings are written", () => {
	test("to the workspace or the user, comments kept, and a plugin reads them", async () => {
		await desk.write({ ".brood/plugins/one.ts": reader });
		put(workspace(), '{\n  "theme": "dark" // ours\n}\n');
		const set = await desk.run(["settings", "theme=light", "max=20", "list=[1,2]", 'text="7"']);
		expect(set).toMatchObject({ exitCode: 0, stderr: "" });
		expect(set.stdout.split("\n")[0]).toBe(`theme = "light"  in ${workspace()}`);
		expect(readFileSync(workspace(), "utf8")).toStartWith('{\n  "theme": "light", // ours\n');
		await desk.run(["settings", "--global", "mine=true", "max=1"]);
		expect(read(global())).toEqual({ mine: true, max: 1 });
		const { stdout } = await desk.run(["call", "read"]);
		expect(JSON.parse(stdout)).toEqual({ theme: "light", max: 20, list: [1, 2], text: "7", mine: true });
	});

	test("in JSON by their keys, and a layer that wins is told as a warning", async () => {
		put(workspace(), '{ "a": 1 }');
		const { stdout, stderr, exitCode } = await desk.run(["settings", "--global", "a=2", "b=3", "--json"]);
		expect(JSON.parse(stdout)).toEqual({ layer: "global", file: global(), set: ["a", "b"], unset: [] });
		expect(parseLines(stderr)).toEqual([{ warning: { message: `${workspace()} sets a too, and wins` } }]);
		expect(exitCode).toBe(0);
	});

	test("and what is named like a secret is not echoed", async () => {
		const { stdout, stderr } = await desk.run(["settings", "api.key=abc"]);
		expect(stdout + stderr).not.toContain("abc");
		expect(read(workspace())).toEqual({ "api.key": "abc" });
	});

	test("and taken out; what another file still says is told, and that .amp is only read", async () => {
		putLayers();
		const unset = await desk.run(["settings", "--unset", "shared", "--unset", "amp.url"]);
		expect(unset.stdout).toBe(`shared is no longer set in ${workspace()}\namp.url was not set in ${workspace()}\n`);
		expect(unset.stderr).toContain(`${global()} still sets shared\n`);
		expect(unset.stderr).toContain(`${amp()} still sets amp.url; brood only reads that file`);
		expect(unset.exitCode).toBe(0);
		expect(readFileSync(workspace(), "utf8")).toContain("// ours");
		expect(read(amp())).toHaveProperty("shared", 3);
		const json = await desk.run(["settings", "--unset", "theme", "--unset", "no", "--json"]);
		expect(JSON.parse(json.stdout)).toEqual({ layer: "workspace", file: workspace(), set: [], unset: ["theme"] });
	});

	test("to nothing that is broken: file and place are told with exit code 3, and it stays as it is", async () => {
		put(workspace(), '{\n\t"a": oops\n}');
		for (const words of [[], ["a"], ["a=1"], ["--unset", "a"]]) {
			const { exitCode, stdout, errors } = await desk.run(["settings", ...words, "--json"]);
			expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 3, stdout: "" });
			expect(errors[0]?.error).toMatchObject({ code: "invalid_settings" });
			expect(errors[0]?.error.message).toContain(`${workspace()} cannot be used: line 2, column 7`);
		}
		expect(readFileSync(workspace(), "utf8")).toBe('{\n\t"a": oops\n}');
		// The user's file is another one.
		const { exitCode, stderr } = await desk.run(["settings", "--global", "a=1"]);
		expect(exitCode).toBe(0);
		expect(stderr).toContain(`warning: The settings file ${workspace()} cannot be used`);
		expect((await desk.run(["settings", "--global", "a"])).stdout).toBe("1\n");
	});

	test("nowhere where the folder cannot be written, or the user has none", async () => {
		writeFileSync(desk.path(".brood"), "a file in the way");
		const { exitCode, stderr } = await desk.run(["settings", "a=1"]);
		expect(exitCode).toBe(3);
		expect(stderr).toContain("cannot be written");
		const nobody = await desk.run(["settings", "--global", "a=1"], { env: { HOME: "", XDG_CONFIG_HOME: "" } });
		expect(nobody.exitCode).toBe(2);
		expect(nobody.stderr).toContain("HOME is not set");
	});

	test("from many terminals at once, and none is lost", async () => {
		const rounds = deep ? 10 : 1;
		for (let round = 0; round < rounds; round++) {
			const keys = Array.from({ length: 8 }, (_, index) => `k${round}-${index}`);
			await Promise.all(keys.map((key) => desk.run(["settings", `${key}=1`])));
			expect(read(workspace())).toMatchObject(Object.fromEntries(keys.map((key) => [key, 1])));
			expect(readdirSync(desk.path(".brood"))).toEqual(["settings.json"]);
		}
		tally("settings from eight processes at once", rounds * 8);
	});
});

describe("a plugin's name before a key", () => {
	test("must be that of a plugin; the settings are those of all", async () => {
		await desk.write({ ".brood/plugins/hello.ts": reader });
		const set = await desk.run(["settings", "hello", "a=1"]);
		expect(set.exitCode).toBe(0);
		expect(set.stderr).toContain("Amp plugins share their settings: hello is not the only one");
		expect((await desk.run(["settings", "amp/hello", "a"])).stdout).toBe("1\n");
		expect((await desk.run(["settings", "a"])).stdout).toBe("1\n");
		const before = readFileSync(workspace(), "utf8");
		for (const words of [
			["helo", "a"],
			["helo", "a=2"],
			["helo", "--unset", "a"],
		]) {
			const { exitCode, stderr } = await desk.run(["settings", ...words]);
			expect(exitCode).toBe(2);
			expect(stderr).toContain('Is it "hello"? A word without "=" before others is the name of a plugin.');
		}
		expect(readFileSync(workspace(), "utf8")).toBe(before);
	});

	test("is a key when it stands alone, and the hint says how the plugin is meant", async () => {
		await desk.write({ ".brood/plugins/hello.ts": reader });
		const { exitCode, stderr } = await desk.run(["settings", "hello"]);
		expect(exitCode).toBe(2);
		expect(stderr).toContain("brood get plugin settings hello");
		await desk.run(["settings", "hello=there"]);
		expect((await desk.run(["settings", "hello"])).stdout).toBe("there\n");
		expect((await desk.run(["settings", "--help"])).stdout).toContain('one word without "=" is a key');
	});

	test("is not run for it", async () => {
		await desk.write({
			".brood/plugins/hello.ts": `require("node:fs").writeFileSync("${desk.path("ran")}", "");${reader}`,
		});
		for (const words of [["a"], ["a=1"], []]) await desk.run(["settings", "hello", ...words]);
		expect(existsSync(desk.path("ran"))).toBe(false);
	});
});
