import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "../../host/index.ts";
import { testPlugin } from "../kit/index.ts";

/**
 * From `testPlugin` to the result of a first tool, in times of what a host takes from the spawn of that plugin to ready. The
 * goals are 0.4 and 1.3; with a core taken by others both double.
 */
const ratiosMax = { graph: 0.8, process: 2.4 };
/** Until what a test file does again and again runs as fast as it will. */
const warmUps = 10;
const rounds = 9;

let path: string;
let folder: string;
beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), "brood-kit-budget-"));
	path = join(folder, "trivial.ts");
	await Bun.write(
		path,
		`export default (amp) => {
			amp.registerTool({ name: "a", description: "a", inputSchema: { type: "object" }, execute: () => "" });
		};`,
	);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a test has the result of its first call within so many times of a start of its plugin", async () => {
	for (let times = 0; times < warmUps; times += 1) await round();
	const ratios: { graph: number; process: number }[] = [];
	// Only what three repeats agree on counts: whoever else uses the machine slows one of them down.
	do {
		const all: Awaited<ReturnType<typeof round>>[] = [];
		for (let times = 0; times < rounds; times += 1) all.push(await round());
		const ready = median(all.map((times) => times.ready));
		const ratio = (isolation: "graph" | "process") => median(all.map((times) => times[isolation])) / ready;
		ratios.push({ graph: ratio("graph"), process: ratio("process") });
	} while (ratios.length < 3 && !isWithin(least(ratios)));
	const { graph, process } = least(ratios);
	console.log(
		`first result of a plugin under test: ${graph.toFixed(2)} (graph), ${process.toFixed(2)} (process) of a start`,
	);
	expect(isWithin({ graph, process })).toBe(true);
}, 30_000);

function isWithin({ graph, process }: typeof ratiosMax): boolean {
	return graph <= ratiosMax.graph && process <= ratiosMax.process;
}

function least(ratios: (typeof ratiosMax)[]): typeof ratiosMax {
	return {
		graph: Math.min(...ratios.map(({ graph }) => graph)),
		process: Math.min(...ratios.map(({ process }) => process)),
	};
}

/** All three in turn, so that they meet the same machine. */
async function round() {
	return { ready: await ready(), graph: await firstResult("graph"), process: await firstResult("process") };
}

async function ready(): Promise<number> {
	await using host = await createHost({ plugins: [path], places: false, enablement: false });
	return host.plugins.get("trivial").facts.ready ?? Number.NaN;
}

async function firstResult(isolation: "graph" | "process"): Promise<number> {
	const begin = performance.now();
	await using plugin = await testPlugin(path, { isolation });
	await plugin.tools.call("a", {});
	return performance.now() - begin;
}

function median(times: number[]): number {
	return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}
