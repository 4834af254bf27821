import { type ErrorCode, errorTable, type TextFacts } from "./error-table.ts";

export { type ErrorCode, errorTable, type TextFacts } from "./error-table.ts";

/** Where in a plugin's life something went wrong. */
export type Stage = "discover" | "spawn" | "client.info" | "import" | "activate" | "ready" | "fetch" | "call" | "stop";

/** A place in a source file; line and column count from 1. */
export interface SourcePosition {
	file: string;
	line: number;
	column: number;
	/** The text of that line, when it is known. */
	lineText?: string;
	/** What is wrong there. */
	message?: string;
}

/** What `BroodError` carries beside its message. */
export interface ErrorFacts {
	plugin?: string | undefined;
	stage?: Stage | undefined;
	/** What to do next, in one sentence. */
	hint?: string | undefined;
	/** How the process ended, when it did. */
	exit?: ExitFacts | undefined;
	/** The end of what it had written to stderr, when it had not ended; else `exit` has it. */
	stderrTail?: string | undefined;
	positions?: SourcePosition[] | undefined;
	/** Code frame, ready to print. */
	frame?: string | undefined;
	cause?: unknown;
}

/** How a process ended; exactly one of `code` and `signal` is set unless it never started. */
export interface ExitFacts {
	code: number | null;
	signal: string | null;
	/** The end of what it wrote to stderr, at most `limits.text.stderrTailBytesMax` bytes. */
	stderrTail: string;
	/** Why the host ended it; absent when it ended by itself or somebody else ended it. */
	endedFor?: string | undefined;
}

const brand = Symbol.for("brood.error");

/** The one error family of brood, the same class on both sides of the wire. */
export class BroodError extends Error {
	readonly [brand] = true;
	readonly code: ErrorCode;
	readonly plugin: string | undefined;
	readonly stage: Stage | undefined;
	readonly hint: string | undefined;
	readonly exit: ExitFacts | undefined;
	/** The end of what the process wrote to stderr, at most `limits.text.stderrTailBytesMax` bytes. */
	readonly stderrTail: string | undefined;
	readonly positions: SourcePosition[] | undefined;
	readonly frame: string | undefined;

	constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
		super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
		this.name = "BroodError";
		this.code = code;
		this.plugin = facts.plugin;
		this.stage = facts.stage;
		this.hint = facts.hint;
		this.exit = facts.exit;
		this.stderrTail = facts.exit?.stderrTail ?? facts.stderrTail;
		this.positions = facts.positions;
		this.frame = facts.frame;
	}

	/** What is worth keeping of it in JSON, the hint beside the message; that of an Error is left out otherwise. */
	toJSON(): Pick<ErrorFacts, "plugin" | "stage" | "hint"> & { code: ErrorCode; message: string; positions?: Place[] } {
		const { code, plugin, stage, hint, positions = [] } = this;
		return {
			code,
			message: withoutHint(this),
			...(plugin === undefined ? {} : { plugin }),
			...(stage === undefined ? {} : { stage }),
			...(hint === undefined ? {} : { hint }),
			...(positions.length === 0
				? {}
				: { positions: positions.map(({ file, line, column }) => ({ file, line, column })) }),
		};
	}
}

type Place = Pick<SourcePosition, "file" | "line" | "column">;

/** The message without the hint that ends it. */
export function withoutHint({ message, hint }: Pick<BroodError, "message" | "hint">): string {
	return hint !== undefined && message.endsWith(hint) ? message.slice(0, -hint.length).trimEnd() : message;
}

/** Makes an error whose text comes from the table. */
export function failure(code: ErrorCode, facts: ErrorFacts & TextFacts = {}): BroodError {
	const text = errorTable[code].text(facts);
	const hint = facts.hint === undefined ? "" : ` ${facts.hint}`;
	return new BroodError(code, /[.!?\n]$/.test(text) ? (text + hint).trimEnd() : `${text}.${hint}`, facts);
}

/** Recognises an error of brood by its brand, so that two copies of the package understand each other. */
export function isBroodError(error: unknown, code?: ErrorCode): error is BroodError {
	if (typeof error !== "object" || error === null || read(error, brand) !== true) return false;
	return code === undefined || read(error, "code") === code;
}

/** A short, safe sentence for anything that can be thrown, errors included. */
export function messageOf(thrown: unknown): string {
	if (!isErrorLike(thrown)) return describeThrown(thrown);
	return readText(thrown, "message") || messageOfParts(thrown) || "an error without a message";
}

/** What Promise.any rejects with has no message of its own, but those of its parts. */
function messageOfParts(error: object): string {
	const parts = read(error, "errors");
	if (!Array.isArray(parts)) return "";
	const shown: unknown[] = parts.slice(0, partsShownMax);
	return shown
		.map((part) => (isErrorLike(part) ? readText(part, "message") : describeThrown(part)))
		.filter(Boolean)
		.join("; ");
}

const partsShownMax = 5;

/** Whether something reads like an error, of whatever realm or library. */
export function isErrorLike(thrown: unknown): thrown is object {
	return typeof thrown === "object" && thrown !== null && readText(thrown, "message") !== undefined;
}

/** The sentence for what was thrown and is no error. */
export function describeThrown(thrown: unknown): string {
	try {
		if (typeof thrown === "string") return thrown === "" ? "an empty string was thrown" : thrown;
		if (typeof thrown === "object" && thrown !== null) return `a value was thrown that is no Error: ${inspect(thrown)}`;
		return `${String(thrown)} was thrown`;
	} catch {
		return "a value was thrown that cannot be shown";
	}
}

function inspect(value: object): string {
	return (JSON.stringify(value) ?? Object.prototype.toString.call(value)).slice(0, 200);
}

/** Reads a property of a foreign object, whose getters may throw. */
export function read(object: object, key: string | symbol): unknown {
	try {
		return (object as Record<string | symbol, unknown>)[key];
	} catch {
		return undefined;
	}
}

/** Reads a text of a foreign error; a code may be a number. */
export function readText(object: object, key: string): string | undefined {
	const value = read(object, key);
	if (typeof value === "string") return value;
	return key === "code" && typeof value === "number" ? String(value) : undefined;
}
