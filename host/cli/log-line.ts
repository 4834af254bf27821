import type { LogEntry } from "../base/log.ts";
import { logRecord } from "../base/log-sink.ts";
import type { GlobalOptions } from "./context.ts";
import type { Output } from "./output.ts";
import { shownName } from "./screen-text.ts";

/** One line of a plugin's log as stderr has it, for a person or a program. */
export function describeLog(entry: LogEntry, { json, paint }: Output): string {
	if (json) return JSON.stringify({ log: logRecord(entry) });
	const { plugin, level, message } = entry;
	const colour = level === "error" ? "red" : "yellow";
	const label = level === "info" ? "" : `${paint.note(colour, `${level}:`)} `;
	return `[${shownName(plugin)}] ${label}${message}`;
}

/** What stderr has of the logs: everything, with `--quiet` warnings and errors; `BROOD_LOG` says otherwise. */
export function logFilterOf({ quiet }: GlobalOptions, { BROOD_LOG = "" } = process.env): string {
	return `${quiet ? "warn" : "debug"},${BROOD_LOG}`;
}
