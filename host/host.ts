import { emitter, type Subscription } from "../runtime/disposable.ts";
import { type BroodError, failure } from "../runtime/errors.ts";
import { type Limits, withOverrides } from "../runtime/limits.ts";
import type { Kind } from "../runtime/records.ts";
import { createRedactor } from "../runtime/redact.ts";
import { type Ahead, takeAhead } from "./backends/ahead.ts";
import { waitsForDebugger } from "./backends/inspected.ts";
import { currentSurroundings, type LaunchSurroundings } from "./backends/launch.ts";
import { backendsOf } from "./backends/plugin-backend.ts";
import { createSpares, type Spares } from "./backends/spares.ts";
import { createWatchdog } from "./backends/watchdog.ts";
import { systemClock } from "./base/clock.ts";
import { createGate, type Gate } from "./base/gate.ts";
import type { LogEntry } from "./base/log.ts";
import { type LogSink, openSink } from "./base/log-sink.ts";
import { findPlaces, type Places } from "./base/paths.ts";
import { createCalls } from "./calls/calls.ts";
import { createEvents } from "./calls/events.ts";
import { createSkills } from "./calls/skills.ts";
import type { CreateHostOptions, Host, HostEvent, SwitchOptions } from "./host-api.ts";
import { checkHost } from "./host-options.ts";
import { endWithProgram } from "./lifecycle/ending.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import { Plugin } from "./plugin.ts";
import { createPluginSet, type PluginSet } from "./plugin-set.ts";
import { createEnablement, type Enablement } from "./providers/enablement.ts";
import { fileEnablement } from "./providers/enablement-file.ts";
import { createServices, type Services } from "./providers/services.ts";
import { createStatusItems, type StatusItems } from "./providers/status.ts";
import { createRegistry, type Registry, type RegistryChange, type Why } from "./registry.ts";
import { createSwap } from "./reload/swap.ts";
import { discoverAmp } from "./sources/amp.ts";
import { readPluginSkill } from "./sources/skill.ts";
import type { PluginSpec, SkippedCandidate } from "./spec.ts";
import { createDialogs, type Dialogs } from "./ui/dialogs.ts";
import { hearSecrets } from "./ui/hear-secrets.ts";
import { noUI } from "./ui/none.ts";
import { createWatching, type Watching } from "./watching.ts";

export type { CreateHostOptions, Host, HostEvent, SwitchOptions } from "./host-api.ts";

/**
 * Finds plugins, starts each in a process of its own and resolves when each is ready or has failed; one that fails
 * keeps no other from loading.
 *
 * @throws BroodError `unsupported_platform`, or `usage` for an option that cannot be used and for a path in `plugins` that
 * is no plugin; nothing has then started
 */
export async function createHost(options: CreateHostOptions = {}): Promise<Host> {
	checkHost(options);
	const ahead = takeAhead();
	return createHostIn(ahead?.surroundings ?? (await currentSurroundings(options)), options, ahead);
}

/** Makes a host of checked options in these surroundings, with a child for the first plugin. @internal for the test kit */
export async function createHostIn(
	surroundings: LaunchSurroundings,
	options: CreateHostOptions,
	ahead?: Ahead,
): Promise<Host> {
	const host = new PluginHost(options, findPlaces(options.cwd), surroundings);
	await host.load(ahead);
	return host;
}

