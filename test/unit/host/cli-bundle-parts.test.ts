import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { knownCLI, loadCLI } from "../../../host/backends/bundle-recall.ts";
import { prepareCLI } from "../../../host/backends/cli-prepare.ts";

/** A command line with a command that is not one of the usual ones, laid out as brood's. */
let folder: string;
const path = (...parts: string[]) => join(folder, ...parts);
const entry = () => path("tree/host/cli/start.ts");
const doctor = () => path("tree/host/cli/commands/doctor.ts");
const environment = () => ({ XDG_CACHE_HOME: path("cache") });
const prepare = () => prepareCLI(environment(), entry(), () => Date.now() + 10_000);
const known = () => knownCLI(environment(), entry());

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "brood-cli-parts-"));
	const packages = JSON.stringify(resolve(import.meta.dir, "../../../host/backends/bundle-package.ts"));
	await Bun.write(path("tree/package.json"), '{"name": "brood"}');
	await Bun.write(path("tree/runtime/kept.ts"), "export const kept = 1;\n");
	await Bun.write(path("tree/node_modules/pack/package.json"), '{"name": "pack", "main": "index.js"}');
	await Bun.write(path("tree/node_modules/pack/index.js"), 'exports.pack = "pack";\n');
	await Bun.write(doctor(), command("examines"));
	await Bun.write(
		entry(),
		`import { openPackages } from ${packages};
		export async function start(folder: string): Promise<string> {
			openPackages(folder);
			return (await import("./commands/doctor.ts")).doctor();
		}`,
	);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const command = (verb: string) => `
export async function doctor(): Promise<string> {
	return "${verb} with " + (await import("pack")).pack;
}`;

async function built(): Promise<string> {
	await prepare();
	const bundle = await prepare();
	if (bundle === undefined) throw new Error("nothing was built");
	return bundle;
}

async function run(bundle: string): Promise<string | undefined> {
	return await loadCLI(bundle, (file): { start(folder: string): Promise<string> } => require(file))?.start(bundle);
}

test("a command that is not one of the usual ones lies in a file of its own, and finds its packages from there", async () => {
	const bundle = await built();
	expect(await Bun.file(join(bundle, "start.js")).text()).not.toContain("examines");
	expect(await Bun.file(join(bundle, "rare.js")).text()).toContain("examines");
	// It is the part that runs, since the package has a file of its own.
	expect(await Bun.file(join(bundle, "rare.js")).text()).not.toContain('"pack"}');
	expect(existsSync(join(bundle, "pack.js"))).toBe(true);
	expect(await run(bundle)).toBe("examines with pack");
});

test("once it was edited it runs from its source, and the bundle is given up", async () => {
	const bundle = await built();
	expect(known()).toBe(bundle);
	writeFileSync(doctor(), command("looks"));
	// The usual commands are what they were.
	expect(known()).toBe(bundle);
	expect(await run(bundle)).toBe("looks with pack");
	expect(known()).toBeUndefined();
	const next = await built();
	expect(next).not.toBe(bundle);
	expect(known()).toBe(next);
});
