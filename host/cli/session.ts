import { stat } from "node:fs/promises";
import { isatty } from "node:tty";
import { type BroodError, failure } from "../../runtime/errors.ts";
import { describeFileError } from "../base/text-file.ts";
import type { UIProvider } from "../contracts/providers.ts";
import { type CreateHostOptions, createHost, type Host, type HostEvent } from "../host.ts";
import { cleanLine } from "../ui/clean.ts";
import { noUI } from "../ui/none.ts";
import { recordingUI, type UIRecord } from "../ui/recording.ts";
import { parseAnswers, scriptedUI } from "../ui/scripted.ts";
import { terminalUI } from "../ui/terminal.ts";
import { parseJSON } from "./arguments.ts";
import type { CommandContext, GlobalOptions } from "./context.ts";
import { interruption } from "./failure.ts";
import { holdLines } from "./hold-lines.ts";

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
export async function withHost(
	{ options, output }: CommandContext,
	task: (session: Session) => Promise<number>,
): Promise<number> {
	const { signal, interrupted } = watchSignals();
	const { ui: inner, shown } = await chooseUI(options, output.json);
	const held = holdLines(inner, output.note);
	const { ui, record } = recordingUI(held.ui);
	const host = await createHost({
		...(await hostOptions(options)),
		providers: { ui },
		observe: (event) => {
			if (options.quiet) return;
			const line = describeEvent(event);
			if (line !== undefined) held.print(line);
		},
	});
	try {
		signal.throwIfAborted();
		return await Promise.race([task({ host, ui: record, shown, signal }), interrupted]);
	} catch (error) {
		// Whatever a call that was given up says, the person knows why.
		signal.throwIfAborted();
		throw error;
	} finally {
		await host.stop();
	}
}

/** Never lets go of the signals: the program ends after its one command. */
function watchSignals(): { signal: AbortSignal; interrupted: Promise<never> } {
	const abort = new AbortController();
	const { promise, reject } = Promise.withResolvers<never>();
	promise.catch(() => {});
	for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
		process.on(name, () => {
			const error: BroodError = interruption(name);
			abort.abort(error);
			reject(error);
		});
	}
	return { signal: abort.signal, interrupted: promise };
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

function describeEvent(event: HostEvent): string | undefined {
	if (event.type !== "log") return undefined;
	const { plugin, message } = event.entry;
	return `[${cleanLine(plugin, pluginNameCharsMax)}] ${message}`;
}

// The name of a plugin file may hold anything but a slash.
const pluginNameCharsMax = 80;
