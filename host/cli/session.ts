import { stat } from "node:fs/promises";
import { isatty } from "node:tty";
import { failure } from "../../runtime/errors.ts";
import { describeFileError } from "../base/text-file.ts";
import type { UIProvider } from "../contracts/providers.ts";
import { type CreateHostOptions, createHost, type Host } from "../host.ts";
import { noUI } from "../ui/none.ts";
import { recordingUI, type UIRecord } from "../ui/recording.ts";
import { parseAnswers, scriptedUI } from "../ui/scripted.ts";
import { terminalUI } from "../ui/terminal.ts";
import { parseJSON } from "./arguments.ts";
import type { CommandContext, GlobalOptions } from "./context.ts";
import { exitCodeOf, interruption } from "./failure.ts";
import { holdLines } from "./hold-lines.ts";
import { shownName } from "./screen-text.ts";

/** A host for one command. */
export interface Session {
	host: Host;
	/** What plugins asked and were answered, in order. */
	ui: UIRecord[];
	/** Whether the person has seen the dialogs. */
	shown: boolean;
	/** Aborts when the person gives up. */
	signal: AbortSignal;
}

/**
 * Starts the plugins, does the task and stops them, however the task ends.
 *
 * @throws BroodError of the task; `usage` when an option cannot be used; `cancelled` on SIGINT, SIGTERM and SIGHUP
 */
export async function withHost(context: CommandContext, task: (session: Session) => Promise<number>): Promise<number> {
	const watch = watchSignals();
	try {
		return await hostTask(context, watch, task);
	} catch (error) {
		// Whatever a call that was given up says, the person knows why.
		watch.signal.throwIfAborted();
		throw error;
	} finally {
		watch.release();
	}
}

async function hostTask(
	{ options, output }: CommandContext,
	{ signal, interrupted }: SignalWatch,
	task: (session: Session) => Promise<number>,
): Promise<number> {
	const { ui: inner, shown } = await chooseUI(options, output.json);
	const held = holdLines(inner, output.note);
	const { ui, record } = recordingUI(held.ui);
	const host = await createHost({
		...(await hostOptions(options)),
		providers: { ui },
		observe: (event) => {
			if (event.type !== "log" || options.quiet) return;
			held.print(`[${shownName(event.entry.plugin)}] ${event.entry.message}`);
		},
	});
	try {
		signal.throwIfAborted();
		return await Promise.race([task({ host, ui: record, shown, signal }), interrupted]);
	} finally {
		await host.stop();
	}
}

interface SignalWatch {
	/** Aborts on the first signal that asks the program to end. */
	signal: AbortSignal;
	/** Rejects at the same moment. */
	interrupted: Promise<never>;
	/** From now on a signal ends the program at once: nothing runs that it could leave behind. */
	release(): void;
}

function watchSignals(): SignalWatch {
	let released = false;
	const abort = new AbortController();
	const { promise, reject } = Promise.withResolvers<never>();
	promise.catch(() => {});
	for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(name, () => {
			const error = interruption(name);
			if (released) process.exit(exitCodeOf(error));
			abort.abort(error);
			reject(error);
		});
	}
	const release = () => {
		released = true;
	};
	return { signal: abort.signal, interrupted: promise, release };
}

async function hostOptions({ plugin, cwd, places, readyTimeout }: GlobalOptions): Promise<CreateHostOptions> {
	if (cwd !== undefined) await requireDirectory(cwd);
	return {
		places,
		...(plugin === undefined ? {} : { plugins: plugin }),
		...(cwd === undefined ? {} : { cwd }),
		...(readyTimeout === undefined ? {} : { limits: { load: { readyMs: readyTimeout } } }),
	};
}

async function requireDirectory(path: string): Promise<void> {
	const facts = await stat(path).catch((error: unknown) => {
		throw failure("usage", { reason: `--cwd ${path} cannot be used: ${describeFileError(error)}` });
	});
	if (!facts.isDirectory()) throw failure("usage", { reason: `--cwd ${path} cannot be used: it is no directory` });
}

async function chooseUI({ answers }: GlobalOptions, json: boolean): Promise<{ ui: UIProvider; shown: boolean }> {
	if (answers !== undefined) return { ui: scriptedUI(await readAnswers(answers), { source: answers }), shown: false };
	// Where a program reads the result, nobody sits in front of a dialog.
	const terminal = !json && isatty(0) && isatty(2);
	return terminal ? { ui: terminalUI(), shown: true } : { ui: noUI(), shown: false };
}

async function readAnswers(path: string) {
	const text = await Bun.file(path)
		.text()
		.catch((error: unknown) => {
			throw failure("usage", { reason: `--answers ${path} cannot be read: ${describeFileError(error)}` });
		});
	return parseAnswers(parseJSON(text, `--answers ${path}`), path);
}
