import { extname } from "node:path";
import type { Document } from "yaml";
import { failure, messageOf } from "../../runtime/errors.ts";
import { describeFileError } from "../base/text-file.ts";
import { parseTurnScript, type ScriptSource } from "../calls/turn-script.ts";
import type { TurnScript } from "../calls/turn-types.ts";
import { parseJSON } from "./arguments.ts";
import type { CommandContext } from "./context.ts";

/**
 * Reads the script of a turn.
 *
 * @param path of a file in JSON, or in YAML by its extension; `-` is JSON on stdin
 * @throws BroodError `usage` that names the line of each mistake
 */
export async function readTurnScript(path: string, { stdin }: Pick<CommandContext, "stdin">): Promise<TurnScript> {
	const onStdin = path === "-";
	const what = onStdin ? "The script on stdin" : `The script ${path}`;
	const text = onStdin ? await stdin.read("the script of the turn") : await readText(path);
	const placeOf: PlaceOf = ({ line, col }) => (onStdin ? `line ${line}, column ${col}` : `${path}:${line}:${col}`);
	if ([".yaml", ".yml"].includes(extname(path).toLowerCase())) return parseYaml(text, what, placeOf);
	const value = parseJSON(text, what);
	try {
		return parseTurnScript(value, { what });
	} catch {
		// Only a mistake needs the places, and JSON is YAML too.
		const { document, locate } = await readDocument(text, placeOf);
		return parseTurnScript(value, document.errors.length === 0 ? { what, locate } : { what });
	}
}

type PlaceOf = (position: { line: number; col: number }) => string;

async function readText(path: string): Promise<string> {
	try {
		return await Bun.file(path).text();
	} catch (error) {
		throw failure("usage", { reason: `The script ${path} cannot be read: ${describeFileError(error)}` });
	}
}

async function parseYaml(text: string, what: string, placeOf: PlaceOf): Promise<TurnScript> {
	const { document, at, locate } = await readDocument(text, placeOf);
	const [problem] = document.errors;
	if (problem !== undefined) {
		throw failure("usage", { reason: `${what} is no YAML: ${at(problem.pos[0])}: ${problem.message.trim()}` });
	}
	return parseTurnScript(toValue(document, what), { what, locate });
}

function toValue(document: Document, what: string): unknown {
	try {
		return document.toJS({ maxAliasCount: 100 });
	} catch (error) {
		throw failure("usage", { reason: `${what} cannot be used: ${messageOf(error)}` });
	}
}

/** The parsed text, and where in it each member stands. */
async function readDocument(text: string, placeOf: PlaceOf) {
	const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import("yaml");
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { uniqueKeys: true, prettyErrors: false, lineCounter });
	const at = (offset: number) => placeOf(lineCounter.linePos(offset));
	const startOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined);

	const locate: ScriptSource["locate"] = (path) => {
		let node: unknown = document.contents;
		let offset = startOf(node);
		for (const key of path) {
			if (isMap(node)) {
				const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
				if (pair === undefined) break;
				offset = startOf(pair.key) ?? offset;
				node = pair.value;
			} else if (isSeq(node)) {
				node = node.items[Number(key)];
				offset = startOf(node) ?? offset;
			} else break;
		}
		return offset === undefined ? undefined : at(offset);
	};
	return { document, at, locate };
}
