import { Database } from "bun:sqlite";
import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { createDesk, main } from "../cli/support.ts";
import { asAnybody, canBeRefused, checkNames, createDoctor, quiet } from "./support.ts";

const desk = createDesk({ ownCache: true });
const doctor = createDoctor(desk);

describe("brood doctor", () => {
	test("finds everything in order where it is, and loads each plugin", async () => {
		await desk.write({ ".brood/plugins/one.ts": quiet, ".amp/plugins/two.ts": quiet });
		const { exitCode, checks, of } = await doctor();
		expect(checks.map(({ name }) => name)).toEqual(checkNames);
		// How fast a load is depends on what else the machine does.
		expect(checks.filter(({ name, status }) => status !== "ok" && name !== "speed")).toEqual([]);
		expect(of("bun")[0]?.message).toContain("for the host and for plugins");
		expect(of("plugins")[0]?.message).toBe("2 plugins loaded.");
		expect(exitCode).toBe(0);
	});

	test("tells people in a line a check, says where it has searched, and sums up", async () => {
		await desk.write({ ".brood/plugins/one.ts": quiet, ".env": "A=1\n" });
		const { exitCode, stdout, stderr } = await desk.run(["doctor", "--no-load"]);
		expect(stderr).toBe("");
		expect(stdout).toMatch(/^ok +bun +Bun /m);
		expect(stdout).toContain(`\n         ${desk.path(".brood/plugins")}: 1 plugin\n`);
		expect(stdout).toMatch(/^note +files +A file lies .*\n +.*\/\.env .*\n +hint: Export/m);
		expect(stdout).toEndWith("\n\n2 notes.\n");
		expect(exitCode).toBe(0);
	});

	test("looks at the workspace and the plugins that are named, and refuses what is none", async () => {
		await desk.write({ "other/.git/HEAD": "", "other/.amp/plugins/a.ts": quiet, "mine.ts": quiet });
		const { of } = await doctor(["--no-load", "--cwd", "other", "-p", "mine.ts"]);
		expect(of("places")[0]?.details?.map(({ text }) => text)).toContain(`${desk.path("other/.amp/plugins")}: 1 plugin`);
		expect(of("places")[0]?.details?.[0]).toEqual({ text: "named: 1 plugin", plugins: 1 });
		const { exitCode, errors } = await desk.run(["doctor", "--json", "-p", "gone.ts"]);
		expect({ exitCode, code: errors[0]?.error.code }).toEqual({ exitCode: 2, code: "usage" });
	});

	test("changes nothing with --no-load, and leaves no file", async () => {
		await desk.write({ ".brood/plugins/one.ts": quiet, ".brood/settings.json": "{}" });
		const everything = () => readdirSync(desk.path(".."), { recursive: true, encoding: "utf8" }).sort();
		const before = everything();
		// Bun keeps what it has made of sources in a cache of its own.
		await doctor(["--no-load"], { env: { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" } });
		expect(everything()).toEqual(before);
	});
});

describe("brood doctor tells of", () => {
	test("a settings file that is no JSON, with its line", async () => {
		await desk.write({ ".brood/settings.json": '{\n\t"a": 1,\n\t"b" 2\n}\n', ".amp/settings.json": "{}" });
		const { exitCode, of } = await doctor(["--no-load"]);
		expect(of("settings")).toMatchObject([
			{ status: "problem", details: [{ path: desk.path(".brood/settings.json"), line: 3, column: 6 }] },
		]);
		expect(exitCode).toBe(3);
	});

	test("saved states of plugins that cannot be read, and still loads nothing by mistake", async () => {
		await Bun.write(desk.home(".local/state/brood/plugins.json"), "{");
		await desk.write({ ".brood/plugins/one.ts": quiet });
		const { exitCode, of } = await doctor(["--no-load"]);
		expect(of("state")).toMatchObject([
			{ status: "problem", details: [{ path: desk.home(".local/state/brood/plugins.json") }] },
		]);
		expect(of("state")[0]?.hint).toBeString();
		expect(exitCode).toBe(3);
	});

	test("a database that is damaged, and not of a whole one", async () => {
		const folder = desk.home(".local/state/brood");
		mkdirSync(folder, { recursive: true });
		for (const name of ["whole.sqlite", "cut.sqlite", "holed.sqlite"]) {
			using database = new Database(`${folder}/${name}`);
			database.run("create table a (b)");
			database.run("insert into a select hex(randomblob(4000)) from (select 1 union select 2 union select 3)");
		}
		const cut = Bun.file(`${folder}/cut.sqlite`);
		await Bun.write(cut, (await cut.bytes()).slice(0, 6_000));
		const holed = await Bun.file(`${folder}/holed.sqlite`).bytes();
		await Bun.write(`${folder}/holed.sqlite`, holed.fill(0, 4_096, 8_192));
		await Bun.write(`${folder}/text.sqlite`, "this is text, and no database");
		const { of } = await doctor(["--no-load"]);
		expect(of("state").map(({ details }) => details?.[0]?.path)).toEqual([
			`${folder}/cut.sqlite`,
			`${folder}/holed.sqlite`,
			`${folder}/text.sqlite`,
		]);
		expect(readdirSync(folder).sort()).toEqual(["cut.sqlite", "holed.sqlite", "text.sqlite", "whole.sqlite"]);
	});

	test.each([
		["HOME that is not set", { HOME: "", XDG_CONFIG_HOME: "" }, "folders", "warning", "HOME is not set"],
		["XDG_CACHE_HOME that is relative", { XDG_CACHE_HOME: "cache" }, "environment", "warning", "XDG_CACHE_HOME"],
		["NODE_OPTIONS", { NODE_OPTIONS: "--require ./a.js" }, "environment", "note", "Bun does not read"],
		["BUN_BE_BUN", { BUN_BE_BUN: "1" }, "environment", "note", "BUN_BE_BUN"],
		["BUN_OPTIONS", { BUN_OPTIONS: "--no-orphans" }, "environment", "note", "BUN_OPTIONS"],
		["TMPDIR that is missing", { TMPDIR: "/nowhere/at/all" }, "folders", "warning", "/nowhere/at/all does not exist"],
		["a BROOD_LOG that cannot be used", { BROOD_LOG: "loud" }, "environment", "warning", "BROOD_LOG"],
		["a BROOD_AI_URL that is none", { BROOD_AI_URL: "ftp://x" }, "environment", "problem", "BROOD_AI_URL"],
		["a BROOD_AI_KEY alone", { BROOD_AI_KEY: "topsecret" }, "environment", "note", "BROOD_AI_KEY does nothing"],
	] as const)("%s", async (_, env, name, status, message) => {
		const { checks, of } = await doctor(["--no-load"], { env: { ...env } });
		const told = of(name).filter((check) => check.status !== "ok");
		expect(told.map((check) => check.status)).toContain(status);
		expect(told.map((check) => check.message).join("\n")).toContain(message);
		expect(JSON.stringify(checks)).not.toContain("topsecret");
	});

	test("folders that cannot be written, with what is lost, also where the superuser looks", async () => {
		await Bun.write(desk.home("file"), "");
		const file = desk.home("file/below");
		const env = { XDG_CONFIG_HOME: file, XDG_CACHE_HOME: file, XDG_STATE_HOME: file };
		const { exitCode, of } = await doctor(["--no-load"], { env });
		expect(
			of("folders").map(({ status, message }) => [status, /The folder for ([\w ]+) cannot/.exec(message)?.[1]]),
		).toEqual(["settings", "the cache", "state"].map((use) => ["warning", use]));
		expect(of("folders")[1]?.message).toContain(`${desk.home("file")} is a file, not a directory`);
		// The places of the user lie there too, and can be read as little.
		expect(of("places")).toMatchObject([{ status: "problem" }]);
		expect(exitCode).toBe(1);
	});

	test("places and files that everybody can change, and how to end that", async () => {
		await desk.write({ ".brood/plugins/a.ts": quiet, ".brood/settings.json": "{}", ".amp/plugins/b/index.ts": quiet });
		chmodSync(desk.path(".brood/plugins"), 0o1777);
		chmodSync(desk.path(".brood/settings.json"), 0o666);
		chmodSync(desk.path(".amp/plugins/b/index.ts"), 0o646);
		chmodSync(desk.path(".amp"), 0o777);
		const { exitCode, of } = await doctor(["--no-load"]);
		const [permissions] = of("permissions");
		expect(permissions?.status).toBe("warning");
		expect(permissions?.details?.map(({ path, mode }) => [path, mode]).sort()).toEqual([
			[desk.path(".amp"), "0777"],
			[desk.path(".amp/plugins/b/index.ts"), "0646"],
			[desk.path(".brood/plugins"), "1777"],
			[desk.path(".brood/settings.json"), "0666"],
		]);
		expect(permissions?.hint).toContain("chmod o-w");
		expect(exitCode).toBe(0);
	});

	test("plugins that are shadowed, what is no plugin, and the places of amber", async () => {
		await desk.write({
			".brood/plugins/a.ts": quiet,
			".amp/plugins/a.ts": quiet,
			".amp/plugins/notes.txt": "",
			".amber/plugins/sysinfo/manifest.json": "{}",
			".amber/plugins/state/settings.json": "{}",
		});
		const { exitCode, of } = await doctor(["--no-load"]);
		expect(of("shadowed")).toMatchObject([
			{ status: "note", details: [{ path: desk.path(".amp/plugins/a.ts"), by: desk.path(".brood/plugins/a.ts") }] },
		]);
		expect(of("skipped")).toMatchObject([{ status: "note", details: [{ path: desk.path(".amp/plugins/notes.txt") }] }]);
		expect(of("amber")).toMatchObject([{ status: "note", details: [{ path: desk.path(".amber/plugins/sysinfo") }] }]);
		expect(exitCode).toBe(0);
	});

	test("a .env file that acts on the host alone, and a bunfig.toml in a plugin's folder that acts on nobody", async () => {
		await desk.write({ ".env": "A=1\n", ".brood/plugins/a/index.ts": quiet, ".brood/plugins/a/bunfig.toml": "" });
		const { of } = await doctor(["--no-load"]);
		expect(of("files")).toMatchObject([{ status: "note" }]);
		expect(of("files")[0]?.details?.map(({ text }) => text)).toEqual([
			`${desk.path(".env")} (but this program has read it, and plugins inherit its variables)`,
			desk.path(".brood/plugins/a/bunfig.toml"),
		]);
		const command = [process.execPath, "--no-env-file", main];
		const apart = await doctor(["--no-load"], { command });
		expect(apart.of("files")[0]?.details?.[0]?.text).toBe(desk.path(".env"));
	});
});

describe("what hosts that were killed have left", () => {
	const old = new Date(Date.now() - 2 * 60 * 60_000);

	test("is told, stays without --fix, goes with it, and what may be in use stays", async () => {
		await desk.write({
			".brood/settings.json": "{}",
			".brood/.settings.json.new-1": "{",
			".brood/.settings.json.new-2": "{",
			".brood/.settings.json.mine": "kept",
		});
		mkdirSync(desk.home("tmp/brood-doctor-old"), { recursive: true });
		mkdirSync(desk.home("tmp/brood-doctor-new"));
		for (const path of [desk.path(".brood/.settings.json.new-1"), desk.home("tmp/brood-doctor-old")]) {
			utimesSync(path, old, old);
		}
		const env = { TMPDIR: desk.home("tmp") };
		const looked = await doctor(["--no-load"], { env });
		const paths = [desk.path(".brood/.settings.json.new-1"), desk.home("tmp/brood-doctor-old")];
		expect(looked.of("leftovers")).toMatchObject([{ status: "note", details: paths.map((path) => ({ path })) }]);
		expect(looked.of("leftovers")[0]?.hint).toContain("--fix");
		expect(readdirSync(desk.path(".brood"))).toHaveLength(4);
		const fixed = await doctor(["--no-load", "--fix"], { env });
		expect(fixed.of("leftovers")).toMatchObject([
			{ status: "ok", details: paths.map((path) => ({ path, removed: true })) },
		]);
		expect(readdirSync(desk.path(".brood")).sort()).toEqual([
			".settings.json.mine",
			".settings.json.new-2",
			"settings.json",
		]);
		expect(readdirSync(desk.home("tmp"))).toEqual(["brood-doctor-new"]);
	});
});

describe("hostile places", () => {
	test("that are files, links in a circle or lead nowhere are told of, and the others searched", async () => {
		await desk.write({ ".brood/plugins": "", ".amp/plugins/a.ts": quiet });
		symlinkSync("loop", desk.path("loop"));
		mkdirSync(desk.home(".config/brood"), { recursive: true });
		mkdirSync(desk.home(".config/amp"), { recursive: true });
		symlinkSync(desk.path("loop"), desk.home(".config/brood/plugins"));
		symlinkSync("nowhere", desk.home(".config/amp/plugins"));
		symlinkSync("circle.ts", desk.path(".amp/plugins/circle.ts"));
		symlinkSync(desk.path("loop"), desk.path(".brood/settings.json"));
		const { exitCode, of } = await doctor();
		expect(of("places")).toMatchObject([{ status: "problem" }]);
		expect(of("places")[0]?.details?.map(({ readable, plugins }) => [readable, plugins])).toEqual([
			[false, 0],
			[true, 1],
			[false, 0],
			[false, 0],
		]);
		expect(of("skipped")).toMatchObject([
			{ status: "problem", details: [{ path: desk.path(".amp/plugins/circle.ts") }] },
		]);
		expect(of("settings")).toMatchObject([{ status: "problem" }]);
		expect(of("plugins")).toMatchObject([{ status: "ok", message: "1 plugin loaded." }]);
		expect(exitCode).toBe(3);
	});

	test("with 5,000 plugins are searched, and none is loaded", async () => {
		const files = Array.from({ length: 5_000 }, (_, index) => [`.brood/plugins/p${index}.ts`, quiet]);
		await desk.write(Object.fromEntries(files));
		const { exitCode, of } = await doctor();
		expect(of("places")).toMatchObject([{ status: "ok", message: "5000 plugins found." }]);
		expect(of("plugins")).toMatchObject([{ status: "warning", hint: expect.stringContaining("--no-places") }]);
		expect(of("speed")).toEqual([]);
		expect(exitCode).toBe(0);
	});

	test("whose names hold what a terminal obeys do not reach it", async () => {
		await desk.write({ ".brood/plugins/a\u001b[2J\n.txt": "" });
		const { stdout } = await desk.run(["doctor", "--no-load"]);
		expect(stdout).toContain("a .txt: its name does not end");
		expect(stdout).not.toContain("\u001b");
	});
});

describe.skipIf(!canBeRefused)("without permission", () => {
	const locked: string[] = [];
	const lock = (path: string, mode: number) => {
		chmodSync(path, mode);
		locked.push(path);
	};
	afterEach(() => {
		for (const path of locked.splice(0)) chmodSync(path, 0o755);
	});

	test("to read a place, a file or settings, or to write the cache, that is what doctor tells", async () => {
		await desk.write({
			".brood/plugins/a.ts": quiet,
			".amp/plugins/b.ts": quiet,
			".amp/plugins/c.ts": quiet,
			".amp/settings.json": "{}",
		});
		mkdirSync(desk.home(".cache"));
		lock(desk.path(".brood/plugins"), 0);
		lock(desk.path(".amp/plugins/c.ts"), 0);
		lock(desk.path(".amp/settings.json"), 0);
		lock(desk.home(".cache"), 0o555);
		const { exitCode, of } = await doctor([], { command: [...asAnybody, process.execPath, main] });
		expect(of("places")[0]?.details?.slice(0, 2)).toMatchObject([
			{ readable: false, reason: "permission to read it is denied" },
			{ readable: true, plugins: 1 },
		]);
		expect(of("skipped")).toMatchObject([{ status: "problem", details: [{ path: desk.path(".amp/plugins/c.ts") }] }]);
		expect(of("settings")).toMatchObject([{ status: "problem" }]);
		expect(of("folders").map(({ status }) => status)).toEqual(["warning"]);
		expect(of("folders")[0]?.message).toContain(`${desk.home(".cache")}: permission to write to it is denied`);
		expect(of("plugins")).toMatchObject([{ status: "ok" }]);
		expect(exitCode).toBe(3);
	});
});
