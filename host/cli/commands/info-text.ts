import { cleanLine } from "../../ui/clean.ts";
import { formatMs } from "../output.ts";
import { alignColumns, type Paint } from "../style.ts";
import type { InfoRecord, WhyLost } from "./info-record.ts";
import { describeState } from "./record.ts";

/** All about one plugin, on a screen. */
export function describeInfo(record: InfoRecord, paint: Paint): string {
	const { name, commands, tools, skills, events, modes, links, statusItems, warnings, log } = record;
	const sections: [title: string, rows: string[][]][] = [
		["commands", commands.map(({ id, title }) => [id, title])],
		["tools", tools.map(({ name: key, description, why }) => [key, lostOr(why, description)])],
		["skills", skills.map(({ name: key, description, why }) => [key, lostOr(why, description)])],
		["events", events.map((event) => [event])],
		["modes", modes.map(({ key, label, why }) => [key, lostOr(why, label)])],
		["links", links.map(({ id, pattern }) => [id, pattern])],
		["status", statusItems.map(({ text }) => [text])],
		["warnings", warnings.map((warning) => [warning])],
		["log", log.slice(-logLinesMax).map(({ level, message }) => [level, message])],
	];
	return [
		`${paint("bold", line(name))}  ${describeState(record.state, paint)}`,
		...indented(facts(record)),
		...sections.flatMap(([title, rows]) => (rows.length === 0 ? [] : [paint("bold", title), ...indented(rows)])),
	].join("\n");
}

// The whole log is in the JSON.
const logLinesMax = 20;
// Longer text of a plugin would hide the rest.
const lineCharsMax = 400;

function facts({ path, scope, description, pid, launches, process, facts: reached, shadows }: InfoRecord): string[][] {
	const times = Object.entries(reached).flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${formatMs(ms)}`]));
	const rows: [title: string, text: string | undefined][] = [
		["path", path],
		["scope", scope],
		["about", description],
		["process", describeProcess(pid, process)],
		["launches", String(launches)],
		["load", times.length === 0 ? undefined : times.join(", ")],
		...shadows.map((shadowed): [string, string] => ["shadows", shadowed]),
	];
	return rows.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]]));
}

function describeProcess(pid: number | null, process: InfoRecord["process"]): string | undefined {
	if (process === undefined) return undefined;
	const { form, guard, runtimeVersion } = process;
	const parts = [
		pid === null ? "ended" : `pid ${pid}`,
		form,
		guard === null ? undefined : `guarded by ${guard}`,
		runtimeVersion === null ? undefined : `Bun ${runtimeVersion}`,
	];
	return parts.filter((part) => part !== undefined && part !== "").join(", ");
}

function lostOr(why: WhyLost | undefined, text: string | undefined): string {
	return why === undefined ? (text ?? "") : `not available: ${why.reason}`;
}

function indented(rows: string[][]): string[] {
	return alignColumns(rows.map((row) => row.map(line))).map((text) => `  ${text}`);
}

function line(text: string): string {
	return cleanLine(text, lineCharsMax);
}
