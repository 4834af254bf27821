import { type BroodError, type ErrorCode, messageOf } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import { nearest } from "../../runtime/near.ts";
import type { ValidationFinding } from "../../runtime/protocol-validation.ts";
import { fromWireError, readWireError } from "../../runtime/wire-error.ts";
import { explainMissing } from "../backends/missing-module.ts";
import { firstOwnFrame } from "../base/frame.ts";
import { readTextFile } from "../base/text-file.ts";
import type { PluginSpec } from "../spec.ts";
import type { ModuleProblem } from "./modules.ts";
import { type Place, placeOf, problemOf, sentenceOf } from "./problem.ts";
import { exportsOf, findDefaultExport } from "./sources.ts";
import type { PluginProblem, ProblemCode } from "./types.ts";

/** What keeps a plugin from loading, each mistake of its sources by itself. */
export async function loadProblems(
	spec: PluginSpec,
	error: BroodError,
	modules: readonly ModuleProblem[],
	findings: readonly ValidationFinding[],
): Promise<PluginProblem[]> {
	const inSources = modules.filter((problem) => isReached(problem, error));
	const problems = inSources.map((module) => moduleProblem(spec, module, "error"));
	if (inSources.some((problem) => tellsTheSame(problem, error))) return problems;
	const stage = error.stage ?? "spawn";
	const code = codes.get(error.code) ?? resolveCode(error) ?? "load_failed";
	const isSyntax = isBuildError(error) && (error.positions ?? []).length > 0;
	if (isSyntax) {
		for (const position of error.positions ?? []) {
			const message = position.message ?? sentenceOf(error, { stage });
			problems.push(problemOf(spec, "syntax_error", stage, { message, place: placeOf(position) }));
		}
		return problems;
	}
	const place = await placeOfFailure(spec, error, findings);
	const message = messageFor(error);
	const hint = hintFor(spec, error, findings) ?? (await hintAboutImport(spec, error));
	return [...problems, problemOf(spec, code, stage, { message, place, hint })];
}

/** Mistakes in modules that a load need not reach: they are met when something imports them. */
export function lateModuleProblems(spec: PluginSpec, modules: readonly ModuleProblem[]): PluginProblem[] {
	return modules.filter(({ isEager }) => !isEager).map((module) => moduleProblem(spec, module, "warning"));
}

const codes = new Map<ErrorCode, ProblemCode>([
	["no_default_export", "no_default_export"],
	["launch_failed", "launch_failed"],
	["ready_timeout", "ready_timeout"],
	["exited_before_ready", "exited_before_ready"],
	["incompatible_protocol", "incompatible_protocol"],
	["invalid_registration", "invalid_registration"],
]);

/** An import that only Bun could judge. */
function resolveCode({ cause }: BroodError): ProblemCode | undefined {
	if (!(cause instanceof Error) || cause.name !== "ResolveMessage") return undefined;
	return /Cannot find \w+ ["'][./]/.test(cause.message) ? "missing_file" : "missing_package";
}

/** What to do about an import that only running the plugin could show to be wrong. */
async function hintAboutImport(spec: PluginSpec, error: BroodError): Promise<string | undefined> {
	const unfound = /Cannot find \w+ ["']([^"']+)["'](?: imported)? from ["']?(.+?)["']?(?: \(|, in stage|$)/.exec(
		error.message,
	);
	const [, specifier, referrer] = unfound ?? [];
	if (specifier === undefined || referrer === undefined) return await hintAboutExport(error);
	return (await explainMissing({ specifier, referrer }, spec, { form: "source" })).hint;
}

/** What a module exports, for an import of a name that it does not. */
async function hintAboutExport(error: BroodError): Promise<string | undefined> {
	const missing = /Export named '([^']+)' not found in module '([^']+)'/.exec(messageOf(error));
	const [, name = "", file = ""] = missing ?? [];
	if (missing === null) return undefined;
	const source = await readTextFile(file, limits.text.documentBytesMax).catch(() => undefined);
	const exported = source === undefined ? [] : exportsOf(file, source.text);
	if (exported.length === 0) return undefined;
	const meant = nearest(name, exported);
	return meant === undefined ? `It exports ${exported.slice(0, 20).join(", ")}.` : `Did you mean "${meant}"?`;
}

function moduleProblem(spec: PluginSpec, module: ModuleProblem, severity: PluginProblem["severity"]): PluginProblem {
	return problemOf(spec, module.code, "import", { ...module, severity });
}

/** Whether the load has met it: what is imported by a call only when that call is what failed. */
function isReached(problem: ModuleProblem, error: BroodError): boolean {
	return (problem.isEager && error.stage === "import") || (problem.specifier !== "" && tellsTheSame(problem, error));
}

/** Whether a failed load fails because of this. */
function tellsTheSame({ specifier, place }: ModuleProblem, error: BroodError): boolean {
	// A plugin may have the name of the package that it is about.
	const text = messageOf(error).replaceAll(`lugin "${error.plugin}"`, "");
	if (specifier !== "") return text.includes(`'${specifier}'`) || text.includes(`"${specifier}"`);
	return isBuildError(error) && (error.positions ?? []).some(({ file }) => file === place.file);
}

/** Bun's own errors about sources. */
function isBuildError({ code, cause }: BroodError): boolean {
	if (code !== "load_failed" || !(cause instanceof Error)) return false;
	return cause.name === "BuildMessage" || cause.name === "AggregateError";
}

async function placeOfFailure(
	spec: PluginSpec,
	error: BroodError,
	findings: readonly ValidationFinding[],
): Promise<Place | undefined> {
	if (error.code === "exited_before_ready") {
		const exit = findings.find(({ code }) => code === "exit");
		return exit && placeOfFinding(spec, exit);
	}
	if (error.code !== "no_default_export") return placeOf(error.positions?.[0]);
	const source = await readTextFile(spec.path, limits.text.documentBytesMax).catch(() => undefined);
	return source === undefined ? { file: spec.path } : findDefaultExport(spec.path, source.text);
}

/** What a plugin printed says why its process ended, and is noise where it has said so itself. */
function messageFor(error: BroodError): string {
	const text = sentenceOf(error, error);
	return error.code === "exited_before_ready" ? text : text.replace(/; the end of its output:\n.*$/s, "");
}

function hintFor({ kind }: PluginSpec, error: BroodError, findings: readonly ValidationFinding[]): string | undefined {
	const meant = findings.find(({ code }) => code === "unknown_member")?.key;
	if (meant !== undefined) return `Did you mean "${meant}"?`;
	const elsewhere = kind === "file" ? " If it is no plugin, move it to a folder of its own without index.ts." : "";
	return error.code === "no_default_export" ? `${error.hint}${elsewhere}` : error.hint;
}

/** Where the plugin did what a finding is about. */
export function placeOfFinding({ root, path }: PluginSpec, { error }: ValidationFinding): Place {
	const { stack } = fromWireError(readWireError(error) ?? error);
	return placeOf(stack === undefined ? undefined : firstOwnFrame(stack, root)) ?? { file: path };
}
