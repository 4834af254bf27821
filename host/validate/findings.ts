import { isBroodError } from "../../runtime/errors.ts";
import { nearest } from "../../runtime/near.ts";
import type { FindingCode, ValidationFinding } from "../../runtime/protocol-validation.ts";
import { eventNames } from "../../runtime/records.ts";
import { fromWireError, readWireError } from "../../runtime/wire-error.ts";
import type { PluginSpec } from "../spec.ts";
import { placeOfFinding } from "./load-problems.ts";
import { type Place, problemOf, sentenceOf } from "./problem.ts";
import type { PluginProblem, ProblemCode } from "./types.ts";

/** What is wrong by what a child has told; the rest of what it tells says where things are. */
export function findingProblems(spec: PluginSpec, findings: readonly ValidationFinding[]): PluginProblem[] {
	const places = new Map<string, Place>();
	return findings.flatMap((finding) => {
		const place = placeOfFinding(spec, finding);
		const id = `${finding.kind} ${finding.key}`;
		const earlier = places.get(id);
		if (finding.code === "registered" || finding.code === "duplicate") places.set(id, place);
		const judged = judge(finding, earlier);
		if (judged === undefined) return [];
		return [problemOf(spec, judged.code, "activate", { ...judged, place })];
	});
}

/** Where each thing was registered last, by kind and key. */
export function registeredPlaces(spec: PluginSpec, findings: readonly ValidationFinding[]): Map<string, Place> {
	const made = findings.filter(({ code }) => code === "registered" || code === "duplicate");
	return new Map(made.map((finding) => [`${finding.kind} ${finding.key}`, placeOfFinding(spec, finding)]));
}

interface Judged {
	code: ProblemCode;
	severity: PluginProblem["severity"];
	message: string;
	hint?: string | undefined;
}

function judge(finding: ValidationFinding, earlier: Place | undefined): Judged | undefined {
	const error = fromWireError(readWireError(finding.error) ?? finding.error);
	const hint = isBroodError(error) ? error.hint : undefined;
	const message = sentenceOf(error);
	const { kind, key = "" } = finding;
	switch (finding.code) {
		case "refused":
			return { code: refusedCode(error), severity: "error", message, hint };
		case "unhandled_rejection":
		case "uncaught_exception":
			return {
				...uncaught[finding.code],
				severity: "error",
				message: `${uncaught[finding.code].what}: ${nameOf(error)}`,
			};
		case "unknown_event": {
			const meant = nearest(key, eventNames);
			const suggestion =
				meant === undefined ? "The handler is never called; take one of those." : `Did you mean "${meant}"?`;
			return { code: "unknown_event", severity: "warning", message, hint: suggestion };
		}
		case "odd":
			return { code: "odd_registration", severity: "warning", message };
		case "duplicate": {
			const where = earlier?.line === undefined ? "" : ` at ${earlier.file}:${earlier.line}`;
			return {
				code: "duplicate_registration",
				severity: "warning",
				message: `${kind} "${key}" was registered before${where}; this one takes its place`,
				hint: "Remove one of them, or unsubscribe the first before.",
			};
		}
		default:
			return undefined;
	}
}

const uncaught = {
	unhandled_rejection: {
		code: "unhandled_rejection",
		what: "nobody handled a rejected promise",
		hint: "Await it, or catch it.",
	},
	uncaught_exception: {
		code: "uncaught_exception",
		what: "nobody caught an exception",
		hint: "Catch it where it is thrown.",
	},
} as const satisfies Partial<Record<FindingCode, { code: ProblemCode; what: string; hint: string }>>;

function refusedCode(error: Error): ProblemCode {
	return isBroodError(error, "invalid_skill") ? "invalid_skill" : "invalid_registration";
}

function nameOf(error: Error): string {
	return isBroodError(error) || error.name === "NonError" ? error.message : `${error.name}: ${error.message}`;
}
