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

	/** What is worth keeping of it in JSON; the message of an Error is left out otherwise. */
	toJSON(): { code: ErrorCode; message: string; plugin?: string; stage?: Stage; hint?: string } {
		const { code, message, plugin, stage, hint } = this;
		return {
			code,
			message,
			...(plugin === undefined ? {} : { plugin }),
			...(stage === undefined ? {} : { stage }),
			...(hint === undefined ? {} : { hint }),
		};
	}
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

/** An error as JSON-RPC carries it. */
export interface WireError {
	code: number;
	message: string;
	data?: WireErrorData;
}

/** What is kept of an error beside its number and message. */
export interface WireErrorData {
	name: string;
	/** brood's own code, or the `code` of the plugin's error. */
	code?: string;
	stack?: string;
	hint?: string;
	stage?: string;
	cause?: WireError;
	/** What an AggregateError, or an error like it, holds. */
	errors?: WireError[];
}

// A chain of causes longer than this is a cycle or noise.
const causeDepthMax = 8;

// So many errors below one another are more than anybody reads; each level may hold several.
const errorsMax = 64;

/** Turns whatever was thrown into an error object for the wire; never throws itself. */
export function toWireError(thrown: unknown): WireError {
	return wireErrorOf(thrown, 0, { left: errorsMax });
}

function wireErrorOf(thrown: unknown, depth: number, budget: Budget): WireError {
	if (!isErrorLike(thrown)) {
		return { code: errorTable.plugin_error.jsonRpcCode, message: describeThrown(thrown), data: { name: "NonError" } };
	}
	const known = isBroodError(thrown);
	const code = readText(thrown, "code");
	const hint = known ? readText(thrown, "hint") : undefined;
	const stage = known ? readText(thrown, "stage") : undefined;
	const stack = readText(thrown, "stack");
	const cause = read(thrown, "cause");
	const errors = depth >= causeDepthMax ? [] : withinBudget(errorsOf(thrown), budget);
	return {
		// Another version's code may be missing from this table.
		code: errorTable[known && isErrorCode(code) ? code : "plugin_error"].jsonRpcCode,
		message: readText(thrown, "message") ?? "",
		data: {
			name: readText(thrown, "name") ?? "Error",
			...(code === undefined ? {} : { code }),
			...(stack === undefined ? {} : { stack }),
			...(hint === undefined ? {} : { hint }),
			...(stage === undefined ? {} : { stage }),
			...(cause === undefined || depth >= causeDepthMax ? {} : { cause: wireErrorOf(cause, depth + 1, budget) }),
			...(errors.length === 0 ? {} : { errors: errors.map((error) => wireErrorOf(error, depth + 1, budget)) }),
		},
	};
}

/** Makes the error that `toWireError` was given again: same class, name, message, code, stack, cause and errors. */
export function fromWireError(wire: WireError): Error {
	const { data } = wire;
	const cause = data?.cause === undefined ? undefined : fromWireError(data.cause);
	const error = create(wire, cause, data?.errors?.map(fromWireError));
	if (data?.stack !== undefined) error.stack = data.stack;
	return error;
}

/** Reads an error object that a foreign side sent; what has the wrong type is left out. */
export function readWireError(value: unknown): WireError | undefined {
	return readAt(value, 0, { left: errorsMax });
}

function readAt(value: unknown, depth: number, budget: Budget): WireError | undefined {
	if (typeof value !== "object" || value === null || depth > causeDepthMax) return undefined;
	const { code, message, data } = value as Record<string, unknown>;
	if (typeof code !== "number" || typeof message !== "string") return undefined;
	const known = readWireErrorData(data, depth, budget);
	return { code, message, ...(known === undefined ? {} : { data: known }) };
}

/** Keeps the parts of error data that have the right type; a foreign peer may put anything there. */
function readWireErrorData(value: unknown, depth: number, budget: Budget): WireError["data"] {
	if (typeof value !== "object" || value === null) return undefined;
	const { name, code, stack, hint, stage, cause, errors } = value as Record<string, unknown>;
	if (typeof name !== "string") return undefined;
	const knownCause = readAt(cause, depth + 1, budget);
	const listed = Array.isArray(errors) && depth < causeDepthMax ? withinBudget(errors, budget) : [];
	const knownErrors = listed.flatMap((error) => readAt(error, depth + 1, budget) ?? []);
	return {
		name,
		...(typeof code === "string" ? { code } : {}),
		...(typeof stack === "string" ? { stack } : {}),
		...(typeof hint === "string" ? { hint } : {}),
		...(typeof stage === "string" ? { stage } : {}),
		...(knownCause === undefined ? {} : { cause: knownCause }),
		...(knownErrors.length === 0 ? {} : { errors: knownErrors }),
	};
}

/** How many more errors one wire form may hold in all, whatever its shape. */
interface Budget {
	left: number;
}

function withinBudget(errors: unknown[], budget: Budget): unknown[] {
	const taken = errors.slice(0, budget.left);
	budget.left -= taken.length;
	return taken;
}

/** What a foreign object lists as its errors; a list of anything else is data of its own. */
function errorsOf(thrown: object): unknown[] {
	try {
		const errors = read(thrown, "errors");
		return Array.isArray(errors) && errors.every(isErrorLike) ? errors : [];
	} catch {
		return [];
	}
}

/** A short, safe sentence for anything that can be thrown, errors included. */
export function messageOf(thrown: unknown): string {
	return isErrorLike(thrown) ? (readText(thrown, "message") ?? "") : describeThrown(thrown);
}

const standardErrors = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const codeByNumber = new Map<number, ErrorCode>(
	Object.entries(errorTable).map(([code, row]) => [row.jsonRpcCode, code as ErrorCode]),
);

function create(wire: WireError, cause: Error | undefined, errors: Error[] | undefined): Error {
	const { data } = wire;
	const number = codeByNumber.get(wire.code);
	const named = isErrorCode(data?.code) ? data.code : undefined;
	// A peer that is not brood sends the number alone.
	const code = data === undefined ? number : data.name === "BroodError" ? (named ?? number) : undefined;
	if (code !== undefined) {
		const hint = data?.hint === undefined ? {} : { hint: data.hint };
		const stage = data?.stage === undefined ? {} : { stage: data.stage as Stage };
		return new BroodError(code, wire.message, { cause, ...hint, ...stage });
	}
	const name = data?.name ?? "Error";
	const options = cause === undefined ? undefined : { cause };
	const Class = Object.hasOwn(standardErrors, name) ? standardErrors[name as keyof typeof standardErrors] : Error;
	const error =
		errors === undefined ? new Class(wire.message, options) : new AggregateError(errors, wire.message, options);
	if (error.name !== name) Object.defineProperty(error, "name", { value: name, configurable: true, writable: true });
	// A number that is no row of the table is all that a foreign peer tells.
	const ownCode = data === undefined ? wire.code : data.code;
	if (ownCode !== undefined) Object.assign(error, { code: ownCode });
	return error;
}

function isErrorCode(code: string | undefined): code is ErrorCode {
	return code !== undefined && Object.hasOwn(errorTable, code);
}

function isErrorLike(thrown: unknown): thrown is object {
	return typeof thrown === "object" && thrown !== null && readText(thrown, "message") !== undefined;
}

function describeThrown(thrown: unknown): string {
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
function read(object: object, key: string | symbol): unknown {
	try {
		return (object as Record<string | symbol, unknown>)[key];
	} catch {
		return undefined;
	}
}

function readText(object: object, key: string): string | undefined {
	const value = read(object, key);
	if (typeof value === "string") return value;
	return key === "code" && typeof value === "number" ? String(value) : undefined;
}
