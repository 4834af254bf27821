import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileEnablement } from "../../../../host/providers/enablement-file.ts";
import type { PluginKey } from "../../../../host/spec.ts";
import { isBroodError } from "../../../../runtime/errors.ts";
import { rejection } from "../../runtime/support.ts";
import { temporaryFolder } from "../temporary.ts";

const disk = temporaryFolder();
const file = "brood/plugins.json";
const store = () => fileEnablement(disk.path());
const written = () => JSON.parse(readFileSync(disk.path(file), "utf8"));
const hello: PluginKey = { system: "amp", scope: "project", directory: "/w/.brood/plugins", name: "hello" };
const others: [what: string, key: PluginKey][] = [
	["another name", { ...hello, name: "Hello" }],
	["another folder", { ...hello, directory: "/v/.brood/plugins" }],
	["another scope", { ...hello, scope: "user" }],
	["another system", { ...hello, system: "package" }],
];

describe("the file of what is on and off", () => {
	test("is missing until something is off, and then says it to others than whoever wrote it", async () => {
		expect(await store().read([hello])).toEqual([undefined]);
		await store().write([hello], true);
		expect(existsSync(disk.path("brood"))).toBe(true);
		expect(existsSync(disk.path(file))).toBe(false);
		await store().write([hello], false);
		expect(await store().read([hello])).toEqual([false]);
		expect(written()).toEqual({ version: 1, plugins: [{ ...hello, enabled: false }] });
		expect(statSync(disk.path(file)).mode & 0o777).toBe(0o600);
	});

	test.each(others)("knows a plugin of %s as another one", async (_, other) => {
		await store().write([hello], false);
		expect(await store().read([other, hello])).toEqual([undefined, false]);
		await store().write([other], false);
		await store().write([hello], true);
		expect(await store().read([other, hello])).toEqual([false, undefined]);
	});

	test("keeps of external plugins that they are on, since they are off by themselves", async () => {
		const external: PluginKey = { ...hello, system: "external" };
		await store().write([external], false);
		expect(existsSync(disk.path(file))).toBe(false);
		await store().write([external], true);
		expect(await store().read([external])).toEqual([true]);
		await store().write([external], false);
		expect(written().plugins).toEqual([]);
	});

	test("is not written again for what it says already", async () => {
		await store().write([hello], false);
		const { ino } = statSync(disk.path(file));
		await store().write([hello], false);
		expect(statSync(disk.path(file)).ino).toBe(ino);
	});

	test("keeps what a later version put into it, and members of entries that do not change", async () => {
		const later = [
			{ ...hello, name: "kept", enabled: false, sha256: "abc" },
			{ system: "wasm", id: 1 },
			"text",
			{ ...hello, scope: "explicit", enabled: false },
		];
		disk.file(file, `\ufeff${JSON.stringify({ version: 1, plugins: later })}`);
		await store().write([hello], false);
		expect(written().plugins).toEqual([...later, { ...hello, enabled: false }]);
		await store().write([hello], true);
		expect(written().plugins).toEqual(later);
		expect(await store().list()).toEqual([{ ...hello, name: "kept", enabled: false }]);
	});

	test.each([
		["no JSON", "{", "no JSON"],
		["empty", "", "no JSON"],
		["an array", "[]", "must hold a JSON object"],
		["of another version", '{"version":2,"plugins":[]}', "version is 2"],
		["without plugins", '{"version":1}', "plugins must be an array"],
		["too large", " ".repeat(1024 * 1024 + 1), "larger than"],
	])("that is %s is an error that names it, and stays as it is", async (_, text, reason) => {
		disk.file(file, text);
		for (const task of [
			() => store().read([hello]),
			() => store().write([hello], false),
			() => store().write([hello], true),
		]) {
			const error = await rejection(task());
			expect(isBroodError(error, "invalid_state") && error.message).toContain(disk.path(file));
			expect(String(error)).toContain(reason);
		}
		expect(readFileSync(disk.path(file), "utf8")).toBe(text);
		expect(readdirSync(disk.path("brood"))).toEqual(["plugins.json"]);
	});

	test("has no place where neither variable names one: nothing is off, and nothing can be kept", async () => {
		const nowhere = fileEnablement(null);
		expect(await nowhere.read([hello])).toEqual([undefined]);
		expect(String(await rejection(nowhere.write([hello], false)))).toContain("XDG_STATE_HOME");
	});

	test("out of reach is as none, and one that may not be read is an error", async () => {
		disk.file("open/brood/plugins.json", '{"version":1,"plugins":[]}');
		disk.file("shut/brood/plugins.json", '{"version":1,"plugins":[]}');
		chmodSync(disk.path(), 0o755);
		chmodSync(disk.path("open/brood/plugins.json"), 0);
		chmodSync(disk.path("shut"), 0);
		const module = JSON.stringify(new URL("../../../../host/providers/enablement-file.ts", import.meta.url).pathname);
		// The superuser may read everything, so that it has to become somebody else first.
		const source = `const { fileEnablement } = await import(${module});
			if (process.getuid() === 0) process.setuid(65534);
			for (const home of ${JSON.stringify([disk.path("open"), disk.path("shut")])}) {
				console.log(await fileEnablement(home).read([{}]).then(JSON.stringify, ({ code }) => code));
			}`;
		const reader = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe", stderr: "inherit" });
		expect(await reader.stdout.text()).toBe("invalid_state\n[null]\n");
		chmodSync(disk.path("shut"), 0o755);
	});
});
