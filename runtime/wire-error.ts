import {
	BroodError,
	describeThrown,
	type ErrorCode,
	errorTable,
	isBroodError,
	isErrorLike,
	messageOf,
	read,
	readText,
	type Stage,
} from "./errors.ts";
import { limits } from "./limits.ts";

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

// The name of a class or a code; what is longer is none.
const wordCharsMax = 256;

// What one error may take in all, as a multiple of what one text of it may.
const textsMax = 8;

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
		message: messageOf(thrown),
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

/**
 * Reads an error object that a foreign side sent; what has the wrong type is left out, what is too long is cut.
 *
 * @param textCharsMax of each text; all texts of the error together may take eight times as many
 */
export function readWireError(value: unknown, textCharsMax = limits.text.errorTextCharsMax): WireError | undefined {
	return readAt(value, 0, { left: errorsMax, chars: textCharsMax * textsMax, textCharsMax });
}

function readAt(value: unknown, depth: number, budget: TextBudget): WireError | undefined {
	if (typeof value !== "object" || value === null || depth > causeDepthMax) return undefined;
	const { code, message, data } = value as Record<string, unknown>;
	if (typeof code !== "number" || typeof message !== "string") return undefined;
	const kept = within(message, budget);
	const known = readWireErrorData(data, message, depth, budget);
	return { code, message: kept, ...(known === undefined ? {} : { data: known }) };
}

/** Keeps the parts of error data that have the right type; a foreign peer may put anything there. */
function readWireErrorData(value: unknown, text: string, depth: number, budget: TextBudget): WireError["data"] {
	if (typeof value !== "object" || value === null) return undefined;
	const { name, code, stack, hint, stage, cause, errors } = value as Record<string, unknown>;
	if (typeof name !== "string") return undefined;
	const knownStack = typeof stack === "string" ? within(withoutMost(stack, text, budget), budget) : undefined;
	const knownCause = readAt(cause, depth + 1, budget);
	const listed = Array.isArray(errors) && depth < causeDepthMax ? withinBudget(errors, budget) : [];
	const knownErrors = listed.flatMap((error) => readAt(error, depth + 1, budget) ?? []);
	return {
		name: cut(name, wordCharsMax),
		...(typeof code === "string" ? { code: cut(code, wordCharsMax) } : {}),
		...(knownStack === undefined ? {} : { stack: knownStack }),
		...(typeof hint === "string" ? { hint: within(hint, budget) } : {}),
		...(typeof stage === "string" ? { stage: cut(stage, wordCharsMax) } : {}),
		...(knownCause === undefined ? {} : { cause: knownCause }),
		...(knownErrors.length === 0 ? {} : { errors: knownErrors }),
	};
}

/** How many more errors one wire form may hold in all, whatever its shape. */
interface Budget {
	left: number;
}

/** How many characters the texts of one error may have. */
interface TextBudget extends Budget {
	chars: number;
	textCharsMax: number;
}

/** As much of a text as its bounds allow. */
function within(text: string, budget: TextBudget): string {
	const kept = cut(text, Math.min(budget.chars, budget.textCharsMax));
	budget.chars = Math.max(0, budget.chars - kept.length);
	return kept;
}

/** A stack without most of the long message that it begins with, which would leave no room for its places. */
function withoutMost(stack: string, message: string, { textCharsMax }: TextBudget): string {
	if (stack.length <= textCharsMax || message.length <= wordCharsMax) return stack;
	const at = stack.indexOf(message);
	return at < 0 ? stack : stack.slice(0, at) + cut(message, wordCharsMax) + stack.slice(at + message.length);
}

function cut(text: string, charsMax: number): string {
	return text.length <= charsMax ? text : `${text.slice(0, charsMax).toWellFormed()}…`;
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
