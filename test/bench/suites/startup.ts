import { join } from "node:path";
import { childVariables } from "../../../runtime/protocol.ts";
import { buildStandardChild } from "../standard-child.ts";
import type { Prepared, Suite, Variant } from "../suite.ts";
import type { Driver, PeerName, Workbench } from "../workbench.ts";

const peers: PeerName[] = ["floor", "naive", "node", "worker", "ipc", "birpc", "vscode", "mcp"];

/** From the spawn until the registrations of a trivial plugin are at the host. */
export const startup: Suite = {
	title: "start-up: spawn → hello → import → three registrations → ready → published",
	rounds: 40,
	quickRounds: 8,
	warmUp: 3,
	figures: [
		{
			id: "startup.compiled/floor",
			title: "spawn → published in a fresh host, compiled ÷ bare Bun that writes one byte",
			of: "compiled",
			against: "floor",
			goal: { atMost: 1.45, stretch: 1.3 },
		},
		{
			// Two files of a hundred megabytes drive each other out of the processor's caches; here it is one.
			id: "startup.compiled/compiled floor",
			title: "spawn → published in a fresh host, compiled ÷ the same file as bare Bun that writes one byte",
			of: "compiled",
			against: "compiled floor",
		},
		{
			id: "startup.package/floor",
			title: "spawn → published in a fresh host, from the package ÷ bare Bun that writes one byte",
			of: "package",
			against: "floor",
			goal: { atMost: 1.65, stretch: 1.5 },
		},
		against("node", "Node child that does the same handshake", 0.13),
		against("mcp", "official MCP client and server, initialize + tools/list", 0.09),
		against("vscode", "vscode-jsonrpc", 0.22),
		against("naive", "naive Bun child (readline, process.stdin, zod)"),
		against("birpc", "birpc"),
		against("ipc", "Bun IPC"),
		against("worker", "Bun Worker"),
		{
			id: "startup.warm/cold",
			title: "warm spare, load → published in a running host ÷ cold, the same",
			of: "warm",
			against: "cold",
			goal: { atMost: 0.25 },
		},
		{
			id: "startup.guarded/unguarded",
			title:
				"spawn → published, wire on a socket of its own ÷ on stdin and stdout, unguarded (a child for this bench alone; same code, flags and variables)",
			of: "package",
			against: "unguarded",
			goal: { atMost: 1.08 },
		},
		{
			// The guard of a child that has no socket: one that is started by hand, or by a command of the host's own.
			id: "startup.moved/unguarded",
			title:
				"spawn → published, wire moved off stdin and stdout ÷ on them, unguarded (both are children for this bench alone)",
			of: "moved",
			against: "unguarded",
		},
		{
			id: "startup.list/empty",
			title: "brood list on one plugin, whole process ÷ bare Bun on an empty file",
			of: "brood list",
			against: "empty file",
			goal: { atMost: 8 },
		},
		{
			id: "startup.created/floor",
			title: "createHost() → resolved, from the package ÷ bare Bun that writes one byte",
			of: "package createHost",
			against: "floor",
		},
	],
	variants: [
		"compiled",
		"compiled floor",
		"package",
		...peers,
		"cold",
		"warm",
		"moved",
		"unguarded",
		"brood list",
		"empty file",
	],
	prepare,
};

function against(peer: PeerName, title: string, atMost?: number) {
	return {
		id: `startup.package/${peer}`,
		title: `spawn → published in a fresh host, from the package ÷ ${title}`,
		of: "package",
		against: peer,
		...(atMost === undefined ? {} : { goal: { atMost } }),
	};
}

async function prepare(bench: Workbench, wanted: (name: string) => boolean): Promise<Prepared> {
	const [plugin = ""] = await bench.plugins(1);
	const [forNode = ""] = await bench.plugins(1, ".mjs");
	const skipped: { name: string; reason: string }[] = [];
	const variants: Variant[] = [];
	for (const form of ["compiled", "package"] as const) {
		if (wanted(form)) variants.push(ours(form, await bench.ours(form), plugin));
	}
	if (wanted("compiled floor")) variants.push(started("compiled floor", await bench.compiledFloor(), plugin));
	for (const name of peers) {
		if (!wanted(name)) continue;
		if (name === "node" && bench.node === null) skipped.push({ name, reason: "there is no Node here" });
		else variants.push(started(name, bench.peer(name), name === "node" ? forNode : plugin));
	}
	if (wanted("warm") || wanted("cold")) await addSpares();
	if (wanted("unguarded")) variants.push(await standard("unguarded", "open"));
	if (wanted("moved")) variants.push(await standard("moved", "moved"));
	if (wanted("brood list")) variants.push(listing(bench, plugin));
	if (wanted("empty file")) variants.push(await emptyFile(bench));
	return { variants, skipped };

	async function standard(name: string, standard: "open" | "moved"): Promise<Variant> {
		const launch = { form: "custom", command: await buildStandardChild(standard, bench.folder) } as const;
		// The variables of any child, which a command of a host's own does not get.
		const host = { launch, variables: childVariables };
		return started(name, await bench.ours("package", { host }), plugin);
	}

	async function addSpares(): Promise<void> {
		const cold = await bench.ours("package");
		const warm = await bench.ours("package", { host: { warm: 2 } });
		await cold.ask({ do: "open", plugin });
		try {
			await warm.ask({ do: "open", plugin });
		} catch {
			skipped.push({ name: "warm", reason: "createHost knows no warm spares" });
			return;
		}
		variants.push(again("cold", cold), again("warm", warm));
	}
}

function started(name: string, driver: Driver, plugin: string): Variant {
	return {
		name,
		units: { [name]: "ms" },
		async run() {
			const { start = Number.NaN } = await driver.measure({ do: "start", plugin });
			return { [name]: start };
		},
	};
}

/** The host's own work before the spawn counts in a second measurement. */
function ours(name: string, driver: Driver, plugin: string): Variant {
	const whole = `${name} createHost`;
	return {
		name,
		units: { [name]: "ms", [whole]: "ms" },
		async run() {
			const { start = Number.NaN, created = Number.NaN } = await driver.measure({ do: "start", plugin });
			return { [name]: start, [whole]: created };
		},
	};
}

function again(name: string, driver: Driver): Variant {
	return {
		name,
		units: { [name]: "ms" },
		async run() {
			const { start = Number.NaN } = await driver.measure({ do: "again" });
			return { [name]: start };
		},
	};
}

function listing(bench: Workbench, plugin: string): Variant {
	const bin = join(import.meta.dir, "../../../host/cli/bin.js");
	return whole("brood list", [process.execPath, bin, "list", "--no-places", "-p", plugin], bench);
}

async function emptyFile(bench: Workbench): Promise<Variant> {
	const path = join(bench.folder, "empty.ts");
	await Bun.write(path, "");
	return whole("empty file", [process.execPath, path], bench);
}

/** A process from its spawn to its end. */
function whole(name: string, command: string[], bench: Workbench): Variant {
	return { name, units: { [name]: "ms" }, run: async () => ({ [name]: await bench.time(command) }) };
}
