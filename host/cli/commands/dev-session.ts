import { limits, longestTimerMs } from "../../../runtime/limits.ts";
import type { LogEntry } from "../../base/log.ts";
import type { UIProvider } from "../../contracts/providers.ts";
import { type CreateHostOptions, createHost, type Host, type HostEvent } from "../../host.ts";
import { loopbackWebhooks } from "../../providers/webhooks/loopback.ts";
import type { ReloadReport } from "../../reload/report.ts";
import { createDialogs } from "../../ui/dialogs.ts";
import { terminalUI } from "../../ui/terminal.ts";
import { usualSize } from "../../ui/terminal-size.ts";
import type { ChosenUI } from "../choose-ui.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople } from "../failure.ts";
import { aroundDialogs } from "../hold-lines.ts";
import { isTerminal } from "../is-terminal.ts";
import { describeLog, logFilterOf } from "../log-line.ts";
import type { Output } from "../output.ts";
import { shownName } from "../screen-text.ts";
import type { watchSignals } from "../session.ts";
import { tellWaits } from "../tell-waits.ts";
import { createActs, keysLine } from "./dev-acts.ts";
import type { Inspector } from "./dev-inspector.ts";
import { type Keyboard, openKeyboard } from "./dev-keys.ts";
import { type LoadWatch, watchLoads } from "./dev-loads.ts";
import { type Loss, lossesOf, newLosses } from "./dev-losses.ts";
import { readerLeft } from "./dev-reader.ts";
import { createStage, type Stage } from "./dev-stage.ts";
import { createTeller, type Teller } from "./dev-tell.ts";
import { describeLoss, describeReport, describeStanding, lossRecord, reportRecord } from "./dev-text.ts";
import { isSwitchedOff, switchOnWords } from "./record.ts";

export interface SessionParts {
	context: CommandContext;
	/** What is settled of the host. */
	hosting: CreateHostOptions;
	chosen: ChosenUI;
	signals: ReturnType<typeof watchSignals>;
	inspector: Inspector | undefined;
}

/** Runs plugins, tells what becomes of them and does what keys say. Resolves when the person wants to go. */
export async function runSession(parts: SessionParts): Promise<void> {
	const session = new DevSession(parts);
	try {
		await session.run();
	} finally {
		await session.end();
	}
}

class DevSession {
	readonly #parts: SessionParts;
	/** Whether a person sees the lines and has a keyboard. */
	readonly #isDriven: boolean;
	readonly #stage: Stage;
	readonly #teller: Teller;
	readonly #waits: ReturnType<typeof tellWaits>;
	readonly #loads: LoadWatch;
	#losses: Loss[] = [];
	readonly #quit = Promise.withResolvers<void>();
	/** Where nothing else is to come, as where no plugin runs, Bun would look for it without rest. */
	readonly #stay = setInterval(() => {}, longestTimerMs);
	#host: Host | undefined;
	#keyboard: Keyboard | undefined;

