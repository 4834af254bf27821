import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Start-up of a trivial plugin as a ratio: the medians of spawn to ready and spawn to published, told by
 * `brood list --json`, against bare Bun on an empty file, interleaved in one run.
 * Usage: bun test/bench/startup.ts [ROUNDS]
 */
const rounds = Number(process.argv[2] ?? 40);
const cli = join(import.meta.dir, "../../host/cli/main.ts");
const folder = await mkdtemp(join(tmpdir(), "brood-startup-"));
const empty = join(folder, "empty.ts");
const plugin = join(folder, "trivial.ts");
await Bun.write(empty, "");
await Bun.write(plugin, 'export default (amp) => void amp.registerCommand("hello", { title: "Hello" }, () => {});\n');

const bare: number[] = [];
const ready: number[] = [];
const published: number[] = [];
try {
	for (let round = -2; round < rounds; round += 1) {
		const bareMs = await bareBun();
		const facts = await listPlugin();
		// The first rounds fill caches.
		if (round < 0) continue;
		bare.push(bareMs);
		ready.push(facts.ready);
		published.push(facts.published);
	}
} finally {
	await rm(folder, { recursive: true, force: true });
}
console.log(`medians of ${rounds} interleaved rounds, milliseconds, and the ratio to bare Bun`);
for (const [name, times] of Object.entries({
	"bare bun, empty file": bare,
	"spawn → ready": ready,
	"spawn → published": published,
})) {
	console.log(
		`${name.padEnd(22)} ${median(times).toFixed(2).padStart(7)}  ${(median(times) / median(bare)).toFixed(2)}`,
	);
}

async function bareBun(): Promise<number> {
	const begin = performance.now();
	await Bun.spawn([process.execPath, empty], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exited;
	return performance.now() - begin;
}

async function listPlugin(): Promise<{ ready: number; published: number }> {
	const command = [process.execPath, cli, "list", "--json", "--no-places", "-p", plugin];
	const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
	const listed = JSON.parse(await child.stdout.text());
	return listed.plugins[0].facts;
}

function median(times: number[]): number {
	return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
