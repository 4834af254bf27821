import { type BroodError, failure } from "../../runtime/errors.ts";
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
		named.push({ names: namePattern(name), gravity });
	}
	return (entry) => {
		const own = named.findLast(({ names }) => names.test(entry.plugin));
		return gravities[entry.level] <= (own?.gravity ?? level);
	};
}

/** How grave each level is, the gravest first; `off` lets nothing pass. */
const gravities = { off: 0, error: 1, warn: 2, info: 3, debug: 4 } satisfies Record<LogLevel | "off", number>;

function gravityOf(word: string, directive: string): number {
	const known = Object.entries(gravities).find(([level]) => level === word.trim().toLowerCase());
	if (known === undefined) throw wrongFilter(directive, `${JSON.stringify(word.trim())} is no level`);
	return known[1];
}

function namePattern(name: string): RegExp {
	return new RegExp(`^${name.split("*").map(RegExp.escape).join(".*")}$`, "s");
}

function wrongFilter(directive: string, reason: string): BroodError {
	return failure("usage", {
		reason: `The log filter (BROOD_LOG, or logFilter) cannot be used: in ${JSON.stringify(directive)} ${reason}`,
		hint: `Give a level (${Object.keys(gravities).join(", ")}), NAME=LEVEL with * in the name where you like, or several with commas, as in warn,notes=debug.`,
	});
}
