import { limits } from "../../runtime/limits.ts";
import type { LogLevel } from "../../runtime/protocol.ts";
import type { Logger } from "../types/common.ts";

/** Sends one entry to the plugin's log. */
export type Log = (level: LogLevel, message: string) => void;

/** The plugin's logger: any values, objects in one line, joined by spaces; never throws, whatever it is given. */
export function createLogger(log: Log): Logger {
	return { log: (...values) => log("info", values.map(show).join(" ")) };
}

function show(value: unknown): string {
	try {
		const text = typeof value === "string" ? value : Bun.inspect(value, { depth: 4, compact: true });
		return text.slice(0, limits.text.logLineBytesMax);
	} catch (error) {
		return `[a value that cannot be shown: ${error instanceof Error ? error.message : "its getter threw"}]`;
	}
}
