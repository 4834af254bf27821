import { messageOf } from "../../runtime/errors.ts";
import type { LogEntry } from "./log.ts";
import { environmentFilter, type LogFilter, parseLogFilter } from "./log-filter.ts";

/** Takes the log entries of all plugins, as they come. What it throws, or rejects with, is told once in a plugin's log. */
export type LogSink = (entry: LogEntry) => void;

/**
 * Makes a sink that writes one line of JSON an entry: `time` (ISO 8601), `level`, `plugin`, `source`, `message`. More
 * members may follow in later versions. `level` is `error`, `warn`, `info` or `debug`; what a plugin prints has source
 * `output` and level `info`, by whatever method of `console`, and its `amp.logger` source `plugin` and level `info`.
 *
 * @param write takes a line with its line end; whoever collects lines there flushes them after `host.stop()`
 * @example
 * ```ts
 * const file = Bun.file("plugins.log").writer();
 * const host = await createHost({ log: jsonLog((line) => file.write(line)) });
 * // …
 * await host.stop();
 * await file.end();
 * ```
 */
export function jsonLog(write: (line: string) => void): LogSink {
	return (entry) => {
		// Gives back what write gives, so that whoever calls the sink can wait for a write that fails later.
		return write(`${JSON.stringify(logRecord(entry))}\n`);
	};
}

/** A log entry as programs read it. */
export function logRecord({ time, level, plugin, source, message }: LogEntry) {
	return { time: new Date(time).toISOString(), level, plugin, source, message };
}

/** The sink that a host writes to; `BROOD_LOG` filters only what somebody asked for. @throws BroodError `usage` for a filter */
export function openSink(
	{ log, logFilter }: { log?: LogSink | undefined; logFilter?: string | undefined },
	failed: (plugin: string, message: string) => void,
): LogSink {
	const inherited = log === undefined ? "" : (process.env.BROOD_LOG ?? "");
	const passes = logFilter === undefined ? environmentFilter(inherited) : parseLogFilter(logFilter);
	return guardedSink(log ?? (() => {}), passes, failed);
}

/**
 * Puts a filter before a sink, and keeps what the sink throws, or rejects with, from everybody else.
 *
 * @param failed hears the first failure, and the plugin whose entry it was about
 */
export function guardedSink(
	sink: LogSink,
	passes: LogFilter,
	failed: (plugin: string, message: string) => void,
): LogSink {
	let told = false;

	function tell({ plugin }: LogEntry, error: unknown): void {
		if (told) return;
		told = true;
		failed(plugin, `the log sink of the host failed, of which later failures are not told: ${messageOf(error)}`);
	}

	return (entry) => {
		if (!passes(entry)) return;
		try {
			// A function that gives a promise is a sink as well, and a rejection that nobody hears ends a program.
			const given: unknown = sink(entry);
			if (given instanceof Promise) given.catch((error: unknown) => tell(entry, error));
		} catch (error) {
			tell(entry, error);
		}
	};
}
