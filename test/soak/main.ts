/**
 * Long work of one host program, and what it leaves behind. Prints a table; ends with 1 when something is left, lost
 * or doubled.
 * Usage: bun test/soak/main.ts [--short]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Act, calls, crashes, cycles, reloads } from "./acts.ts";
import { type Left, lookAround } from "./left.ts";

interface Row extends Left {
	act: string;
	count: number;
	seconds: number;
	lost: number;
	doubled: number;
}

const short = process.argv.includes("--short");
/** How far the program may grow after a warm-up, in MB: what the collector keeps for later varies by as much. */
const growthMBMax = 30;
const acts: [name: string, act: Act, count: number][] = [
	["load and stop", cycles, short ? 30 : 1_000],
	["crash and restart", crashes, short ? 20 : 300],
	["reload under calls", reloads, short ? 40 : 1_000],
	["calls, 64 at once over 8 plugins", calls, short ? 8_000 : 200_000],
];

async function soak(act: Act, count: number, folder: string): Promise<Omit<Row, "act">> {
	const before = await lookAround();
	await act(Math.ceil(count / 5), folder);
	const warm = await lookAround();
	const begin = performance.now();
	const outcome = await act(count, folder);
	const seconds = (performance.now() - begin) / 1_000;
	const { memoryMB, descriptors, processes } = await lookAround();
	return {
		count,
		seconds,
		...outcome,
		descriptors: descriptors - before.descriptors,
		processes: processes - before.processes,
		memoryMB: memoryMB - warm.memoryMB,
	};
}

const folder = await mkdtemp(join(tmpdir(), "brood-soak-"));
const rows: Row[] = [];
try {
	// What every host of this program shares is opened once, and stays.
	await cycles(1, folder);
	for (const [act, run, count] of acts) {
		const row = { act, ...(await soak(run, count, folder)) };
		rows.push(row);
		if (process.stderr.isTTY) console.error(`${act}: done in ${row.seconds.toFixed(1)} s`);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}

const bad = rows.filter(
	({ lost, doubled, descriptors, processes, memoryMB }) =>
		lost + doubled + processes > 0 || descriptors > 0 || memoryMB > growthMBMax,
);
console.log(
	["act".padEnd(33), "count", "seconds", "lost", "doubled", "descriptors", "processes", "memory MB"].join("  "),
);
for (const { act, count, seconds, lost, doubled, descriptors, processes, memoryMB } of rows) {
	const cells = [count, seconds.toFixed(1), lost, doubled, descriptors, processes, memoryMB.toFixed(1)];
	const widths = [5, 7, 4, 7, 11, 9, 9];
	console.log([act.padEnd(33), ...cells.map((cell, at) => String(cell).padStart(widths[at] ?? 0))].join("  "));
}
console.log(`Descriptors, processes and memory are growth; memory may grow by ${growthMBMax} MB after the warm-up.`);
for (const { act } of bad) console.log(`Not good: ${act}`);
process.exitCode = bad.length === 0 ? 0 : 1;
