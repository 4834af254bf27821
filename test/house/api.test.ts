import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { emitDeclarations, reachable, render, shortDiff } from "./support/api.ts";

const snapshot = join(import.meta.dir, "api.snapshot.d.ts");
const updateCommand = "UPDATE_API=1 bun test test/house/api.test.ts";

test("the public API is the one that was agreed on", async () => {
	const now = render(await emitDeclarations());
	if (process.env.UPDATE_API === "1") await Bun.write(snapshot, now);
	if (!existsSync(snapshot)) throw new Error(`There is no snapshot of the API; make it with: ${updateCommand}`);
	const diff = shortDiff(await Bun.file(snapshot).text(), now);
	if (diff !== "") throw new Error(`The public API changed. If that is meant: ${updateCommand}\n${diff}`);
}, 60_000);

describe("the API gate", () => {
	test("follows declarations from the entries and leaves the rest out", async () => {
		const files: Record<string, string> = {
			"host/index.d.ts": 'export type { B } from "../runtime/b.ts"; export * from "./types.d.ts"; import "node:fs";',
			"runtime/b.d.ts": 'export declare const b: import("./c.js").C;',
			"runtime/c.d.ts": "export type C = 1;",
			"host/types.d.ts": "export interface T {}",
			"host/private.d.ts": "export type P = 1;",
		};
		const found = await reachable(["host/index.d.ts"], async (path) => files[path]);
		expect([...found.keys()]).toEqual(["host/index.d.ts", "host/types.d.ts", "runtime/b.d.ts", "runtime/c.d.ts"]);
		await expect(reachable(["host/gone.d.ts"], async (path) => files[path])).rejects.toThrow("host/gone.d.ts");
	});

	test("shows what changed, in the file where it changed", () => {
		const before = render(
			new Map([
				["a.d.ts", "one\ntwo\nthree"],
				["b.d.ts", "same"],
				["c.d.ts", "gone"],
			]),
		);
		const after = render(
			new Map([
				["a.d.ts", "one\n2\n2b\nthree"],
				["b.d.ts", "same"],
				["d.d.ts", "new"],
			]),
		);
		expect(shortDiff(before, before)).toBe("");
		expect(shortDiff(before, after).split("\n")).toEqual([
			...["// a.d.ts", "- two", "+ 2", "+ 2b"],
			...["// c.d.ts", "- gone", "// d.d.ts", "+ new"],
		]);
		expect(shortDiff(before, after, 2)).toBe("// a.d.ts\n- two\n… and 6 more lines");
	});
});
