import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "../../host/index.ts";

/** Spawn → published of a trivial plugin, in times of a bare Bun that writes one byte; the goal, 1.65, lives in the bench. */
const ratioMax = 2.6;

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "brood-child-budget-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a plugin is published within so many times of what bare Bun takes to write one byte", async () => {
	await Bun.write(join(folder, "byte.ts"), 'console.write("x");\n');
	await Bun.write(
		join(folder, "trivial.ts"),
		`export default (amp) => {
			amp.registerTool({ name: "a", description: "a", inputSchema: { type: "object" }, execute: () => "" });
			amp.registerCommand("a", { title: "a" }, () => {});
			amp.on("tool.call", () => {});
		};`,
	);
	// The first one builds the child's bundle, where it is not there.
	for (let times = 0; times < 3; times += 1) await published();
	const ratios: number[] = [];
	// Only what three repeats agree on counts: whoever else uses the machine slows one of them down.
	do {
		const [bare, ours] = [[] as number[], [] as number[]];
		for (let times = 0; times < 5; times += 1) {
			bare.push(await byte());
			ours.push(await published());
		}
		ratios.push(median(ours) / median(bare));
	} while (ratios.length < 3 && ratios.every((ratio) => ratio > ratioMax));
	console.log(`spawn to published: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} times bare Bun`);
	expect(Math.min(...ratios)).toBeLessThanOrEqual(ratioMax);
});

async function byte(): Promise<number> {
	const begin = performance.now();
	const child = Bun.spawn([process.execPath, join(folder, "byte.ts")], { stdin: "ignore", stderr: "inherit" });
	await child.stdout.getReader().read();
	const ms = performance.now() - begin;
	await child.exited;
	return ms;
}

async function published(): Promise<number> {
	await using host = await createHost({ plugins: [join(folder, "trivial.ts")] });
	const { facts, error } = host.plugins.get("trivial");
	expect(error).toBeUndefined();
	return facts.published ?? Number.NaN;
}

function median(times: number[]): number {
	return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
