import {
	type BroodError,
	type ErrorCode,
	type ExitFacts,
	failure,
	isBroodError,
	messageOf,
	type SourcePosition,
	type Stage,
	withoutHint,
} from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { FailedParams } from "../../runtime/protocol.ts";
import { fromWireError, readWireError } from "../../runtime/wire-error.ts";
import { codeFrame, firstOwnFrame } from "../base/frame.ts";
import { revealHidden } from "../base/hidden.ts";
import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { locateBrokenJSON } from "./broken-json.ts";
import { addressIn, explainMissing, type MissingFacts } from "./missing-module.ts";
import { adviseOnSilentModule } from "./silent-module.ts";

/** Says why a child told that its plugin did not load: stage, message, code frame, hint. */
export async function explainFailed(
	spec: PluginSpec,
	{ stage, error, positions, missing, meant }: FailedParams,
	textCharsMax = limits.text.errorTextCharsMax,
	launch: Pick<Launch, "form" | "install"> = { form: "" },
): Promise<BroodError> {
	const wire = readWireError(error, textCharsMax) ?? error;
	const cause = fromWireError(wire);
	const known = isBroodError(cause) ? cause : undefined;
	const own = cause.stack === undefined ? undefined : firstOwnFrame(cause.stack, spec.root);
	const sought = missing ?? addressIn(cause, spec);
	const absent = sought === undefined ? undefined : await explainMissing(sought, spec, launch);
	const told = absent?.position === undefined ? positions : [absent.position];
	const given = told.slice(0, positionsMax).map((place) => boundPosition(place, textCharsMax));
	const alone = own ?? (given.length > 0 ? undefined : await locateBrokenJSON(wire, spec));
	const places = given.length > 0 ? given : alone === undefined ? [] : [alone];
	const frames = await Promise.all(places.slice(0, 3).map((place) => codeFrame(place)));
	const code = codeOf(known);
	const said = known?.hint ?? absent?.hint ?? (await adviseOnSilentModule(cause));
	const hint = said ?? (meant === undefined ? undefined : `Did you mean ${cut(meant)}?`);
	return failure(code, {
		plugin: spec.name,
		stage,
		...(known?.code === "invalid_registration" ? { subject: `${subjectAlone(known)} of plugin "${spec.name}"` } : {}),
		reason: reasonOf(stage, cause, places, absent),
		cause,
		...(hint === undefined ? {} : { hint }),
		...(places.length === 0 ? {} : { positions: places, frame: frames.join("\n\n") }),
	});
}

// The longest names of the API are far shorter.
const memberCharsMax = 64;

function cut(member: string): string {
	return revealHidden(member.slice(0, memberCharsMax));
}

// A bundler lists every mistake of a file; nobody reads more of them.
const positionsMax = 64;

/** A place as the host keeps it. */
function boundPosition({ lineText, message, ...place }: SourcePosition, textCharsMax: number): SourcePosition {
	return {
		...place,
		file: place.file.slice(0, textCharsMax),
		// A line that was cut would be taken for one that has changed.
		...(lineText === undefined || lineText.length > textCharsMax ? {} : { lineText }),
		...(message === undefined ? {} : { message: message.slice(0, textCharsMax) }),
	};
}

/** What came over the wire from a child so far. */
export interface Heard {
	messages: number;
	/** A clause that quotes what was no message; empty when all was. */
	noise: string;
}

/** Says that a process ended before its plugin was ready. */
export function explainExit(spec: PluginSpec, stage: Stage, exit: ExitFacts, heard?: Heard): BroodError {
	return failure("exited_before_ready", {
		plugin: spec.name,
		stage,
		exit,
		reason: `${describeExit(exit)} in stage ${stage}${alsoSaid(heard)}${quoteTail(exit)}`,
		hint:
			stage === "import" || stage === "activate" ? "A plugin must not end its process while it loads." : "See its log.",
	});
}

/** Says why a plugin that was ready could not be asked what it has registered. */
export function explainFetch(spec: PluginSpec, error: unknown, ms: number): BroodError {
	if (isBroodError(error, "plugin_exited") && error.exit !== undefined) return explainExit(spec, "fetch", error.exit);
	if (isBroodError(error, "timeout")) return explainTimeout(spec, "fetch", ms);
	return failure("load_failed", { plugin: spec.name, stage: "fetch", reason: messageOf(error), cause: error });
}

