import { expect, test } from "bun:test";
import { setTimeout as pause } from "node:timers/promises";
import { deep, tally } from "../../support/effort.ts";
import { createBench, type Running } from "../support/host.ts";
import { groupEnds } from "../support/processes.ts";
import { report } from "./support.ts";

const bench = createBench();
const reloads = deep ? 500 : 20;
const callersAtOnce = 32;

/** One after the other is saved: what is written again and again right after it was loaded is loaded later. */
const parts = Array.from({ length: 20 }, (_, at) => `part-${at}`);
/** After it nobody takes saves for the plugin's own doing any more. */
const calmMs = 2_100;
/** So many in a row nobody does in any case. */
const savesInRow = 20;

/** Its version is the highest number in its parts. It answers some calls at once and some later, and is a gate of its own calls. */
const plugin = `${parts.map((part, at) => `import { number as n${at} } from "./${part}.ts";`).join("\n")}
const version = Math.max(${parts.map((_, at) => `n${at}`).join(", ")});
export default (amp) => {
	amp.registerTool({
		name: "answer",
		description: "version " + version,
		inputSchema: { type: "object", properties: { unique: { type: "number" } }, required: ["unique"] },
		async execute({ unique }) {
			if (unique % 3 === 0) await Bun.sleep(unique % 40);
			return version + " " + unique;
		},
	});
	amp.on("tool.call", () => ({ action: "allow" }));
};
`;

interface Call {
	unique: number;
	/** The version that was published when the call began, and when it had settled. */
	from: number;
	to: number;
	/** What came back; nothing of a call that was lost. */
	version: number;
	answered: number;
	lost?: string;
}

/** Calls without pause, from so many callers, until it is stopped; resolves with every call. */
function callWithoutPause({ host }: Running, live: () => number) {
	const calls: Call[] = [];
	let isOver = false;
	let last = 0;
	async function one(events: boolean): Promise<void> {
		last += 1;
		const unique = last;
		const from = live();
		const { ok, text } = await host.tools
			.call("answer", { unique }, { events })
			.catch((error: unknown) => ({ ok: false, text: String(error) }));
		const [version = Number.NaN, answered = Number.NaN] = ok ? text.split(" ").map(Number) : [];
		calls.push({ unique, from, to: live(), version, answered, ...(ok ? {} : { lost: text }) });
		// What is refused at once would leave no time for anything else.
		if (!ok) isOver = true;
	}
	const callers = Array.from({ length: callersAtOnce }, async (_, at) => {
		while (!isOver) await one(at % 2 === 0);
	});
	return async () => {
		isOver = true;
		await Promise.all(callers);
		return { calls, begun: last };
	};
}

/*
 * The swap line is the one step in which the registry goes from one version to the next, told by its change. A call that
 * begins after it gets this version or a newer one; one that settles before it never a newer one than was published.
 */
test(
	`${reloads} saves while ${callersAtOnce} callers call without pause: each call is answered once, on its side of the swap line`,
	async () => {
		const save = (version: number) =>
			bench.write(`one/${parts[version % parts.length]}.ts`, `export const number = ${version};`);
		for (const part of parts) bench.write(`one/${part}.ts`, "export const number = 0;");
		const running = await bench.start({ "one/index.ts": plugin });
		await running.host.watch();
		let live = 0;
		running.host.onChange(({ changed }) => {
			for (const { item } of changed) if ("description" in item) live = Number(/\d+/.exec(item.description)?.[0]);
		});
		const stop = callWithoutPause(running, () => live);
		const saved = Array.from({ length: reloads }, (_, at) => at + 1);
		const outcomes: unknown[] = [];
		const pids = [running.host.plugins.get("one").pid ?? 0];
		for (const version of saved) {
			const told = report(running, "one");
			save(version);
			const { outcome, changed } = await told;
			pids.push(running.host.plugins.get("one").pid ?? 0);
			outcomes.push([version, live, outcome, changed]);
			// Not always at the same moment of what the last reload has left to do.
			await pause(version % savesInRow === 0 && version < reloads ? calmMs : version % 7);
		}
		const { calls, begun } = await stop();
		expect(outcomes).toEqual(saved.map((version) => [version, version, "reload", ["tool answer"]]));
		expect(calls.filter(({ lost }) => lost !== undefined)).toEqual([]);
		expect(calls.filter(({ unique, answered }) => unique !== answered)).toEqual([]);
		expect(new Set(calls.map(({ answered }) => answered)).size).toBe(begun);
		expect(calls).toHaveLength(begun);
		expect(calls.filter(({ version, from }) => version < from)).toEqual([]);
		expect(calls.filter(({ version, to }) => version > to)).toEqual([]);
		const across = calls.filter(({ from, to }) => from < to);
		// Else nothing of all this was tried.
		expect(across.length).toBeGreaterThan(reloads);
		expect(new Set(calls.map(({ version }) => version)).size).toBeGreaterThan(reloads / 2);
		const replaced = pids.filter((pid) => pid !== running.host.plugins.get("one").pid);
		expect(new Set(replaced).size).toBe(reloads);
		expect(await Promise.all(replaced.map((pid) => groupEnds(pid)))).not.toContain(false);
		tally("reloads under load", reloads, `${begun} calls by ${callersAtOnce} callers, ${across.length} across a swap`);
	},
	deep ? 20 * 60_000 : 60_000,
);
