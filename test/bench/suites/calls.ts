import { quantile } from "../../../host/devtools/statistics.ts";
import type { FigureDefinition } from "../figures.ts";
import type { Prepared, Suite, Variant } from "../suite.ts";
import { canPin, type Driver, type PeerName, type Workbench } from "../workbench.ts";

/** How much is done in one round. */
export interface CallsOptions {
	calls: number;
	floodMs: number;
}

const peers: PeerName[] = ["raw", "own", "node", "worker", "ipc", "birpc", "vscode", "mcp"];

/** Calls of a tool with a hundred bytes; both processes share one core. */
export const callsSuite = (work: CallsOptions): Suite => ({
	title: "calls: a text of 100 bytes to a tool and back, both processes on one core",
	sampling: "both processes on one core",
	rounds: 15,
	quickRounds: 4,
	warmUp: 2,
	figures: [
		{
			id: "calls.latency/raw",
			title: "p50 of host.tools.call, input checked ÷ raw echo over a socket pair",
			of: "package p50",
			against: "raw p50",
			goal: { atMost: 2 },
		},
		{
			id: "calls.peer/raw",
			title: "p50 of our peer without a host ÷ raw echo over a socket pair",
			of: "own p50",
			against: "raw p50",
		},
		rate("vscode", "vscode-jsonrpc", 8),
		rate("mcp", "official MCP client and server", 8),
		rate("birpc", "birpc"),
		rate("ipc", "Bun IPC"),
		rate("worker", "Bun Worker"),
		rate("node", "Node child, lines of JSON"),
		latency("vscode", "vscode-jsonrpc"),
		latency("mcp", "official MCP client and server"),
		latency("birpc", "birpc"),
		latency("ipc", "Bun IPC"),
		latency("worker", "Bun Worker"),
	],
	variants: ["package", ...peers],
	prepare: (bench, wanted) => prepare(work, bench, wanted),
});

export const calls = callsSuite({ calls: 2_000, floodMs: 300 });

async function prepare(work: CallsOptions, bench: Workbench, wanted: (name: string) => boolean): Promise<Prepared> {
	if (!canPin()) return { variants: [], skipped: everything("taskset, which keeps processes on one core, is missing") };
	const [plugin = ""] = await bench.plugins(1);
	const [forNode = ""] = await bench.plugins(1, ".mjs");
	const lacksNode = bench.node === null;
	const names = (["package", ...peers] as const).filter((name) => wanted(name) && !(name === "node" && lacksNode));
	const variants = await Promise.all(
		names.map(async (name) => {
			const driver = await (name === "package"
				? bench.ours(name, { pinned: true })
				: bench.peer(name, { pinned: true }));
			return called(name, driver, name === "node" ? forNode : plugin, work);
		}),
	);
	return { variants, skipped: lacksNode ? missing("node", "there is no Node here") : [] };
}

async function called(name: string, driver: Driver, plugin: string, work: CallsOptions): Promise<Variant> {
	await driver.ask({ do: "open", plugin });
	return {
		name,
		units: { [`${name} p50`]: "µs", [`${name} p99`]: "µs", [`${name} rate`]: "per s" },
		async run() {
			const { times = [] } = await driver.ask({ do: "calls", count: work.calls, bytes: 100 });
			const sorted = Float64Array.from(times).sort();
			const latency = { [`${name} p50`]: quantile(sorted, 0.5), [`${name} p99`]: quantile(sorted, 0.99) };
			// Bytes without messages cannot be told apart.
			if (name === "raw") return latency;
			const flooded = await driver.measure({ do: "flood", ms: work.floodMs, inFlight: 64, bytes: 100 });
			return { ...latency, [`${name} rate`]: flooded.rate ?? Number.NaN };
		},
	};
}

function rate(peer: PeerName, title: string, atLeast?: number): FigureDefinition {
	return {
		id: `calls.rate/${peer}`,
		title: `calls per second, 64 at once ÷ ${title}`,
		of: "package rate",
		against: `${peer} rate`,
		...(atLeast === undefined ? {} : { goal: { atLeast } }),
	};
}

function latency(peer: PeerName, title: string): FigureDefinition {
	return { id: `calls.latency/${peer}`, title: `p50 ÷ ${title}`, of: "package p50", against: `${peer} p50` };
}

function everything(reason: string) {
	return ["package", ...peers].flatMap((name) => missing(name, reason));
}

function missing(name: string, reason: string) {
	return ["p50", "p99", "rate"].map((what) => ({ name: `${name} ${what}`, reason }));
}