	constructor(parts: SessionParts) {
		const { context, signals } = parts;
		const { output, options } = context;
		this.#parts = parts;
		this.#isDriven = !output.json && isTerminal(0) && isTerminal(2);
		this.#stage = createStage({
			output,
			hasFooter: this.#isDriven,
			taken: () => this.#keyboard?.pause(),
			free: () => this.#keyboard?.resume(),
		});
		this.#teller = createTeller({
			tell: (report) => this.#tell(report),
			reloadError: (plugin) => this.#host?.plugins.list().find(({ name }) => name === plugin)?.error,
		});
		this.#waits = tellWaits({
			quiet: options.quiet === true,
			isInterrupted: () => signals.signal.aborted,
			tell: (line) => this.#note(line),
		});
		this.#loads = watchLoads({ tell: (plugin, stage) => this.#tellLoad(plugin, stage) });
	}

	async run(): Promise<void> {
		const { hosting, context, signals, inspector } = this.#parts;
		this.#endWithReader(context.output);
		const host = await createHost({
			...hosting,
			providers: { ui: this.#dialogs(), webhooks: loopbackWebhooks() },
			observe: (event) => this.#observe(event),
			logFilter: logFilterOf(context.options),
			log: (entry) => this.#log(entry),
		});
		this.#host = host;
		this.#waits.started();
		setImmediate(() => this.#tellLosses());
		signals.signal.throwIfAborted();
		const { inspect } = hosting;
		if (inspect !== undefined && inspector !== undefined) this.#noteInspector(inspect.plugin, inspector);
		await Promise.race([host.watch(), this.#quit.promise, signals.interrupted]);
		this.#welcome(host);
		if (this.#isDriven) this.#keyboard = this.#openKeyboard(host);
		await Promise.race([this.#quit.promise, signals.interrupted]);
	}

	async end(): Promise<void> {
		this.#keyboard?.close();
		this.#stage.close();
		// One that stands still in a debugger could not end in good order.
		await this.#parts.inspector?.close();
		await this.#host?.stop();
		this.#waits.end();
		this.#loads.end();
		clearInterval(this.#stay);
	}

	/** What comes of plugins nobody would hear of any more. */
	#endWithReader({ refused, abandonResults }: Output): void {
		void refused.then(this.#quit.resolve);
		void readerLeft().then(() => {
			abandonResults();
			this.#quit.resolve();
		});
	}

	/** The dialogs of plugins, each with the screen for itself. */
	#dialogs(): UIProvider {
		const { ui, shown } = this.#parts.chosen;
		const alone = aroundDialogs(ui, this.#stage.during);
		return shown ? { ...alone, notify: (...given) => this.#stage.during(() => ui.notify(...given)) } : alone;
	}

	#observe(event: HostEvent): void {
		this.#waits.observe(event);
		this.#teller.observe(event);
		// Those of the start are told all together, by the line about what is waited for.
		if (this.#host !== undefined) this.#loads.observe(event);
		// Behind the line about what brought it about, where that has one.
		if (event.type === "registry") setImmediate(() => this.#tellLosses());
		const { inspect } = this.#parts.hosting;
		if (event.type !== "fact" || event.fact !== "spawned" || !inspect?.break || event.plugin !== inspect.plugin) return;
		this.#note(`${shownName(event.plugin)} waits for a debugger at ${this.#parts.inspector?.url}`);
	}

	#log(entry: LogEntry): void {
		if (this.#teller.isTold(entry)) return;
		const { output } = this.#stage;
		output.note(describeLog(entry, output));
	}

	#tell(report: ReloadReport): void {
		const { output } = this.#stage;
		this.#loads.ended(report.plugin);
		if (output.json) return output.result(JSON.stringify(reportRecord(report)));
		const cwd = process.cwd();
		const columns = process.stderr.columns || usualSize.columns;
		// It comes first: the line above it would bring back what no longer stands.
		this.#stage.keepInSight(describeStanding(this.#teller.standing(), { paint: output.paint.note, columns, cwd }));
		output.result(describeReport(report, { paint: output.paint.result, time: Date.now(), cwd }));
		if (report.error !== undefined) output.note(describeForPeople(report.error, output));
	}

	/** Tells which names plugins have lost since the last time. */
	#tellLosses(): void {
		if (this.#host === undefined || this.#parts.signals.signal.aborted) return;
		const losses = lossesOf(this.#host);
		const { output } = this.#stage;
		for (const loss of newLosses(this.#losses, losses)) {
			const facts = { paint: output.paint.result, time: Date.now() };
			output.result(output.json ? JSON.stringify(lossRecord(loss)) : describeLoss(loss, facts));
		}
		this.#losses = losses;
	}

	/** Tells that a load goes on, unless it waits for a debugger as it should. */
	#tellLoad(plugin: string, stage: string): void {
		const { hosting, context } = this.#parts;
		if (context.options.quiet || hosting.inspect?.plugin === plugin) return;
		const one = this.#host?.plugins.list().find(({ name, state }) => name === plugin && state !== "shadowed");
		const meanwhile = one?.state === "ready" ? "; the old version serves meanwhile" : "";
		this.#note(`${shownName(plugin)} still loads: ${stage} …${meanwhile}`);
	}

	/** Tells a person something. */
	#note(line: string): void {
		const { output } = this.#stage;
		if (!output.json) output.note(line);
	}

	#noteInspector(plugin: string, { url, page }: Inspector): void {
		const { output } = this.#stage;
		if (output.json) return output.note(JSON.stringify({ inspect: { plugin, url, page } }));
		output.note(`The debugger of ${shownName(plugin)}: ${url}\n  in a browser: ${page}`);
	}

	#welcome(host: Host): void {
		const plugins = host.plugins.list().filter(({ state }) => state !== "shadowed");
		for (const plugin of plugins.filter(isSwitchedOff)) {
			this.#note(`${shownName(plugin.name)} is off; ${switchOnWords(plugin.name)} brings it back`);
		}
		if (this.#parts.context.options.quiet) return;
		const count = plugins.length === 1 ? "1 plugin" : `${plugins.length} plugins`;
		const what = plugins.length === 0 ? "No plugin was found; one that appears is started." : `Watching ${count}.`;
		this.#note(this.#isDriven ? `${what} ${keysLine}` : what);
	}

	#openKeyboard(host: Host): Keyboard {
		const { signals, chosen } = this.#parts;
		const interrupt = () => process.kill(process.pid, "SIGINT");
		// What is asked quotes what plugins have written.
		const ui = createDialogs(chosen.shown ? chosen.ui : terminalUI({ interrupt }), limits);
		const pressed = createActs({
			host,
			stage: this.#stage,
			asker: { ui, context: { plugin: "brood", signal: signals.signal } },
			signal: signals.signal,
			report: (report) => this.#teller.report(report),
			quit: this.#quit.resolve,
		});
		return openKeyboard({ pressed, interrupt, resumed: this.#stage.redraw });
	}
}
