import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { readBundle, recordPrefix } from "../../../host/backends/bundle-recall.ts";
import { bundledChild } from "../../../host/backends/child-bundle.ts";
import { childEntry, sourceOrigin } from "../../../host/backends/child-origin.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "brood-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What lies in a cache, but for the records of what is there. */
const folders = async (name: string) =>
	(await readdir(join(folder, name, "brood"))).filter((entry) => !entry.startsWith(recordPrefix));

const cached = (name: string) => ({ XDG_CACHE_HOME: join(folder, name) });

describe("the bundled child", () => {
	test("is built once, with bytecode beside it, and found again", async () => {
		const first = await bundledChild(cached("one"));
		const names = readBundle(dirname(first)) ?? [];
		expect(names.filter((name) => name.endsWith(".jsc"))).not.toEqual([]);
		expect((await readdir(dirname(first))).sort()).toEqual([...names, "contents"].sort());
		const { mtimeMs } = await Bun.file(first).stat();
		expect(await bundledChild(cached("one"))).toBe(first);
		expect((await Bun.file(first).stat()).mtimeMs).toBe(mtimeMs);
	});

	test("is whole for each of several hosts that build it at once, and nothing else is left", async () => {
		const built = await Promise.all(Array.from({ length: 6 }, () => bundledChild(cached("many"))));
		expect(new Set(built).size).toBe(1);
		expect(await folders("many")).toEqual([basename(dirname(built[0] ?? ""))]);
	});

	test("is built again when its file was cut, and what a killed build left is swept away then", async () => {
		const whole = await bundledChild(cached("cut"));
		const leftover = join(folder, "cut/brood/building-x");
		await Bun.write(join(leftover, "entry.js"), "");
		await utimes(leftover, new Date(0), new Date(0));
		await Bun.write(whole, "");
		expect(await bundledChild(cached("cut"))).toBe(whole);
		expect(readBundle(dirname(whole), "thoroughly")).toBeDefined();
		expect(await folders("cut")).toEqual([basename(dirname(whole))]);
	});

	test("changes its place with the contents of the sources, not with their folder", async () => {
		const copy = join(folder, "copy");
		for (const room of ["child", "runtime"])
			await cp(join(dirname(childEntry), "..", room), join(copy, room), { recursive: true });
		const entry = join(copy, "child/entry.ts");
		const same = await bundledChild(cached("one"), sourceOrigin(entry));
		expect(same).toBe(await bundledChild(cached("one")));
		await Bun.write(join(copy, "child/main.ts"), `${await Bun.file(join(copy, "child/main.ts")).text()}\n// changed\n`);
		expect(await bundledChild(cached("one"), sourceOrigin(entry))).not.toBe(same);
	});

	test("gives way to the sources where there is no cache", async () => {
		expect(await bundledChild({})).toBe(childEntry);
		expect(await bundledChild({ XDG_CACHE_HOME: "relative", HOME: "" })).toBe(childEntry);
		await Bun.write(join(folder, "file"), "a file where the cache should be");
		expect(await bundledChild({ XDG_CACHE_HOME: join(folder, "file") })).toBe(childEntry);
	});

	// The superuser may write anywhere.
	test.skipIf(process.getuid?.() === 0)("gives way to the sources where the cache is read-only", async () => {
		const readOnly = await mkdtemp(join(folder, "read-only-"));
		await chmod(readOnly, 0o500);
		expect(await bundledChild({ XDG_CACHE_HOME: readOnly })).toBe(childEntry);
	});
});
