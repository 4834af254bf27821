import { BroodError, errorTable, failure, isBroodError, messageOf, withoutHint } from "../../runtime/errors.ts";
import { cleanLine, cleanText } from "../ui/clean.ts";
import type { Output } from "./output.ts";
import { shownName } from "./screen-text.ts";

/** Tells what went wrong on stderr, for a person or as one line of JSON. @returns the exit code */
export function reportFailure(error: unknown, output: Output): number {
	output.note(output.json ? describeForPrograms(error) : describeForPeople(error, output));
	return exitCodeOf(error);
}

/** What is odd and does not fail the command. */
export interface Warning {
	message: string;
	code?: string;
	plugin?: string | undefined;
	hint?: string | undefined;
}

/** Tells a warning on stderr, as one line for a person or a program. */
export function reportWarning({ code, message, plugin, hint }: Warning, { json, note, paint }: Output): void {
	if (json) return note(JSON.stringify({ warning: { code, message, plugin, hint } }));
	note(`${paint.note("yellow", "warning:")} ${cleanLine(message, warningCharsMax)}`);
}

// The rest is told by "brood list".
const warningCharsMax = 300;

/** The exit code that an error means. */
export function exitCodeOf(error: unknown): number {
	if (!isBroodError(error)) return errorTable.internal.exitCode;
	const signal = error.code === "cancelled" ? error.exit?.signal : undefined;
	return signalNumber(signal) ?? errorTable[error.code].exitCode;
}

/** Says that a signal ended the command. */
export function interruption(signal: NodeJS.Signals): BroodError {
	return new BroodError("cancelled", `Interrupted by ${signal}.`, { exit: { code: null, signal, stderrTail: "" } });
}

/** An error as several lines: what happened, where in the sources, what to do. */
export function describeForPeople(thrown: unknown, output: Pick<Output, "paint" | "wasNoted">): string {
	// Whatever brood did not foresee is its own mistake, and the stack helps to find it.
	const error = isBroodError(thrown) ? thrown : failure("internal", { reason: stackOf(thrown) });
	const { frame, hint } = error;
	const paint = output.paint.note;
	const lines = [`${paint("red", "error:")} ${cleanText(textOf(error, output), textCharsMax)}`];
	if (frame !== undefined) lines.push("", indent(frame), "");
	if (hint !== undefined) lines.push(`  ${paint("cyan", "hint:")} ${cleanLine(hint, textCharsMax)}`);
	return lines.join("\n");
}

// An error may quote what a plugin wrote or a person typed; neither may drive the terminal.
const textCharsMax = 16 * 1024;

function describeForPrograms(thrown: unknown): string {
	const error = isBroodError(thrown) ? thrown : failure("internal", { reason: messageOf(thrown) });
	const { code, message, plugin, hint, positions } = error.toJSON();
	return JSON.stringify({ error: { code, message, plugin, hint, positions } });
}

/** The message holds the hint, which has a line of its own here. */
function textOf(error: BroodError, { wasNoted }: Pick<Output, "wasNoted">): string {
	// A message that ends with quoted lines has its full stop on a line of its own.
	const text = withoutHint(error).trimEnd().replace(/\n\.$/, "");
	const [head = "", quoted = ""] = text.split(/; the end of its output:\n(.*)/s);
	const lines = quoted.split("\n").filter((line) => line.trim() !== "");
	// What the plugin printed stands right above, unless its log is not shown.
	return lines.length > 0 && lines.every((line) => wasNoted(`[${shownName(error.plugin ?? "")}] ${line}`))
		? `${head}.`
		: text;
}

function indent(text: string): string {
	return text.replace(/^(?=.)/gm, "  ");
}

function stackOf(thrown: unknown): string {
	return thrown instanceof Error && thrown.stack ? thrown.stack : messageOf(thrown);
}

function signalNumber(name: string | null | undefined): number | undefined {
	if (name === null || name === undefined) return undefined;
	const { constants } = process.getBuiltinModule("node:os");
	const number = Object.entries(constants.signals).find(([known]) => known === name)?.[1];
	return number === undefined ? undefined : 128 + number;
}
