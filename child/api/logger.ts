import { limits } from "../../runtime/limits.ts";
import type { Log } from "../log.ts";
import { showInLine } from "../show-error.ts";
import type { Logger } from "../types/common.ts";

/** The plugin's logger: any values, objects in one line, joined by spaces; never throws, whatever it is given. */
export function createLogger(log: Log): Logger {
	// Cut at its end and nowhere else, so that whoever looks for secrets knows where half of one may stand.
	return { log: (...values) => log("info", values.map(show).join(" ").slice(0, limits.text.logLineBytesMax)) };
}

function show(value: unknown): string {
	const text = typeof value === "string" ? value : showInLine(value);
	return text.slice(0, limits.text.logLineBytesMax);
}