class PluginHost implements Host {
	readonly #options: CreateHostOptions;
	readonly #places: Places;
	readonly #surroundings: LaunchSurroundings;
	readonly #limits: Limits;
	readonly #registry: Registry = createRegistry();
	readonly #statusItems: StatusItems;
	readonly #plugins: PluginSet = createPluginSet((...given) => this.#createPlugin(...given));
	readonly #watching: Watching;
	readonly #watchdog = createWatchdog({
		problem: (message) => this.#plugins.all().forEach((plugin) => void plugin.warn(message)),
	});
	readonly #gate: Gate;
	readonly #spares: Spares;
	readonly #hurry = new AbortController();
	readonly #dialogs: Dialogs;
	readonly #services: Services;
	readonly #enablement: Enablement;
	readonly #happened = emitter<HostEvent>();
	readonly #sink: LogSink;
	readonly #untie: () => void;
	#stopping: Promise<void> | undefined;
	skipped: readonly SkippedCandidate[] = [];

	constructor(options: CreateHostOptions, places: Places, surroundings: LaunchSurroundings) {
		this.#surroundings = surroundings;
		this.#options = options;
		this.#places = places;
		this.#limits = withOverrides(options.limits);
		this.#statusItems = createStatusItems(this.#limits.text);
		const atOnce = Math.max(2, navigator.hardwareConcurrency);
		// A plugin that has become ready is published before the next spawn blocks this program.
		this.#gate = createGate(atOnce, this.#limits.load.startPlaceMs, setImmediate);
		this.#spares = createSpares({
			...{ options, surroundings, limits: this.#limits, gate: this.#gate, watchdog: this.#watchdog },
			changed: (waiting) => this.#happened.emit({ type: "spares", waiting }),
		});
		this.#dialogs = createDialogs(options.providers?.ui ?? noUI(), this.#limits);
		this.#services = createServices({
			...places,
			options,
			ui: hearSecrets(this.#dialogs, (plugin, secret) => this.#plugins.find(plugin)?.redactor.learn(secret)),
			status: this.#statusItems,
			limits: this.#limits,
			readSkill: (spec, path, spend) => readPluginSkill(spec, path, (message) => this.#warn(spec.name, message), spend),
			owner: (plugin) => this.#plugins.get(plugin),
		});
		this.#happened.listen(this.#services.webhooks.hear);
		this.#enablement = createEnablement(options.enablement ?? fileEnablement(places.stateHome));
		const { observe, toolCallFailure = "reject", checkInputs = true } = options;
		if (observe !== undefined) this.#happened.listen(observe);
		const problem = (plugin: string, message: string, level?: "error") => this.#warn(plugin, message, level);
		const root = (plugin: string) => this.#plugins.get(plugin).spec.root;
		this.#sink = openSink(options, problem);
		this.#registry.onChange((change) => this.#happened.emit({ type: "registry", change }));
		this.#statusItems.onChange((items) => this.#happened.emit({ type: "statusItems", items }));
		this.#dialogs.listen((change) => this.#happened.emit({ type: "dialogs", ...change }));
		const use: Parameters<typeof createEvents>[0]["use"] = (plugin, task) => this.#plugins.get(plugin).use(task);
		this.skills = createSkills({ registry: this.#registry, limits: this.#limits.text, root });
		const [registry, statusItems, limits] = [this.#registry, this.#statusItems, this.#limits];
		const events = createEvents({ registry, limits: limits.call, toolCallFailure, use, problem, root });
		const { absent } = this.#plugins;
		const { activeThread, openWebhooks } = this.#services;
		this.threads = this.#services.threadStore;
		const running = <Result>(task: () => Promise<Result>) => this.#running(task);
		const parts = { registry, events, statusItems, limits, checkInputs, problem, use, absent, activeThread, running };
		const calls = createCalls({ ...parts, webhooks: openWebhooks });
		({ tools: this.tools, commands: this.commands, links: this.links, statusItems: this.statusItems } = calls);
		({ emit: this.emit, turn: this.turn, webhooks: this.webhooks } = calls);
		this.#watching = createWatching({
			...{ options, places, limits: this.#limits, set: this.#plugins, enablement: this.#enablement },
			found: (discovery) => {
				this.skipped = discovery.skipped;
			},
			report: (report) => this.#happened.emit({ type: "reload", report }),
		});
		const ending = { stop: () => this.stop(), kill: () => this.#kill() };
		this.#untie = options.endWithProgram === false ? () => {} : endWithProgram(ending);
	}

	readonly plugins = {
		list: () => this.#plugins.everything().map((plugin) => plugin.snapshot()),
		get: (name: string) => this.#plugins.get(name).snapshot(),
		log: (name: string) => this.#plugins.get(name).log.entries(),
	};
	readonly tools: Host["tools"];
	readonly commands: Host["commands"];
	readonly emit: Host["emit"];
	readonly turn: Host["turn"];
	readonly skills: Host["skills"];
	readonly threads: Host["threads"];
	readonly webhooks: Host["webhooks"];
	readonly modes = { list: () => this.#registry.list("mode") };
	readonly links: Host["links"];
	readonly statusItems: Host["statusItems"];
	readonly watch = () => this.#running(() => this.#watching.watch());

	reload(name: string): Promise<void> {
		return this.#running(() => this.#plugins.get(name).reload());
	}

	enable(name: string, { persist = false }: SwitchOptions = {}): Promise<void> {
		return this.#running(async () => {
			const { spec, supervisor } = this.#plugins.get(name);
			if (persist) await this.#enablement.save(spec, true);
			await supervisor.start();
		});
	}

	disable(name: string, { persist = false }: SwitchOptions = {}): Promise<void> {
		return this.#running(async () => {
			const { spec, supervisor } = this.#plugins.get(name);
			if (persist) await this.#enablement.save(spec, false);
			await supervisor.stop("disabled");
		});
	}

	why(kind: Kind, key: string): Why {
		return this.#registry.why(kind, key);
	}

	onChange(listener: (change: RegistryChange) => void): Subscription {
		return this.#registry.onChange(listener);
	}

	stop(): Promise<void> {
		this.#stopping ??= this.#stopAll();
		return this.#stopping;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.stop();
	}

	/** Finds and starts everything; called once. */
	async load(ahead?: Ahead): Promise<void> {
		const { plugins: explicit = [], places = true } = this.#options;
		if (ahead !== undefined) this.#spares.adopt(ahead);
		try {
			const found = await discoverAmp({ ...this.#places, explicit, places });
			this.skipped = found.skipped;
			const disabled = await this.#enablement.disabled(found.plugins);
			const { added } = this.#plugins.become(found.plugins, disabled);
			this.#spares.open();
			const isWaiting = ({ spec }: Plugin) => waitsForDebugger(spec.name, this.#options.inspect);
			await Promise.all(added.map((plugin) => (isWaiting(plugin) ? void plugin.start() : plugin.start())));
		} catch (error) {
			await this.stop();
			throw error;
		}
	}

	#createPlugin(spec: PluginSpec, initialState: PluginState, initialError?: BroodError): Plugin {
		const { name, rank, path } = spec;
		this.#happened.emit({ type: "found", plugin: name, path });
		const shadowed = initialState === "shadowed";
		const owner = { plugin: name, rank };
		const redactor = createRedactor();
		const backends = backendsOf(spec, {
			...{ options: this.#options, surroundings: this.#surroundings, watchdog: this.#watchdog, redactor },
			...{ services: this.#services, spares: this.#spares, limits: this.#limits },
		});
		return new Plugin({
			spec,
			initialState,
			initialError,
			limits: backends.limits,
			clock: systemClock,
			gate: this.#gate,
			hurry: this.#hurry.signal,
			createBackend: backends.create,
			redactor,
			publish: (capabilities) => this.#registry.publish(owner, capabilities),
			changed: (kind, items) => this.#registry.publish(owner, { [kind]: items }),
			loadedMore: () => this.#watching.follow(name),
			withdraw: () => {
				this.#registry.withdraw(name);
				this.#statusItems.clear(name);
			},
			ledger: () => this.#registry.ledger(shadowed ? "" : name),
			openDialogs: () => (shadowed ? 0 : this.#dialogs.open(name)),
			statusItems: () => this.#statusItems.list().filter(({ plugin }) => plugin === name && !shadowed),
			state: ({ state, error }) =>
				this.#happened.emit({ type: "state", plugin: name, state, ...(error === undefined ? {} : { error }) }),
			fact: (fact, ms) => {
				this.#happened.emit({ type: "fact", plugin: name, fact, ms });
				if (fact === "published") this.#watching.follow(name);
			},
			createSwap,
			logged: (entry) => this.#logged(entry),
		});
	}

	#warn(plugin: string, message: string, level: "warn" | "error" = "warn"): void {
		const log = this.#plugins.find(plugin)?.log;
		if (log !== undefined) this.#logged(log.add({ source: "host", level, message }));
	}

	#logged(entry: LogEntry): void {
		this.#happened.emit({ type: "log", entry });
		this.#sink(entry);
	}

	#running<Result>(task: () => Promise<Result>): Promise<Result> {
		try {
			if (this.#stopping !== undefined) throw failure("host_stopped");
			return task();
		} catch (error) {
			return Promise.reject(error);
		}
	}

	async #stopAll(): Promise<void> {
		const { webhooks } = this.#services;
		const watched = this.#watching.stop();
		const stops = [...this.#plugins.all(), ...this.#watching.leaving].map((plugin) =>
			webhooks.finish(plugin.spec.name, () => plugin.stop()),
		);
		await Promise.all([watched, ...stops]);
		await Promise.all([webhooks.close(), this.#spares.close()]);
		this.#watchdog.close();
		this.#untie();
	}

	#kill(): void {
		this.#hurry.abort();
		for (const { supervisor } of [...this.#plugins.all(), ...this.#watching.leaving]) supervisor.kill();
		this.#spares.kill();
		this.#watchdog.close();
	}
}
