import { BroodError, isBroodError } from "../../runtime/errors.ts";
import { secretVariables } from "../backends/secret-variables.ts";
import type { LogEntry } from "../base/log.ts";
import { type CreateHostOptions, createHost, type Host, type HostEvent } from "../host.ts";
import type { PluginState } from "../lifecycle/machine.ts";
import { headlineOf } from "../plugin.ts";
import type { ThreadStore } from "../providers/threads.ts";
import { loopbackWebhooks } from "../providers/webhooks/loopback.ts";
import { recordingUI, type UIRecord } from "../ui/recording.ts";
import { type ChosenUI, chooseUI, type Remark } from "./choose-ui.ts";
import { requirePlugins } from "./commands/find-plugin.ts";
import type { CommandContext, GlobalOptions } from "./context.ts";
import { exitCodeOf, interruption, reportWarning } from "./failure.ts";
import { holdLines } from "./hold-lines.ts";
import { describeLog, logFilterOf } from "./log-line.ts";
import { requireDirectory } from "./places.ts";
import { tellWaits } from "./tell-waits.ts";
import { chooseThreads } from "./threads.ts";

/** A host for one command. */
export interface Session {
	host: Host;
	threads: ThreadStore;
	/** What plugins asked and were answered, in order. */
	ui: UIRecord[];
	/** Whether the person has seen the dialogs. */
	shown: boolean;
	/** Aborts when the person gives up. */
	signal: AbortSignal;
}

/**
 * Starts the plugins, does the task and stops them, however the task ends. What the task throws is told by whoever called
 * the command, so that it stands behind all that the plugins had to say.
 *
 * @param isToldByTask says of a log entry that the task tells a person the same; it is then left out
 * @throws BroodError of the task; `usage` when an option cannot be used; `cancelled` on SIGINT, SIGTERM and SIGHUP
 */
export async function withHost<Result>(
	context: CommandContext,
	task: (session: Session) => Promise<Result>,
	isToldByTask: (entry: LogEntry) => boolean = () => false,
): Promise<Result> {
	// Whoever types the answers may still end the program with Ctrl-C: nothing runs yet.
	const chosen = await chooseUI(context);
	const threads = await chooseThreads(context.threads ?? {}, context.stdin);
	const watch = watchSignals();
	try {
		const result = await hostTask(context, { ...chosen, threads }, watch, task, isToldByTask);
		watch.signal.throwIfAborted();
		return result;
	} catch (error) {
		// Whatever a call that was given up says, the person knows why.
		watch.signal.throwIfAborted();
		throw error;
	} finally {
		watch.release();
	}
}

async function hostTask<Result>(
	{ options, output }: CommandContext,
	{ ui: inner, shown, remark, threads }: ChosenUI & { threads: ThreadStore },
	{ signal, interrupted }: SignalWatch,
	task: (session: Session) => Promise<Result>,
	isToldByTask: (entry: LogEntry) => boolean,
): Promise<Result> {
	const held = holdLines(inner, output.note);
	const { ui, record } = recordingUI(held.ui, secretVariables(process.env));
	const failures = listenForFailures();
	const given = await hostOptions(options);
	await requirePlugins(options, options.installFor ?? []);
	const waits = tellWaits({
		quiet: options.quiet === true,
		isInterrupted: () => signal.aborted,
		tell: (line) => output.json || held.print(line),
	});
	const host = await createHost({
		...given,
		// What waits is for a host that stays: a command would begin to deliver it, and end before the plugin has.
		providers: { ui, threads, webhooks: loopbackWebhooks({ receive: false }) },
		observe: (event) => {
			failures.observe(event);
			waits.observe(event);
		},
		logFilter: logFilterOf(options),
		log: (entry) => {
			if (failures.isAbout(entry) || (!output.json && isToldByTask(entry))) return;
			held.print(describeLog(entry, output));
		},
	}).catch((error: unknown) => {
		waits.end();
		throw error;
	});
	try {
		signal.throwIfAborted();
		const result = await Promise.race([task({ host, threads, ui: record, shown, signal }), interrupted]);
		const remarked = remark(record);
		if (remarked !== undefined) reportWarning({ message: remarked.message }, output);
		return result;
	} catch (error) {
		const remarked = signal.aborted ? undefined : remark(record);
		if (remarked === undefined) throw error;
		const hinted = withHint(error, remarked);
		if (hinted === undefined) reportWarning({ message: remarked.message }, output);
		throw hinted ?? error;
	} finally {
		await host.stop();
		waits.end();
	}
}

/** Knows the log entries about plugins that do not load, which every command tells in its own way. */
function listenForFailures() {
	const failed = new Map<string, string>();
	return {
		observe(event: HostEvent): void {
			if (event.type !== "state" || !isBroodError(event.error)) return;
			if (cannotLoad.has(event.state)) failed.set(event.plugin, headlineOf(event.error));
		},
		isAbout: ({ plugin, source, message }: LogEntry) => source === "host" && failed.get(plugin) === message,
	};
}

// Disabled with an error is what could not be found out to be on.
const cannotLoad: ReadonlySet<PluginState> = new Set<PluginState>(["failed", "incompatible", "disabled"]);

/** The error with the remark as its hint, where the remark is one and the error has none. */
function withHint(error: unknown, { explains, message }: Remark): BroodError | undefined {
	if (!explains || !isBroodError(error) || error.hint !== undefined) return undefined;
	const { code, plugin, positions, frame } = error;
	return new BroodError(code, error.message, {
		hint: message,
		cause: error,
		...(plugin === undefined ? {} : { plugin }),
		positions,
		frame,
	});
}

interface SignalWatch {
	/** Aborts on the first signal that asks the program to end. */
	signal: AbortSignal;
	/** Rejects at the same moment. */
	interrupted: Promise<never>;
	/** From now on a signal ends the program at once: nothing runs that it could leave behind. */
	release(): void;
}

/** Hears the signals that ask the program to end, until it is released. */
export function watchSignals(): SignalWatch {
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

/** The options of a host by those of the command line. @throws BroodError `usage` for a folder that is none */
export async function hostOptions(options: GlobalOptions): Promise<CreateHostOptions> {
	const { plugin, cwd, places, readyTimeout } = options;
	if (cwd !== undefined) await requireDirectory(cwd);
	return {
		...installOption(options),
		places,
		...(plugin === undefined ? {} : { plugins: plugin }),
		...(cwd === undefined ? {} : { cwd }),
		...(readyTimeout === undefined ? {} : { limits: { load: { readyMs: readyTimeout, installMs: 0 } } }),
	};
}

function installOption({ install, installFor }: GlobalOptions): Pick<CreateHostOptions, "install"> {
	if (install === true) return { install: "auto" };
	return installFor === undefined ? {} : { install: Object.fromEntries(installFor.map((name) => [name, "auto"])) };
}
