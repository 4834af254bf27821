import { failure } from "../../runtime/errors.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { JsoncError, parseJsonc } from "../base/jsonc.ts";

/** Whether errors are for a program; known before, and even when, the arguments cannot be parsed. */
export function wantsJSON(parameters: readonly string[]): boolean {
	const end = parameters.indexOf("--");
	return parameters.slice(0, end === -1 ? undefined : end).includes("--json");
}

/** The text on stdin, for the one option or argument that asks for it with `-`. */
export interface Stdin {
	/** Reads it to its end. @throws BroodError `usage` when something else has read it */
	read(what: string): Promise<string>;
	/** The same as it came, for what is no text. */
	readBytes(what: string): Promise<Uint8Array>;
}

export function createStdin(): Stdin {
	let taken: string | undefined;
	const take = (what: string) => {
		if (taken !== undefined) throw failure("usage", { reason: `Stdin cannot hold both ${taken} and ${what}` });
		taken = what;
		return Bun.stdin;
	};
	return {
		read: async (what) => take(what).text(),
		readBytes: async (what) => take(what).bytes(),
	};
}

/** Reads the JSON object of an argument; `-` stands for stdin. @throws BroodError `usage` that says where it is wrong */
export async function readObject(argument: string | undefined, what: string, stdin: Stdin): Promise<JsonObject> {
	if (argument === undefined) return {};
	const subject = what.charAt(0).toUpperCase() + what.slice(1);
	const onStdin = argument === "-";
	const value = onStdin ? parseJSON(await stdin.read(what), `${subject} on stdin`) : parseJSON(argument, subject);
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	const type = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
	throw failure("usage", { reason: `${subject} must be a JSON object, not ${type}` });
}

/** @throws BroodError `usage` that says where it is wrong */
export function parseJSON(text: string, what: string): Json {
	try {
		return JSON.parse(text);
	} catch {
		throw failure("usage", { reason: `${what} is no JSON: ${whereWrong(text)}` });
	}
}

/** The parser of the runtime tells no position, and the one for settings allows more than JSON. */
function whereWrong(text: string): string {
	try {
		parseJsonc(text);
		return "it has a comment or a comma too many";
	} catch (error) {
		if (!(error instanceof JsoncError)) throw error;
		const { line, column, message } = error;
		return `line ${line}, column ${column}: ${message.replace("the end of the file", "its end")}`;
	}
}
