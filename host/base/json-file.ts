import type { BroodError, ErrorFacts } from "../../runtime/errors.ts";
import type { Json } from "../../runtime/records.ts";
import { renderFrame } from "./frame.ts";
import { JsoncError, parseJsonc } from "./jsonc.ts";

/** What is wrong with the text of a file, and where. */
export interface JsonFileFault extends Pick<ErrorFacts, "positions" | "frame"> {
	reason: string;
}

/**
 * Parses the text of a file as JSON with comments and trailing commas.
 *
 * @throws what `refuse` makes of the first thing that does not fit
 */
export function parseJsonFile(path: string, text: string, refuse: (fault: JsonFileFault) => BroodError): Json {
	try {
		return parseJsonc(text);
	} catch (error) {
		if (!(error instanceof JsoncError)) throw error;
		const { line, column, message } = error;
		const position = { file: path, line, column, message };
		const reason = `line ${line}, column ${column}: ${message}`;
		throw refuse({ reason, positions: [position], frame: renderFrame(position, text) });
	}
}
