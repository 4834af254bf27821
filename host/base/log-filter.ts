import { type BroodError, failure, isBroodError } from "../../runtime/errors.ts";
import type { LogLevel } from "../../runtime/protocol.ts";
import type { LogEntry } from "./log.ts";

/** Whether a log entry passes. */
export type LogFilter = (entry: Pick<LogEntry, "plugin" | "level">) => boolean;

/**
 * Reads a filter such as `warn,notes=debug,noisy-*=off`: a level for every plugin, and levels for those whose name fits,
 * where `*` stands for any text. A level lets itself and what is graver pass. Of several that fit the last one counts; a
 * named one counts more than the level for all, which is `debug` when there is none.
 *
 * @throws BroodError `usage` that says what is wrong and what is allowed
 */
export function parseLogFilter(text: string): LogFilter {
	let level = gravities.debug;
	const named: { names: RegExp; gravity: number }[] = [];
	for (const part of text.split(",")) {
		const directive = part.trim();
		if (directive === "") continue;
		// A name of a file may hold "=" as well.
		const at = directive.lastIndexOf("=");
		const gravity = gravityOf(directive.slice(at + 1), directive);
		if (at === -1) {
			level = gravity;
			continue;
		}
		const name = directive.slice(0, at).trim();
		if (name === "") throw wrongFilter(directive, "it has no name before =");
		const [character] = name.match(notInNames) ?? [];
		if (character !== undefined) {
			const shown = JSON.stringify(character);
			throw wrongFilter(directive, `${shown} is in the name; entries are parted by commas, and * stands for any text`);
		}
		named.push({ names: namePattern(name), gravity });
	}
	return (entry) => {
		const own = named.findLast(({ names }) => names.test(entry.plugin));
		return gravities[entry.level] <= (own?.gravity ?? level);
	};
}

/** The filter that a variable of the environment holds; one that cannot be used is told to the program, once, and is none. */
export function environmentFilter(text: string): LogFilter {
	try {
		return parseLogFilter(text);
	} catch (error) {
		if (!isBroodError(error)) throw error;
		if (!told.has(text)) process.emitWarning(`${error.message} It counts as absent.`, "BroodWarning");
		told.add(text);
		return parseLogFilter("");
	}
}

const told = new Set<string>();

// Of what separates entries, or quotes them, elsewhere; a plugin that has such a name is still found by *.
const notInNames = /[\s;:|&"'`/\\<>\p{Cc}]/u;

/** How grave each level is, the gravest first; `off` lets nothing pass. */
const gravities = { off: 0, error: 1, warn: 2, info: 3, debug: 4 } satisfies Record<LogLevel | "off", number>;

function gravityOf(word: string, directive: string): number {
	const known = Object.entries(gravities).find(([level]) => level === word.trim().toLowerCase());
	if (known !== undefined) return known[1];
	const commas = notInNames.test(word.trim()) ? "; entries are parted by commas" : "";
	throw wrongFilter(directive, `${JSON.stringify(word.trim())} is no level; levels are ${levelNames}${commas}`);
}

const levelNames = Object.keys(gravities).join(", ");

function namePattern(name: string): RegExp {
	return new RegExp(`^${name.split("*").map(RegExp.escape).join(".*")}$`, "s");
}

function wrongFilter(directive: string, reason: string): BroodError {
	const quoted = JSON.stringify(directive);
	const where = reason.startsWith(quoted) ? "" : `in ${quoted} `;
	const levels = reason.includes(levelNames) ? "" : ` (${levelNames})`;
	return failure("usage", {
		reason: `The log filter (BROOD_LOG, or logFilter) cannot be used: ${where}${reason}`,
		hint: `Give a level${levels}, NAME=LEVEL with * in the name where you like, or several with commas, as in warn,notes=debug.`,
	});
}
