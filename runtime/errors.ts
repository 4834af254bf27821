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
	plugin?: string;
	stage?: Stage;
	/** What to do next, in one sentence. */
	hint?: string;
	/** How the process ended, when it did. */
	exit?: ExitFacts;
	positions?: SourcePosition[];
	/** Code frame, ready to print. */
	frame?: string;
	cause?: unknown;
}

/** How a process ended; exactly one of `code` and `signal` is set unless it never started. */
export interface ExitFacts {
	code: number | null;
	signal: string | null;
	/** The end of what it wrote to stderr, at most `limits.text.stderrTailBytesMax` bytes. */
	stderrTail: string;
}

/** What the text of an error is made of. */
export interface TextFacts {
	plugin?: string;
	/** The tool, command, method or file that it is about. */
	subject?: string;
	/** What exactly was wrong, as a clause. */
	reason?: string;
	ms?: number;
}

const of = (facts: TextFacts) => (facts.plugin === undefined ? "" : ` of plugin "${facts.plugin}"`);
const who = (facts: TextFacts) => (facts.plugin === undefined ? "The plugin" : `Plugin "${facts.plugin}"`);
const why = (facts: TextFacts) => (facts.reason === undefined ? "" : `: ${facts.reason}`);
const row = (jsonRpcCode: number, exitCode: number, text: (facts: TextFacts) => string) => ({
	jsonRpcCode,
	exitCode,
	text,
});

/** One row a code: the JSON-RPC number on the wire, the exit code of the CLI, the text. */
export const errorTable = {
	internal: row(-32603, 1, (f) => `brood failed unexpectedly${why(f)}`),
	parse_error: row(-32700, 1, (f) => `A line is no JSON${why(f)}`),
	invalid_request: row(-32600, 1, (f) => `The message is no JSON-RPC 2.0 request${why(f)}`),
	method_not_found: row(-32601, 1, (f) => `There is no method "${f.subject}" on this side`),
	invalid_params: row(-32602, 1, (f) => `The parameters of "${f.subject}"${of(f)} are wrong${why(f)}`),
	plugin_error: row(-32000, 5, (f) => `${f.subject}${of(f)} failed${why(f)}`),
	cancelled: row(-32001, 130, (f) => `${f.subject}${of(f)} was cancelled by its caller`),
	timeout: row(-32002, 6, (f) => `${f.subject}${of(f)} did not answer within ${f.ms} ms`),
	busy: row(-32003, 5, (f) => `${f.subject}${of(f)} was not sent${why(f)}`),
	channel_closed: row(-32004, 5, (f) => `The connection was closed${why(f)}`),
	not_serializable: row(-32005, 5, (f) => `${f.subject} cannot be carried as JSON${why(f)}`),
	invalid_answer: row(-32006, 5, (f) => `The answer to ${f.subject}${of(f)} is not allowed${why(f)}`),
	message_too_large: row(-32007, 5, (f) => `A message is larger than the limit${why(f)}`),
	launch_failed: row(-32010, 4, (f) => `${who(f)} could not be started${why(f)}`),
	ready_timeout: row(-32011, 4, (f) => `${who(f)} was not ready within ${f.ms} ms${why(f)}`),
	load_failed: row(-32012, 4, (f) => `${who(f)} failed to load${why(f)}`),
	no_default_export: row(-32013, 4, (f) => `${who(f)} must export a default function${why(f)}`),
	invalid_registration: row(-32014, 4, (f) => `${f.subject} was refused${why(f)}`),
	exited_before_ready: row(-32015, 4, (f) => `${who(f)} ended before it was ready${why(f)}`),
	incompatible_protocol: row(-32016, 7, (f) => `${who(f)} speaks another protocol${why(f)}`),
	plugin_exited: row(-32017, 5, (f) => `${who(f)} ended${why(f)}`),
	plugin_not_found: row(-32018, 2, (f) => `There is no plugin "${f.plugin}"${why(f)}`),
	plugin_not_ready: row(-32019, 4, (f) => `${who(f)} is not ready${why(f)}`),
	tool_not_found: row(-32020, 2, (f) => `There is no tool "${f.subject}"${why(f)}`),
	command_not_found: row(-32021, 2, (f) => `There is no command "${f.subject}"${why(f)}`),
	command_disabled: row(-32022, 5, (f) => `Command "${f.subject}"${of(f)} is disabled${why(f)}`),
	invalid_input: row(-32023, 2, (f) => `The input for tool "${f.subject}"${of(f)} does not fit its schema${why(f)}`),
	invalid_schema: row(-32024, 5, (f) => `The input schema of tool "${f.subject}"${of(f)} cannot be used${why(f)}`),
	tool_rejected: row(-32025, 5, (f) => `The call of tool "${f.subject}" was stopped by plugin "${f.plugin}"${why(f)}`),
	ui_not_available: row(-32030, 5, (f) => `Plugin UI not available${why(f)}`),
	provider_missing: row(-32031, 5, (f) => `${f.subject} has no provider in this host${why(f)}`),
	invalid_skill: row(-32032, 3, (f) => `Skill "${f.subject}"${of(f)} was refused${why(f)}`),
	invalid_settings: row(-32033, 3, (f) => `The settings file ${f.subject} cannot be used${why(f)}`),
	host_stopped: row(-32040, 1, () => "The host has been stopped"),
	unsupported_platform: row(-32041, 1, (f) => `brood does not run on ${f.subject} yet${why(f)}`),
	usage: row(-32042, 2, (f) => `${f.reason}`),
} as const satisfies Record<string, { jsonRpcCode: number; exitCode: number; text: (facts: TextFacts) => string }>;

