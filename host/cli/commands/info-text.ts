import { type LoadFact, loadFacts } from "../../contracts/backend.ts";
import { cleanLine } from "../../ui/clean.ts";
import { formatMs } from "../output.ts";
import { alignColumns, type Paint } from "../style.ts";
import type { InfoRecord } from "./info-record.ts";
import type { WhyLost } from "./lost.ts";
import { describeState } from "./record.ts";

/** All about one plugin, on a screen. */
export function describeInfo(record: InfoRecord, paint: Paint): string {
	const { name, commands, tools, skills, events, modes, links, statusItems, webhooks, warnings, log } = record;
	const sections: [title: string, rows: string[][]][] = [
		["load, since its process was spawned", loadSteps(record.facts)],
		["commands", commands.map(({ id, title }) => [id, title])],
		["tools", tools.flatMap(toolRows)],
		["skills", skills.flatMap(skillRows)],
		["events", events.map((event) => [event])],
		["modes", modes.map(({ key, label, why }) => [key, lostOr(why, label)])],
		["links", links.map(({ id, pattern }) => [id, pattern])],
		["status", statusItems.map(({ text }) => [text])],
		["webhooks", webhooks.map(({ key, url = "", ...counts }) => [key, describeCounts(counts), url])],
		["warnings", warnings.map((warning) => [warning])],
		["log", log.slice(-logLinesMax).map(({ time, level, message }) => [clockTime(time), level, message])],
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
// As much of a schema as leaves room to say where the rest is.
const schemaCharsMax = 350;

function facts({ path, scope, description, pid, launches, process, shadows, hint }: InfoRecord): string[][] {
	const rows: [title: string, text: string | undefined][] = [
		["path", path],
		["scope", `${scope}, ${scopes[scope]}`],
		["about", description],
		["off", hint],
		["process", process && describeProcess(process)],
		["pid", process && (pid === null ? "none, its process has ended" : String(pid))],
		["launches", describeLaunches(launches)],
		...shadows.map((shadowed): [string, string] => ["shadows", shadowed]),
	];
	return rows.flatMap(([title, text]) => (text === undefined ? [] : [[title, text]]));
}

const scopes: Record<InfoRecord["scope"], string> = {
	explicit: "named with -p",
	project: "found in a plugin folder of the project",
	user: "found in a plugin folder of the user",
};

function describeProcess({ form, guard, runtimeVersion }: NonNullable<InfoRecord["process"]>): string {
	const parts = [
		launchForms[form],
		guard === null ? undefined : (guards[guard] ?? `stdout guarded by ${guard}`),
		runtimeVersion === null ? undefined : `Bun ${runtimeVersion}`,
	];
	return parts.filter((part) => part !== undefined).join(", ");
}

const guards: Record<string, string> = { socket: "wire on a socket of its own" };

const launchForms: Record<string, string> = {
	source: "started from source",
	compiled: "started from the compiled host, without the faster start from the cache",
	cached: "started from the compiled host as plain Bun, from the cache",
	"be-bun": "started from the host's own binary as plain Bun",
	custom: "started by a command of the host",
};

function describeLaunches(launches: number): string {
	if (launches === 0) return "0, not started";
	const restarts = launches - 1;
	return `${launches}, ${restarts === 0 ? "no restart" : restarts === 1 ? "1 restart" : `${restarts} restarts`}`;
}

/** What was reached, each with its time. */
function loadSteps(reached: InfoRecord["facts"]): string[][] {
	const steps = loadFacts.flatMap((fact): [string, string][] => {
		const ms = reached[fact];
		return ms === null || ms === undefined ? [] : [[formatMs(ms), loadWords[fact]]];
	});
	const chars = Math.max(...steps.map(([time]) => time.length));
	return steps.map(([time, words]) => [time.padStart(chars), words]);
}

const loadWords: Record<LoadFact, string> = {
	found: "chosen to be loaded",
	spawned: "process spawned",
	clientInfo: "process up, asked the host who it is",
	imported: "source imported",
	activated: "default export called",
	registered: "default export done, all registered",
	ready: "reported itself ready",
	published: "visible to everybody",
};

/** The time of day here, to the millisecond. */
function clockTime(time: string): string {
	const date = new Date(time);
	return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Events of a webhook. */
function describeCounts({ pending = 0, failed = 0 }: { pending?: number; failed?: number }): string {
	return `${pending} waiting${failed === 0 ? "" : `, ${failed} put aside`}`;
}

/** A tool, and below it what its input may be. */
function toolRows({ name, description, why, inputSchema }: InfoRecord["tools"][number]): string[][] {
	const schema = JSON.stringify(inputSchema);
	const shown = schema.length <= lineCharsMax ? schema : `${schema.slice(0, schemaCharsMax)}… (--json shows all of it)`;
	return [[name, lostOr(why, description)], ...(why === undefined ? [["", `input ${shown}`]] : [])];
}

/** A skill, and below it the files that it brings along. */
function skillRows({ name, description, why, files = [] }: InfoRecord["skills"][number]): string[][] {
	return [[name, lostOr(why, description)], ...files.map(({ path }) => ["", path])];
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
