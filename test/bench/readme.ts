import type { Result } from "./results.ts";
import { samplingOf } from "./suites.ts";
import { showGoal, showNumber } from "./table.ts";

const begin = "<!-- figures -->";
const end = "<!-- /figures -->";

/** A page with the figures of saved results between its two marks. @throws Error for a page without them, or no results */
export function withFigures(page: string, results: ReadonlyMap<string, Result>): string {
	const [from, to] = [page.indexOf(begin), page.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`the page has no ${begin} with ${end} after it`);
	return `${page.slice(0, from + begin.length)}\n${figuresBlock(results)}\n${page.slice(to)}`;
}

function figuresBlock(results: ReadonlyMap<string, Result>): string {
	const [first] = results.values();
	if (first === undefined) throw new Error("there are no saved results; make them with: bun run bench --save");
	const { cpu, cores, system, bun, node } = first.machine;
	const programs = node === null ? `Bun ${bun}` : `Bun ${bun}, Node ${node.replace("v", "")}`;
	const samplings = [...results.keys()].flatMap((suite) => {
		const sampling = samplingOf(suite);
		return sampling === undefined ? [] : [`${subjectOf(suite)}: ${sampling}`];
	});
	const but = samplings.length === 0 ? "" : ` (${samplings.join("; ")})`;
	return [
		`Medians of rounds in which all variants take turns${but}, on ${cores} cores (${cpu}, ${system}, ${programs}), ${commitsOf(results)}; all samples are in [test/bench/results](test/bench/results).`,
		"",
		...table(
			["figure", "measured", "goal", "command"],
			[...results.values()].flatMap(({ figures }) => figures.flatMap(goalRow)),
		),
		"",
		"The same work done by others, in multiples of brood from the package:",
		"",
		...table(["", "start", "a call", "calls per second", "private memory"], others.flatMap(peerRow(results))),
	].join("\n");
}

function subjectOf(suite: string): string {
	return suite === "memory" ? "memory and wake-ups" : suite;
}

/** Each commit that was measured, with its suites where there are several. */
function commitsOf(results: ReadonlyMap<string, Result>): string {
	const suitesOf = Map.groupBy(results.values(), ({ commit }) => commit ?? "an unknown commit");
	const commits = [...suitesOf].map(([commit, measured]) =>
		suitesOf.size === 1 ? commit : `${commit} (${measured.map(({ suite }) => suite).join(", ")})`,
	);
	return `at ${commits.join(" and ")}`;
}

function goalRow({ title, value, goal, met, command }: Result["figures"][number]): string[][] {
	if (goal === undefined || value === undefined) return [];
	return [[title, showNumber(value), `${showGoal(goal)}${met ? "" : ", not met"}`, `\`${command}\``]];
}

const others = [
	{ name: "floor", title: "bare Bun that writes one byte" },
	{ name: "worker", title: "Bun Worker (no process of its own)" },
	{ name: "ipc", title: "Bun IPC" },
	{ name: "birpc", title: "birpc over stdio" },
	{ name: "naive", title: "naive Bun child: readline, process.stdin, zod" },
	{ name: "vscode", title: "vscode-jsonrpc over stdio" },
	{ name: "node", title: "Node child, lines of JSON" },
	{ name: "mcp", title: "official MCP client and server over stdio" },
];

const columns = [
	{ suite: "startup", ours: "package", of: (name: string) => name },
	{ suite: "calls", ours: "package p50", of: (name: string) => `${name} p50` },
	{ suite: "calls", ours: "package rate", of: (name: string) => `${name} rate` },
	{ suite: "memory", ours: "package private", of: (name: string) => `${name} private` },
];

function peerRow(results: ReadonlyMap<string, Result>) {
	return ({ name, title }: (typeof others)[number]): string[][] => {
		const cells = columns.map(({ suite, ours, of }) => {
			const median = (wanted: string) =>
				results.get(suite)?.measurements.find((measurement) => measurement.name === wanted)?.median;
			const [theirs, own] = [median(of(name)), median(ours)];
			return theirs === undefined || own === undefined ? "" : showNumber(theirs / own);
		});
		return cells.every((cell) => cell === "") ? [] : [[title, ...cells]];
	};
}

function table(head: string[], rows: string[][]): string[] {
	return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
