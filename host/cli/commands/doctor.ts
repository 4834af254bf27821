import type { Finding, FindingStatus } from "../../contracts/findings.ts";
import { diagnose } from "../../diagnose.ts";
import { cleanLine } from "../../ui/clean.ts";
import type { CommandContext } from "../context.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { alignColumns, type Colour, type Paint } from "../style.ts";

export interface DoctorOptions {
	/** Whether each plugin is loaded once. */
	load: boolean;
	/** Whether old files that nobody uses are removed. */
	fix?: true;
}

/** `brood doctor`: what plugins depend on, and how each loads. @returns 0 unless there is a problem, else by its kind */
export async function doctor({ options, output }: CommandContext, own: DoctorOptions): Promise<number> {
	const given = await hostOptions(options);
	const watch = watchSignals();
	try {
		const checks = await diagnose({ ...given, load: own.load, fix: own.fix === true, signal: watch.signal });
		if (output.json) output.result(JSON.stringify({ checks }));
		else output.result(describeChecks(checks, output.paint.result));
		return exitCodeFor(checks);
	} finally {
		watch.release();
	}
}

/** The code with which other commands end for the same reason; where there are several, the one that explains most. */
export function exitCodeFor(checks: readonly Finding[]): number {
	const problems = new Set(checks.filter(({ status }) => status === "problem").map(({ name }) => name));
	if (problems.size === 0) return 0;
	return exitCodes.find(([, names]) => names.some((name) => problems.has(name)))?.[0] ?? 1;
}

const exitCodes: [code: number, checks: string[]][] = [
	[7, ["bun", "platform"]],
	[3, ["settings", "state"]],
	[4, ["plugins", "packages"]],
];

/** A line a finding; where something is to be done also what it is about, and what to do. */
export function describeChecks(checks: readonly Finding[], paint: Paint): string {
	const heads = alignColumns(
		checks.map(({ name, status, message }) => [paint(colours[status], status), paint("bold", name), line(message)]),
	);
	const lines = checks.flatMap((check, index) => [heads[index] ?? "", ...more(check, paint)]);
	return [...lines, "", summarize(checks)].join("\n");
}

const colours: Record<FindingStatus, Colour> = { ok: "green", note: "cyan", warning: "yellow", problem: "red" };

function more({ name, status, details = [], hint }: Finding, paint: Paint): string[] {
	// What is in order is listed only where people look for what was searched.
	const shown = status !== "ok" || name === "places" || details.some(({ removed }) => removed === true) ? details : [];
	const lines = shown.slice(0, detailsMax).map(({ text }) => `${indent}${line(text)}`);
	if (shown.length > detailsMax) lines.push(`${indent}and ${shown.length - detailsMax} more; --json has all of them`);
	return hint === undefined ? lines : [...lines, `${indent}${paint("cyan", "hint:")} ${line(hint)}`];
}

const indent = " ".repeat(9);
// Nobody reads a longer list.
const detailsMax = 20;

/** Names of files may hold anything, and a path is not cut. */
function line(text: string): string {
	return cleanLine(text, 4_096);
}

function summarize(checks: readonly Finding[]): string {
	const counted = (["problem", "warning", "note"] as const).flatMap((status) => {
		const number = checks.filter((check) => check.status === status).length;
		return number === 0 ? [] : [`${number} ${status}${number === 1 ? "" : "s"}`];
	});
	return counted.length === 0 ? "All is in order." : `${counted.join(", ")}.`;
}
