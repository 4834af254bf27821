import { type LoadFact, loadFacts } from "../contracts/backend.ts";
import type { HostEvent } from "../host.ts";
import { inMs, padEnd, type Screen } from "./demo-screen.ts";
import type { Colour } from "./style.ts";

/** Shows how plugins load, as it happens. */
export interface LoadView {
	observe(event: HostEvent): void;
	/** Draws when each plugin did what, on one axis. */
	waterfall(): void;
	/** Plugins that did not load, with the reason. */
	failed(): [plugin: string, message: string][];
}

interface Row {
	plugin: string;
	/** On the clock of the demo. */
	spawnedAt: number;
	/** Milliseconds since the spawn. */
	facts: Partial<Record<LoadFact, number>>;
	failure: string | undefined;
}

/** Where lines may be written again, each plugin has a row that fills in; elsewhere it gets its line when it is done. */
export function createLoadView(screen: Screen, now: () => number = () => performance.now()): LoadView {
	const rows = new Map<string, Row>();
	let drawn = false;

	function draw(row: Row): void {
		if (!screen.live) {
			if (row.facts.published !== undefined || row.failure !== undefined) screen.line(labelled(screen, row));
			return;
		}
		const all = [...rows.values()];
		if (drawn) return screen.rewrite(all.length - all.indexOf(row), columns(screen, row));
		drawn = true;
		for (const heads of columnHeads(screen)) screen.line(heads);
		for (const each of all) screen.line(columns(screen, each));
	}

	return {
		observe(event) {
			if (event.type === "found") {
				rows.set(event.plugin, { plugin: event.plugin, spawnedAt: now(), facts: {}, failure: undefined });
			}
			const row = "plugin" in event ? rows.get(event.plugin) : undefined;
			if (row === undefined) return;
			if (event.type === "fact") {
				if (event.fact === "found") row.spawnedAt = now();
				row.facts[event.fact] = event.ms;
				draw(row);
			}
			if (event.type === "state" && event.error !== undefined) {
				row.failure = event.error.message;
				draw(row);
			}
		},
		waterfall: () => drawWaterfall(screen, [...rows.values()]),
		failed: () => [...rows.values()].flatMap(({ plugin, failure }) => (failure ? [[plugin, failure]] : [])),
	};
}

const nameWidth = 17;
const columnWidth = 7;

/** Heads are wider than numbers, so they take turns on two lines. */
function columnHeads({ paint }: Screen): string[] {
	const heads = loadFacts.map((fact) => (fact === "clientInfo" ? "client.info" : fact));
	return [0, 1].map((turn) => {
		const own = heads.filter((_, index) => index % 2 === turn).map((head) => head.padStart(2 * columnWidth));
		const first = own[0]?.slice(turn === 0 ? columnWidth : 0) ?? "";
		return paint("dim", `  ${(turn === 0 ? "ms since spawn" : "").padEnd(nameWidth)}${first}${own.slice(1).join("")}`);
	});
}

function columns({ paint }: Screen, { plugin, facts, failure }: Row): string {
	const numbers = loadFacts.map((fact) => {
		const text = (facts[fact] === undefined ? "·" : inMs(facts[fact])).padStart(columnWidth);
		if (facts[fact] === undefined) return paint("dim", text);
		return fact === "published" ? paint("green", text) : text;
	});
	const name = padEnd(failure === undefined ? plugin : paint("red", plugin), nameWidth);
	return `  ${name}${numbers.join("")}`;
}

function labelled({ paint }: Screen, { plugin, facts, failure }: Row): string {
	const reached = loadFacts.flatMap((fact) => {
		const ms = facts[fact];
		return ms === undefined ? [] : [`${fact === "clientInfo" ? "client.info" : fact} ${inMs(ms).padStart(4)}`];
	});
	return `  ${padEnd(plugin, nameWidth)}${failure === undefined ? reached.join("  ") : paint("red", failure)}`;
}

const phases: { until: LoadFact; glyph: string; what: string; colour: Colour }[] = [
	{ until: "clientInfo", glyph: "░", what: "process start", colour: "dim" },
	{ until: "imported", glyph: "▒", what: "import", colour: "cyan" },
	{ until: "registered", glyph: "▓", what: "activate and register", colour: "yellow" },
	{ until: "published", glyph: "█", what: "fetch and publish", colour: "green" },
];

function drawWaterfall(screen: Screen, rows: Row[]): void {
	const { paint, width } = screen;
	const begin = Math.min(...rows.map(({ spawnedAt }) => spawnedAt));
	const end = Math.max(...rows.map(({ spawnedAt, facts }) => spawnedAt + (facts.published ?? 0)));
	const cells = width - nameWidth - 14;
	const msPerCell = Math.max(end - begin, 1) / cells;
	screen.line(
		`  ${phases.map(({ glyph, what, colour }) => `${paint(colour, glyph)} ${paint("dim", what)}`).join("   ")}`,
	);
	for (const row of rows) {
		const bar = barOf(row, begin, msPerCell)
			.map((phase) => (phase === undefined ? " " : paint(phase.colour, phase.glyph)))
			.join("");
		const total = row.facts.published === undefined ? "failed" : `${inMs(row.facts.published)} ms`;
		screen.line(`  ${padEnd(row.plugin, nameWidth)}${padEnd(bar, cells)}${paint("dim", total.padStart(9))}`);
	}
	screen.line(`  ${" ".repeat(nameWidth)}${paint("dim", `0${`${inMs(end - begin)} ms`.padStart(cells - 1)}`)}`);
}

/** The phase in each cell up to the end of the load; a phase that is shorter than a cell shows where it is the last. */
function barOf({ spawnedAt, facts }: Row, begin: number, msPerCell: number): ((typeof phases)[number] | undefined)[] {
	const offset = spawnedAt - begin;
	const end = offset + Math.max(0, ...phases.map(({ until }) => facts[until] ?? 0));
	return Array.from({ length: Math.ceil(end / msPerCell - rounding) }, (_, cell) => {
		const middle = (cell + 0.5) * msPerCell - offset;
		if (middle < 0) return undefined;
		return phases.find(({ until }) => middle < (facts[until] ?? 0)) ?? phases.findLast(({ until }) => until in facts);
	});
}

// The quotient of equal numbers may be a little more than the number of cells.
const rounding = 1e-6;
