import { limits } from "../../runtime/limits.ts";
import type { Log } from "../log.ts";
import type { Logger } from "../types/common.ts";

/** The plugin's logger: any values, objects in one line, joined by spaces; never throws, whatever it is given. */
export function createLogger(log: Log): Logger {
	// Cut at its end and nowhere else, so that whoever looks for secrets knows where half of one may stand.
	return { log: (...values) => log("info", values.map(show).join(" ").slice(0, limits.text.logLineBytesMax)) };
}

function show(value: unknown): string {
	try {
		const text = typeof value === "string" ? value : Bun.inspect(value, { depth: 4, compact: true });
		return text.slice(0, limits.text.logLineBytesMax);
	} catch (error) {
		return `[a value that cannot be shown: ${error instanceof Error ? error.message : "its getter threw"}]`;
	}
}
