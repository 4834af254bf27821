import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readBundle } from "../../../host/backends/bundle-recall.ts";
import { bundledChild, openBundle } from "../../../host/backends/child-bundle.ts";
import { childEntry } from "../../../host/backends/child-origin.ts";

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "brood-open-bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cached = (name: string) => ({ XDG_CACHE_HOME: join(folder, name) });

/** Puts as many spaces in the place of a file; its times may stay as they were. */
async function spoil(file: string, keepsTimes: boolean) {
	const whole = join(folder, "whole");
	Bun.spawnSync(["cp", "-p", file, whole]);
	await Bun.write(file, " ".repeat(statSync(file).size));
	if (keepsTimes) Bun.spawnSync(["touch", "-r", whole, file]);
}

/** Looks until the bundle is there again; each look is a launch. */
async function rebuilt(entry: () => string): Promise<string> {
	while (entry() === childEntry) await Bun.sleep(5);
	return entry();
}

describe("a bundle that a host has opened", () => {
	test("gives way to the sources when the cache was deleted, and is built again for later launches", async () => {
		const { entry } = await openBundle(cached("deleted"));
		const file = entry();
		expect(file).not.toBe(childEntry);
		rmSync(join(folder, "deleted"), { recursive: true });
		expect(entry()).toBe(childEntry);
		expect(await rebuilt(entry)).toBe(file);
		expect(readBundle(dirname(file), "thoroughly")).toBeDefined();
	});

	test.each([["entry.js"], ["core.js.jsc"]])("is not run once its %s was overwritten", async (name) => {
		const { entry } = await openBundle(cached("overwritten"));
		const file = entry();
		await spoil(join(dirname(file), name), false);
		expect(entry()).toBe(childEntry);
		await rebuilt(entry);
		expect(readBundle(dirname(file), "thoroughly")).toBeDefined();
	});

	test("whose wrong contents show by nothing is given up when a child ends without a word", async () => {
		const bundle = await openBundle(cached("silent"));
		const file = bundle.entry();
		await spoil(file, true);
		expect(bundle.entry()).toBe(file);
		bundle.suspect();
		expect(bundle.entry()).toBe(childEntry);
		expect(existsSync(join(dirname(file), "contents"))).toBe(false);
		await rebuilt(bundle.entry);
		expect(readBundle(dirname(file), "thoroughly")).toBeDefined();
	});

	test("that is in order stays when a child ends without a word", async () => {
		const bundle = await openBundle(cached("fine"));
		const file = bundle.entry();
		bundle.suspect();
		expect(bundle.entry()).toBe(file);
	});
});

test("a bundle of the right size with wrong contents is built again by the next host", async () => {
	const file = await bundledChild(cached("wrong"));
	await spoil(file, false);
	utimesSync(file, new Date(0), new Date(0));
	expect(await bundledChild(cached("wrong"))).toBe(file);
	expect(readBundle(dirname(file), "thoroughly")).toBeDefined();
});

test("one whose files only have other times, as after a copy, is kept", async () => {
	const file = await bundledChild(cached("copied"));
	utimesSync(file, new Date(0), new Date(0));
	await bundledChild(cached("copied"));
	expect(statSync(file).mtimeMs).toBe(0);
});
