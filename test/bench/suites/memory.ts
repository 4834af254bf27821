import type { FigureDefinition } from "../figures.ts";
import { canLook, keptBy, wakeUpsOf, wakeUpsSince } from "../memory.ts";
import type { Prepared, Suite, Variant } from "../suite.ts";
import type { Driver, PeerName, Workbench } from "../workbench.ts";

export interface MemoryOptions {
	/** Children of each kind; with few of them, what they share would count as their own. */
	children: number;
	/** How long their wake-ups are counted. */
	seconds: number;
	/** How long they are left alone before that. */
	settleSeconds: number;
}

const peers: PeerName[] = ["naive", "node", "ipc", "birpc", "vscode", "mcp"];
const forms = ["package", "compiled"] as const;

/** What a child keeps and does while nobody asks anything of it; a sample for each child. */
export function memorySuite({ children, seconds, settleSeconds }: MemoryOptions): Suite {
	async function prepare(bench: Workbench, wanted: (name: string) => boolean, quick: boolean): Promise<Prepared> {
		const names = [...forms, ...peers];
		if (!canLook) return { variants: [], skipped: missing(names, "only Linux tells what a process keeps") };
		const lacking = bench.node === null ? missing(["node"], "there is no Node here") : [];
		const held = new Map<string, number[]>();
		for (const name of names.filter((one) => wanted(one) && !(one === "node" && bench.node === null))) {
			held.set(name, await hold(await driverOf(name, bench), name, children, bench));
		}
		await bench.sleep(1_000 * settleSeconds);
		return { variants: [idle(held, quick ? Math.min(seconds, quickSeconds) : seconds, bench)], skipped: lacking };
	}

	return {
		title: `memory: each of ${children} children that have nothing to do`,
		sampling: `${children} children that nobody has called yet, looked at once`,
		rounds: 1,
		quickRounds: 1,
		warmUp: 0,
		figures: [
			alone("private MB of an idle child, from the package", "package private", 4),
			alone("private MB of an idle child, compiled", "compiled private", 4),
			alone("wake-ups per second of an idle child, from the package", "package wake-ups", 1),
			alone("wake-ups per second of an idle child, compiled", "compiled wake-ups", 1),
			...peers.map(against),
		],
		variants: [...forms, ...peers],
		prepare,
	};
}

export const memory = memorySuite({ children: 12, seconds: 30, settleSeconds: 3 });

const quickSeconds = 5;

type Name = (typeof forms)[number] | PeerName;

async function driverOf(name: Name, bench: Workbench): Promise<Driver> {
	return name === "package" || name === "compiled" ? bench.ours(name) : bench.peer(name);
}

async function hold(driver: Driver, name: string, count: number, bench: Workbench): Promise<number[]> {
	const plugins = await bench.plugins(count, name === "node" ? ".mjs" : ".ts");
	const { pids = [] } = await driver.ask({ do: "hold", plugins });
	if (pids.length !== count) throw new Error(`${name} has ${pids.length} children of ${count}`);
	return pids;
}

/** All of them are looked at over the same seconds. */
function idle(held: ReadonlyMap<string, number[]>, seconds: number, bench: Workbench): Variant {
	const names = [...held.keys()];
	return {
		name: "idle",
		units: Object.assign(
			{},
			...names.map((name) => ({
				[`${name} private`]: "MB",
				[`${name} resident`]: "MB",
				[`${name} wake-ups`]: "per s",
			})),
		),
		async run() {
			const before = new Map([...held.values()].flat().map((pid) => [pid, wakeUpsOf(pid)]));
			const begun = performance.now();
			await bench.sleep(1_000 * seconds);
			const passed = (performance.now() - begun) / 1_000;
			return Object.assign(
				{},
				...[...held].map(([name, pids]) => ({
					[`${name} wake-ups`]: pids.map((pid) => wakeUpsSince(before.get(pid) ?? new Map(), pid) / passed),
					[`${name} private`]: pids.map((pid) => keptBy(pid).privateMB),
					[`${name} resident`]: pids.map((pid) => keptBy(pid).residentMB),
				})),
			);
		},
	};
}

function alone(title: string, of: string, atMost: number): FigureDefinition {
	return { id: `memory.${of}`, title, of, goal: { atMost } };
}

function against(peer: PeerName): FigureDefinition {
	const title = `private memory from the package ÷ ${peer} child`;
	return { id: `memory.package/${peer}`, title, of: "package private", against: `${peer} private` };
}

function missing(names: readonly string[], reason: string) {
	return names.flatMap((name) =>
		["private", "resident", "wake-ups"].map((what) => ({ name: `${name} ${what}`, reason })),
	);
}
