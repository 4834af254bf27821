import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { makeBundle } from "../../../host/backends/bundle-folder.ts";
import { knownCLI, loadCLI } from "../../../host/backends/bundle-recall.ts";
import { prepareCLI } from "../../../host/backends/cli-prepare.ts";
import { shareFolder } from "../../../host/base/folder-lock.ts";

/** A command line of a few lines, laid out as brood's. */
let folder: string;
const path = (...parts: string[]) => join(folder, ...parts);
const entry = () => path("tree/host/cli/start.ts");
const environment = () => ({ XDG_CACHE_HOME: path("cache") });
// A time that can be set again to the nanosecond.
const whole = new Date(Date.UTC(2020, 0));
// Some time after the files were written.
const later = () => Date.now() + 10_000;
const prepare = (now = later) => prepareCLI(environment(), entry(), now);
const known = () => knownCLI(environment(), entry());
const cached = () => readdirSync(path("cache/brood")).filter((name) => !name.startsWith("known-"));

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "brood-cli-bundle-"));
	const packages = resolve(import.meta.dir, "../../../host/backends/bundle-package.ts");
	await Bun.write(path("tree/package.json"), '{"name": "brood"}');
	await Bun.write(path("tree/host/own.ts"), 'export const own: string = "own";\n');
	await Bun.write(path("tree/runtime/deep.ts"), 'export const deep: string = "deep";\n');
	await Bun.write(path("tree/node_modules/pack/package.json"), '{"name": "pack", "main": "index.js"}');
	await Bun.write(path("tree/node_modules/pack/index.js"), 'exports.pack = "pack";\n');
	await Bun.write(
		entry(),
		`import { openPackages } from ${JSON.stringify(packages)};
		import { deep } from "../../runtime/deep.ts";
		import { own } from "../own.ts";
		export async function start(folder: string) {
			openPackages(folder);
			return { own, deep, pack: (await import("pack")).pack, dir: import.meta.dir };
		}`,
	);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(bundle: string | undefined): Promise<unknown> {
	const loaded = loadCLI(bundle ?? "", (file): { start(folder: string): Promise<unknown> } => require(file));
	return await loaded?.start(bundle ?? "");
}

async function built(): Promise<string> {
	await prepare();
	const bundle = await prepare();
	if (bundle === undefined) throw new Error("nothing was built");
	return bundle;
}

describe("the command line", () => {
	test("is bundled when it ran twice from the same sources, and does what these do where they lie", async () => {
		expect(await prepare()).toBeUndefined();
		expect(known()).toBeUndefined();
		const bundle = await prepare();
		expect(known()).toBe(bundle ?? "none");
		expect(await run(bundle)).toEqual({ own: "own", deep: "deep", pack: "pack", dir: path("tree/host/cli") });
	});

	test("is not bundled while its sources are being worked on", async () => {
		await prepare();
		await Bun.write(path("tree/host/own.ts"), 'export const own = "changed";\n');
		expect(await prepare()).toBeUndefined();
		expect(await prepare(Date.now)).toBeUndefined();
		expect(cached()).toEqual([]);
		expect(await run(await prepare())).toMatchObject({ own: "changed" });
	});

	test.each([["host/cli/start.ts"], ["host/own.ts"], ["runtime/deep.ts"]])(
		"never runs from its bundle once %s was edited, not even when size and time are as they were",
		async (name) => {
			const file = path("tree", name);
			utimesSync(file, whole, whole);
			await built();
			const { mtimeMs, size } = statSync(file);
			await Bun.write(
				file,
				(await Bun.file(file).text()).replace(/"own"|"deep"|start/, (word) => word.toUpperCase()),
			);
			utimesSync(file, whole, whole);
			expect(statSync(file)).toMatchObject({ mtimeMs, size });
			expect(known()).toBeUndefined();
		},
	);

	test("takes a package from its sources once one of these was edited", async () => {
		const bundle = await built();
		await Bun.write(path("tree/node_modules/pack/index.js"), 'exports.pack = "PACK";\n');
		expect(known()).toBe(bundle);
		expect(await run(bundle)).toMatchObject({ own: "own", pack: "PACK" });
	});

	test("is bundled once by several that end together, and nothing else is left", async () => {
		await prepare();
		await Promise.all(Array.from({ length: 4 }, () => prepare()));
		expect(cached()).toEqual([basename(known() ?? "")]);
	});

	test("gives up a bundle that cannot be loaded and is not what was built", async () => {
		const bundle = await built();
		const file = join(bundle, "start.js");
		const { size, mtime } = statSync(file);
		await Bun.write(file, ")".repeat(size));
		utimesSync(file, mtime, mtime);
		rmSync(`${file}.jsc`);
		expect(await run(bundle)).toBeUndefined();
		expect(known()).toBeUndefined();
	});

	test("removes the bundle of earlier sources, but not under a program that runs from it", async () => {
		const first = await built();
		await Bun.write(path("tree/host/own.ts"), 'export const own = "second";\n');
		const mark = await shareFolder(first);
		const second = await built();
		expect(cached().sort()).toEqual([basename(first), basename(second)].sort());
		expect(await run(first)).toMatchObject({ own: "own", pack: "pack" });
		if (mark === undefined) throw new Error("the folder was not marked");
		closeSync(mark);
	});

	test("has one bundle for its sources, and no trace of the one before", async () => {
		const first = await built();
		await Bun.write(path("tree/host/own.ts"), 'export const own = "second";\n');
		expect(cached()).toEqual([basename(first)]);
		const second = await built();
		expect(second).not.toBe(first);
		expect(cached()).toEqual([basename(second)]);
	});

	test("does without where there is no cache", async () => {
		expect(await prepareCLI({}, entry(), later)).toBeUndefined();
		await Bun.write(path("cache"), "a file");
		expect(await prepare()).toBeUndefined();
		expect(await prepare()).toBeUndefined();
	});
});

test("a bundle whose sources were changed while it was built is not used", async () => {
	const target = path("cache/brood/child-x");
	const build = async (outdir: string) => {
		await Bun.write(join(outdir, "entry.js"), "1");
		return ["entry.js"];
	};
	const failed = await makeBundle(target, build, () => false).then(
		() => undefined,
		(error: Error) => error.message,
	);
	expect(failed).toContain("changed while");
	expect(cached()).toEqual([]);
});
