import type { Limits } from "../../runtime/limits.ts";
import type { LogLevel } from "../../runtime/protocol.ts";
import { createRedactor, type Redactor } from "../../runtime/redact.ts";
import { revealHidden } from "./hidden.ts";

/** One line of a plugin's log. */
export interface LogEntry {
	/** Milliseconds since 1970. */
	time: number;
	plugin: string;
	/**
	 * `output`: what the plugin printed; `plugin`: what came from its process as a message, which is its logger and, at
	 * `warn` and `error`, brood's own part in there; `host`: what the host says about it.
	 */
	source: "output" | "plugin" | "host";
	/** `error`, `warn`, `info` or `debug`. What is printed is `info`, by whatever method of `console`; so is the logger. */
	level: LogLevel;
	/** One line; line ends within it are shown as `\n`, secrets as `[secret]`. */
	message: string;
}

/** The last lines of one plugin, at most `logEntriesMax` of `logLineBytesMax` bytes each: 8 MiB by default. */
export interface PluginLog {
	add(entry: Omit<LogEntry, "time" | "plugin">): LogEntry;
	entries(): LogEntry[];
}

/** Makes the log of one plugin; what the redactor knows to be secret is in no entry. */
export function createPluginLog(plugin: string, limits: Limits["text"], redactor = createRedactor()): PluginLog {
	const ring: LogEntry[] = [];
	const shown = (message: string) => lineOf(message, limits.logLineBytesMax, redactor);
	return {
		add({ source, level, message }) {
			const entry: LogEntry = { time: Date.now(), plugin, source, level, message: shown(message) };
			ring.push(entry);
			if (ring.length > limits.logEntriesMax) ring.shift();
			return entry;
		},
		entries: () => [...ring],
	};
}

/** Text of a plugin must not look like a line of another, nor move the cursor of a terminal. */
function lineOf(message: string, bytesMax: number, redactor: Redactor): string {
	// Who read it may have cut it at the same length, and a secret with it.
	const isCut = message.length >= bytesMax;
	const given = isCut ? message.slice(0, bytesMax) : message;
	const line = revealHidden(redactor.text(given, { end: isCut })).replaceAll("\n", "\\n");
	const start = startOf(line, bytesMax);
	return start.length < line.length || message.length > given.length ? `${start}…` : line;
}

/** As much of a text as fits into so many bytes of UTF-8, cut between two characters. */
function startOf(text: string, bytesMax: number): string {
	// No UTF-16 unit takes more than three bytes.
	if (text.length * 3 <= bytesMax) return text;
	return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytesMax)).read);
}
