import type { Limits } from "../../runtime/limits.ts";
import type { LogLevel } from "../../runtime/protocol.ts";

/** One line of a plugin's log. */
export interface LogEntry {
	/** Milliseconds since 1970. */
	time: number;
	plugin: string;
	/** `output`: what the plugin printed; `plugin`: its logger; `host`: what brood says about it. */
	source: "output" | "plugin" | "host";
	level: LogLevel;
	/** One line; line ends within it are shown as `\n`. */
	message: string;
}

/** The last lines of one plugin. */
export interface PluginLog {
	add(entry: Omit<LogEntry, "time" | "plugin">): LogEntry;
	entries(): LogEntry[];
}

/** Makes the log of one plugin. */
export function createPluginLog(plugin: string, limits: Limits["text"]): PluginLog {
	const ring: LogEntry[] = [];
	return {
		add({ source, level, message }) {
			const entry: LogEntry = { time: Date.now(), plugin, source, level, message: oneLine(message, limits) };
			ring.push(entry);
			if (ring.length > limits.logEntriesMax) ring.shift();
			return entry;
		},
		entries: () => [...ring],
	};
}

/** Text of a plugin must not look like a line of another, nor move the cursor of a terminal. */
function oneLine(message: string, { logLineBytesMax }: Limits["text"]): string {
	const clipped = message.length > logLineBytesMax ? `${message.slice(0, logLineBytesMax)}…` : message;
	return clipped.replace(/[^\P{Cc}\t]/gu, escapeControl);
}

function escapeControl(character: string): string {
	const escaped = JSON.stringify(character).slice(1, -1);
	// JSON leaves those above 0x7e as they are.
	return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
}
