import { relative } from "node:path";
import type { BroodError } from "../../../runtime/errors.ts";
import type { Capabilities } from "../../contracts/backend.ts";
import { headlineOf, type PluginSnapshot } from "../../plugin.ts";
import type { Difference, ReloadReport } from "../../reload/report.ts";
import { cleanLine } from "../../ui/clean.ts";
import { formatMs, roundMs } from "../output.ts";
import { shownName } from "../screen-text.ts";
import type { Colour, Paint } from "../style.ts";
import type { Loss } from "./dev-losses.ts";
import { errorRecord } from "./record.ts";

/** What a line needs beside what it is about. */
export interface LineFacts {
	paint: Paint;
	/** Milliseconds since 1970. */
	time: number;
	/** The working directory, which files are named from. */
	cwd: string;
}

/** The line about a plugin that started, changed or went; what it says of an error stands below it. */
export function describeReport(report: ReloadReport, { paint, time, cwd }: LineFacts): string {
	const { plugin, outcome, ms, files } = report;
	const parts = [
		`${paint("dim", clockTime(time))} ${paint(colours[outcome], outcome.padEnd(outcomeChars))}`,
		paint("bold", shownName(plugin)),
		...(files.length === 0 || outcome === "removed" ? [] : [nameFiles(files, cwd)]),
		...(outcome === "removed" ? [] : [formatMs(ms)]),
		...(outcome === "kept" ? ["the old version still serves"] : []),
		...(outcome === "failed" ? ["nothing of it serves"] : []),
		...describeDifference(report).map(([sign, text]) => paint(signColours[sign], sign + text)),
	];
	return parts.join("  ");
}

/** The line about names that another plugin has. */
export function describeLoss({ plugin, to, names }: Loss, { paint, time }: Omit<LineFacts, "cwd">): string {
	const lost = byKind(names).map((text) => paint(signColours["-"], `-${text}`));
	const outcome = paint("yellow", "lost".padEnd(outcomeChars));
	return [
		`${paint("dim", clockTime(time))} ${outcome}`,
		paint("bold", shownName(plugin)),
		...lost,
		`to ${shownName(to)}, which comes first`,
	].join("  ");
}

/** The same as programs read it. */
export function lossRecord({ plugin, to, names }: Loss) {
	return { event: "lost", plugin, to, removed: names };
}

/** What became of registrations, each kind with its names: `+1 tool hello`. */
export function describeDifference({ added, changed, removed }: Difference): [sign: "+" | "~" | "-", text: string][] {
	return [
		...byKind(added).map((text): ["+", string] => ["+", text]),
		...byKind(changed).map((text): ["~", string] => ["~", text]),
		...byKind(removed).map((text): ["-", string] => ["-", text]),
	];
}

/** A report as programs read it. */
export function reportRecord({ outcome, plugin, ms, files, added, removed, changed, error }: ReloadReport) {
	const why = error === undefined ? {} : { error: errorRecord(error) };
	return { event: outcome, plugin, ms: roundMs(ms), files, added, removed, changed, ...why };
}

/** The line that stays in sight while errors stand: what is wrong with each plugin, cut to the screen. */
export function describeStanding(standing: readonly ReloadReport[], { paint, columns, cwd }: Footer): string {
	const texts = standing.map(({ plugin, outcome, error }) => {
		const state = outcome === "kept" ? "serves its old version" : "does not serve";
		return `${shownName(plugin)} ${state}: ${error === undefined ? "" : briefly(error, cwd)}`;
	});
	// One column is left, where some terminals would begin a new line.
	const line = Bun.sliceAnsi(cleanLine(texts.join(" · "), lineCharsMax), 0, columns - 1, { ellipsis: "…" });
	return line === "" ? "" : paint("red", line);
}

interface Footer extends Omit<LineFacts, "time"> {
	columns: number;
}

/** Where it went wrong, where that is known, and what the error says first. */
function briefly(error: BroodError, cwd: string): string {
	const [position] = error.positions ?? [];
	// The line names the plugin already.
	const headline = headlineOf(error)
		.replace(`Plugin "${error.plugin}" failed to load: `, "")
		.replace(` of plugin "${error.plugin}"`, "");
	if (position === undefined) return headline;
	const { file, line, column, message } = position;
	const [what = ""] = headline.split(` (${file}:${line}:${column})`, 1);
	return `${nameFile(file, cwd)}:${line}:${column} ${message ?? what}`;
}

/** The local time of day. */
export function clockTime(time: number): string {
	return new Date(time).toTimeString().slice(0, "00:00:00".length);
}

/** What a plugin has registered, for the difference between two moments. */
export function capabilitiesOf({ commands, tools, skills, events, modes, links }: PluginSnapshot): Capabilities {
	const event = events.map((name) => ({ name, handler: 0 }));
	return { command: commands, tool: tools, skill: skills, event, mode: modes, link: links };
}

const colours: Record<ReloadReport["outcome"], Colour> = {
	ready: "green",
	reload: "green",
	kept: "yellow",
	failed: "red",
	removed: "yellow",
};
const outcomeChars = Math.max(...Object.keys(colours).map(({ length }) => length));
const signColours: Record<"+" | "~" | "-", Colour> = { "+": "green", "~": "yellow", "-": "red" };

// A screen is never as wide.
const lineCharsMax = 1_000;
// More of them would hide what else the line says.
const filesMax = 3;
const namesMax = 4;

function nameFiles(files: readonly string[], cwd: string): string {
	const names = files.slice(0, filesMax).map((file) => nameFile(file, cwd));
	const more = files.length - names.length;
	return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function nameFile(file: string, cwd: string): string {
	const path = relative(cwd, file);
	return cleanLine(path === "" || path.startsWith("..") ? file : path, lineCharsMax);
}

/** Of registrations such as "tool hello" those of one kind together: `2 tools hello, bye`. */
function byKind(registrations: readonly string[]): string[] {
	const kinds = Map.groupBy(registrations, (text) => text.slice(0, text.indexOf(" ")));
	return [...kinds].map(([kind, texts]) => {
		const names = texts.slice(0, namesMax).map((text) => cleanLine(text.slice(kind.length + 1), lineCharsMax));
		const more = texts.length > namesMax ? ", …" : "";
		return `${texts.length} ${kind}${texts.length === 1 ? "" : "s"} ${names.join(", ")}${more}`;
	});
}