/** Stable name of a kind of failure; scripts and plugins may branch on it. */
export type ErrorCode = keyof typeof errorTable;

const brand = Symbol.for("brood.error");

/** The one error family of brood, the same class on both sides of the wire. */
export class BroodError extends Error {
	readonly [brand] = true;
	readonly code: ErrorCode;
	readonly plugin: string | undefined;
	readonly stage: Stage | undefined;
	readonly hint: string | undefined;
	readonly exit: ExitFacts | undefined;
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
}

// A chain of causes longer than this is a cycle or noise.
const causeDepthMax = 8;

/** Turns whatever was thrown into an error object for the wire; never throws itself. */
export function toWireError(thrown: unknown, depth = 0): WireError {
	if (!isErrorLike(thrown)) {
		return { code: errorTable.plugin_error.jsonRpcCode, message: describeThrown(thrown), data: { name: "NonError" } };
	}
	const known = isBroodError(thrown);
	const code = readText(thrown, "code");
	const hint = known ? readText(thrown, "hint") : undefined;
	const stage = known ? readText(thrown, "stage") : undefined;
	const stack = readText(thrown, "stack");
	const cause = read(thrown, "cause");
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
			...(cause === undefined || depth >= causeDepthMax ? {} : { cause: toWireError(cause, depth + 1) }),
		},
	};
}

/** Makes the error that `toWireError` was given again: same class, name, message, code, stack and cause. */
export function fromWireError(wire: WireError): Error {
	const { data } = wire;
	const cause = data?.cause === undefined ? undefined : fromWireError(data.cause);
	const error = create(wire, cause);
	if (data?.stack !== undefined) error.stack = data.stack;
	return error;
}

/** Reads an error object that a foreign side sent; what has the wrong type is left out. */
export function readWireError(value: unknown, depth = 0): WireError | undefined {
	if (typeof value !== "object" || value === null || depth > causeDepthMax) return undefined;
	const { code, message, data } = value as Record<string, unknown>;
	if (typeof code !== "number" || typeof message !== "string") return undefined;
	const known = readWireErrorData(data, depth);
	return { code, message, ...(known === undefined ? {} : { data: known }) };
}

/** Keeps the parts of error data that have the right type; a foreign peer may put anything there. */
function readWireErrorData(value: unknown, depth: number): WireError["data"] {
	if (typeof value !== "object" || value === null) return undefined;
	const { name, code, stack, hint, stage, cause } = value as Record<string, unknown>;
	if (typeof name !== "string") return undefined;
	const knownCause = readWireError(cause, depth + 1);
	return {
		name,
		...(typeof code === "string" ? { code } : {}),
		...(typeof stack === "string" ? { stack } : {}),
		...(typeof hint === "string" ? { hint } : {}),
		...(typeof stage === "string" ? { stage } : {}),
		...(knownCause === undefined ? {} : { cause: knownCause }),
	};
}

/** A short, safe sentence for anything that can be thrown, errors included. */
export function messageOf(thrown: unknown): string {
	return isErrorLike(thrown) ? (readText(thrown, "message") ?? "") : describeThrown(thrown);
}

const standardErrors = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const codeByNumber = new Map<number, ErrorCode>(
	Object.entries(errorTable).map(([code, row]) => [row.jsonRpcCode, code as ErrorCode]),
);

function create(wire: WireError, cause: Error | undefined): Error {
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
	const Class = Object.hasOwn(standardErrors, name) ? standardErrors[name as keyof typeof standardErrors] : Error;
	const error = new Class(wire.message, cause === undefined ? undefined : { cause });
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
