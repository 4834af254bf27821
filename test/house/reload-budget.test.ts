import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost, type Host } from "../../host/index.ts";
import { limits } from "../../runtime/limits.ts";

/** Save → live without the time of settling, in times of spawn → published; the goals, 1.6 and 0.8, live in the bench. */
const ratiosMax = { cold: 2.6, warm: 1.4 };
const saves = 5;
/** The spare that was taken is replaced meanwhile. */
const calmMs = 510;
/** After it nobody takes saves for the plugin's own doing any more, which some in a row may be. */
const restMs = 2_100;

let folder: string;
beforeAll(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "brood-reload-budget-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a save is live within so many times of a start, and sooner with a warm spare", async () => {
	const plugins = { start: await write("start"), cold: await write("cold"), warm: await write("warm") };
	await using cold = await createHost({ plugins: [plugins.cold], places: false });
	await using warm = await createHost({ plugins: [plugins.warm], places: false, warm: 1 });
	await Promise.all([cold.watch(), warm.watch()]);
	const ratios = { cold: [] as number[], warm: [] as number[] };
	const least = (kind: "cold" | "warm") => Math.min(...ratios[kind]);
	// Only what three repeats agree on counts: whoever else uses the machine slows one of them down.
	do {
		await Bun.sleep(restMs);
		const times = { start: [] as number[], cold: [] as number[], warm: [] as number[] };
		for (let at = 0; at < saves; at += 1) {
			await Bun.sleep(calmMs);
			times.start.push(await published(plugins.start));
			times.cold.push((await live(cold, plugins.cold)) - limits.reload.settleMs);
			times.warm.push((await live(warm, plugins.warm)) - limits.reload.settleMs);
		}
		for (const kind of ["cold", "warm"] as const) ratios[kind].push(median(times[kind]) / median(times.start));
	} while (ratios.cold.length < 3 && (least("cold") > ratiosMax.cold || least("warm") > ratiosMax.warm));
	for (const [kind, all] of Object.entries(ratios)) {
		console.log(`save to live, ${kind}: ${all.map((ratio) => ratio.toFixed(2)).join(", ")} times spawn to published`);
	}
	expect(least("cold")).toBeLessThanOrEqual(ratiosMax.cold);
	expect(least("warm")).toBeLessThanOrEqual(ratiosMax.warm);
}, 30_000);

const source = (tool: string) => `export default (amp) => {
	amp.registerTool({ name: "${tool}", description: "", inputSchema: { type: "object" }, execute: () => "" });
	amp.registerCommand("a", { title: "a" }, () => {});
	amp.on("tool.call", () => {});
};`;

async function write(name: string): Promise<string> {
	const file = join(folder, `${name}.ts`);
	await Bun.write(file, source("first"));
	return file;
}

async function published(plugin: string): Promise<number> {
	await using host = await createHost({ plugins: [plugin], places: false });
	const [{ facts, error } = { facts: undefined, error: undefined }] = host.plugins.list();
	expect(error).toBeUndefined();
	return facts?.published ?? Number.NaN;
}

let count = 0;

/** Saves the plugin with another tool; how long it takes until that is there. */
async function live(host: Host, plugin: string): Promise<number> {
	count += 1;
	const tool = `saved-${count}`;
	const there = Promise.withResolvers<number>();
	using _ = host.onChange(({ added }) => {
		if (added.some(({ key }) => key === tool)) there.resolve(performance.now());
	});
	const begun = performance.now();
	writeFileSync(plugin, source(tool));
	return (await there.promise) - begun;
}

function median(times: number[]): number {
	return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