/** Says that a plugin took too long to become ready. */
export function explainTimeout(
	spec: PluginSpec,
	stage: Stage,
	ms: number,
	heard?: Heard,
	launch?: Pick<Launch, "install">,
): BroodError {
	const fetches = launch?.install === "auto" && (stage === "import" || stage === "activate");
	const reasons: Partial<Record<Stage, string>> = {
		spawn: "its process has not said anything",
		"client.info": `its process has not ${heard?.messages === 0 ? "said anything" : "begun to import it"}`,
		import: fetches
			? "its import has not ended, and packages may still be on their way from the registry"
			: "its import has not ended, as with a loop that never ends or a top-level await that never settles",
		activate: "its default export has not returned, as with a loop that never ends or an await that never settles",
		fetch: "it said that it was ready and does not tell what it has registered",
	};
	return failure("ready_timeout", {
		plugin: spec.name,
		stage,
		ms,
		reason: `${reasons[stage] ?? "it hangs"}, in stage ${stage}${alsoSaid(heard)}`,
		hint: fetches
			? `Try again when the registry answers, or run "bun install" in ${spec.root}, or raise limits.load.installMs.`
			: "Await only what loading needs, or raise limits.load.readyMs (--ready-timeout).",
	});
}

/** One clause about how a process ended: "it exited with code 3", "it was ended by SIGKILL". */
export function describeExit({ code, signal, endedFor }: ExitFacts): string {
	const why = endedFor === undefined ? "" : `, since ${endedFor},`;
	if (signal !== null) return `it was ended by ${signal}${why}`;
	return code === null ? "it never started" : `it exited with code ${code}${why}`;
}

/** The last lines of stderr, for a message. */
export function quoteTail({ stderrTail }: ExitFacts): string {
	const lines = withoutSources(stderrTail.trimEnd().split("\n"));
	// A long stack would crowd out what it is about.
	const told = lines.filter((_, index) => !lines.slice(Math.max(0, index - 2), index + 1).every(isStackFrame));
	const end = (lines.length < 3 ? lines : told).slice(-6).join("\n");
	return end === "" ? "" : `; the end of its output:\n${end}\n`;
}

/** Bun shows an error that nobody caught below numbered lines of its source and a caret, which would crowd it out too. */
function withoutSources(lines: string[]): string[] {
	const kept: string[] = [];
	let sourceLines = 0;
	for (const line of lines) {
		if (sourceLines > 0 && /^ *\^$/.test(line)) kept.length -= sourceLines;
		else kept.push(line);
		sourceLines = /^ *\d+ \| /.test(line) ? sourceLines + 1 : 0;
	}
	return kept;
}

function alsoSaid(heard: Heard | undefined): string {
	return heard === undefined || heard.noise === "" ? "" : `; ${heard.noise}`;
}

function isStackFrame(line: string): boolean {
	return /^\s+at /.test(line);
}

// Of its own codes the child may use those of a load; anything else is the plugin's error.
const loadCodes: ErrorCode[] = ["no_default_export", "invalid_registration", "incompatible_protocol", "load_failed"];

function codeOf(known: BroodError | undefined): ErrorCode {
	return loadCodes.find((code) => code === known?.code) ?? "load_failed";
}

function reasonOf(stage: string, cause: Error, places: SourcePosition[], absent?: MissingFacts): string {
	const known = isBroodError(cause) ? cause : undefined;
	const whole = known === undefined ? describeCause(cause) : saidOf(known);
	// The place that follows says who imports it.
	const text = absent?.position === undefined ? whole : whole.replace(/ imported from .*|\nRequire stack:.*/s, "");
	const place = places[0] === undefined ? "" : ` (${places[0].file}:${places[0].line}:${places[0].column})`;
	const why = absent?.note === undefined ? "" : `: ${absent.note}`;
	return `${revealHidden(text + why)}${place}, in stage ${stage}`;
}

/** Bun's own messages about sources need no name of a class before them. */
function describeCause({ name, message }: Error): string {
	return /^(?:Build|Resolve)Message$/.test(name) ? message : `${name}: ${message}`;
}

/** The table says the sentence of a load again, so that of such an error only the reason is needed. */
function saidOf(known: BroodError): string {
	return loadCodes.includes(known.code) ? reasonAlone(known) : sentenceOf(known);
}

function sentenceOf(error: BroodError): string {
	return withoutHint(error).replace(/\.$/, "");
}

/** What the text of an error says beside the sentence that the table adds. */
export function reasonAlone(error: BroodError): string {
	const text = sentenceOf(error);
	// The subject of a refusal is a call, in which plugin code may have put anything.
	const mark = error.code === "invalid_registration" ? refused : ": ";
	return text.slice(text.indexOf(mark) + mark.length);
}

function subjectAlone({ message }: BroodError): string {
	return message.slice(0, message.indexOf(refused));
}

const refused = " was refused: ";
