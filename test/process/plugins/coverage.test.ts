import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readStatic } from "../../../host/sources/static.ts";
import { clauses } from "./clauses.ts";
import { assertedSamples } from "./support.ts";
import { listSamples, sampleEntry, samplesFolder } from "./workspace.ts";

// This file quotes calls that assert nothing.
const testFiles = [...new Bun.Glob("*.test.ts").scanSync({ cwd: import.meta.dir, absolute: true })].filter(
	(path) => path !== import.meta.path,
);
const names = listSamples();

describe("the samples", () => {
	test("are many, and each is asserted by what it does", async () => {
		const sources = await Promise.all(testFiles.map((file) => Bun.file(file).text()));
		expect(names.length).toBeGreaterThanOrEqual(48);
		expect(assertedSamples(sources).sort()).toEqual(names);
	});

	test("show each thing that plugins do, and each shows one", () => {
		const all = Object.values(clauses).flat();
		expect(all.filter(({ samples }) => samples.length === 0)).toEqual([]);
		expect([...new Set(all.flatMap(({ samples }) => samples))].sort()).toEqual(names);
		expect(new Set(all.map(({ does }) => does)).size).toBe(all.length);
	});

	test("are small, and each says what it shows without being run", async () => {
		for (const name of names) {
			const entry = sampleEntry(samplesFolder, name) ?? "";
			const index = (await Bun.file(join(entry, "index.ts")).exists()) ? "index.ts" : "index.js";
			const file = /\.[tj]s$/.test(entry) ? entry : join(entry, index);
			const text = await Bun.file(file).text();
			const { description } = readStatic(text, file);
			// What a CommonJS module sets is not known before it runs.
			const isKnown = description !== undefined || text.includes("module.exports.description");
			expect({ name, isKnown, isSmall: text.split("\n").length <= 61 }).toEqual({ name, isKnown: true, isSmall: true });
		}
	});
});

describe("the table of assertions", () => {
	test("sees a sample in each form that a test gives it", () => {
		const source = [
			'sample("one", "does", async () => {});',
			'\tsample(\n\t\t"two",',
			'resample("none")',
			"sample(name",
		];
		expect(assertedSamples(source)).toEqual(["one", "two"]);
	});
});
