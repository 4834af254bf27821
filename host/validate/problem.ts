import { isBroodError, type SourcePosition, type Stage, withoutHint } from "../../runtime/errors.ts";
import { codeFrame } from "../base/frame.ts";
import { revealHidden } from "../base/hidden.ts";
import type { PluginSpec } from "../spec.ts";
import type { PluginProblem, ProblemCode } from "./types.ts";

/** Where something is wrong, as far as that is known. */
export type Place = Pick<PluginProblem, "file" | "line" | "column">;

interface Facts {
	message: string;
	hint?: string | undefined;
	place?: Place | undefined;
	severity?: PluginProblem["severity"];
}

/** Makes a problem of a plugin; it is an error unless `severity` says else. */
export function problemOf(
	{ name }: Pick<PluginSpec, "name">,
	code: ProblemCode,
	stage: Stage,
	{ message, hint, place = {}, severity = "error" }: Facts,
): PluginProblem {
	const text = revealHidden(message.trimEnd().replace(/\.$/, ""));
	const { file, line, column } = place;
	return {
		severity,
		code,
		plugin: name,
		stage,
		message: text,
		...(file === undefined ? {} : { file }),
		...(line === undefined ? {} : { line }),
		...(column === undefined ? {} : { column }),
		...(hint === undefined ? {} : { hint }),
	};
}

/** What an error says, without the hint and the place that a problem has apart. */
export function sentenceOf(error: Error, { stage }: { stage?: Stage | undefined } = {}): string {
	const text = isBroodError(error) ? withoutHint(error) : error.message;
	const [place] = isBroodError(error) ? (error.positions ?? []) : [];
	const withoutPlace = place === undefined ? text : text.replace(` (${place.file}:${place.line}:${place.column})`, "");
	return stage === undefined ? withoutPlace : withoutPlace.replace(`, in stage ${stage}`, "");
}

export function placeOf(position: SourcePosition | undefined): Place | undefined {
	return position && { file: position.file, line: position.line, column: position.column };
}

/** Adds the code frames, leaves out what was told twice, and puts errors first. */
export async function settleProblems(problems: readonly PluginProblem[]): Promise<PluginProblem[]> {
	const known = new Set<string>();
	const isNew = (identity: string) => !known.has(identity) && known.add(identity);
	const sorted = problems.toSorted(compare).filter((problem) => isNew(identityOf(problem)));
	return await Promise.all(
		sorted.map(async (problem, index) => {
			const { file, line, column } = problem;
			if (file === undefined || line === undefined || index >= framesMax) return problem;
			const frame = await codeFrame({ file, line, column: column ?? 1 }, { contextLines: 1 });
			// A line alone has no caret.
			return { ...problem, frame: column === undefined ? frame.replace(/\n +\| *\^.*$/m, "") : frame };
		}),
	);
}

// Each reads its file; nobody reads more of them.
const framesMax = 64;

const stages: Stage[] = ["discover", "spawn", "client.info", "import", "activate", "ready", "fetch", "call", "stop"];

function compare(a: PluginProblem, b: PluginProblem): number {
	const byText = (one = "", other = "") => (one < other ? -1 : one > other ? 1 : 0);
	return (
		byText(a.severity, b.severity) ||
		stages.indexOf(a.stage) - stages.indexOf(b.stage) ||
		byText(a.file, b.file) ||
		(a.line ?? 0) - (b.line ?? 0) ||
		(a.column ?? 0) - (b.column ?? 0)
	);
}

function identityOf({ code, file, line, column, message }: PluginProblem): string {
	return JSON.stringify([code, file, line, column, message]);
}
