import { type BroodError, failure, isBroodError } from "../runtime/errors.ts";
import type { CommandItem, EventName, LinkItem, ModeItem, SkillItem, ToolItem } from "../runtime/records.ts";
import type { Redactor } from "../runtime/redact.ts";
import { createPluginLog, type LogEntry, type PluginLog } from "./base/log.ts";
import { modeDrift } from "./base/mode-drift.ts";
import type { Backend, BackendFacts, Capabilities, LoadFact } from "./contracts/backend.ts";
import { loadFacts } from "./contracts/backend.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import type { Reload } from "./lifecycle/reload.ts";
import { Supervisor } from "./lifecycle/supervisor.ts";
import type { SupervisorParts } from "./lifecycle/supervisor-parts.ts";
import type { OwnedStatusItem } from "./providers/status.ts";
import type { PluginSpec } from "./spec.ts";

/** All that can be known of one plugin at one moment. */
export interface PluginSnapshot extends Pick<PluginSpec, "name" | "system" | "scope" | "path" | "description"> {
	state: PluginState;
	/** Of its process, or null when none runs. */
	pid: number | null;
	/** Launches since it was last started on purpose. */
	launches: number;
	/** Why it is not ready, or why its last reload failed. */
	error?: BroodError;
	/** What is odd about it and did not keep it from loading. */
	warnings: string[];
	/** Milliseconds since the spawn, or null for what was not reached. */
	facts: Record<LoadFact, number | null>;
	commands: CommandItem[];
	tools: ToolItem[];
	skills: SkillItem[];
	events: EventName[];
	modes: ModeItem[];
	links: LinkItem[];
	statusItems: OwnedStatusItem[];
	/** Its dialogs that wait for a person. */
	openDialogs: number;
	/** Calls of its tools, commands and handlers that have not ended; those of an instance that was replaced are not counted. */
	openCalls: number;
	/** How its process was started. */
	process?: BackendFacts;
}

export interface PluginParts extends Omit<SupervisorParts, "plugin" | "log"> {
	spec: PluginSpec;
	/** What it has registered now. */
	ledger(): Capabilities;
	statusItems(): OwnedStatusItem[];
	openDialogs(): number;
	/** Knows the secrets of the plugin, over all its launches. */
	redactor: Redactor;
	logged(entry: LogEntry): void;
	/** How it is reloaded. */
	createSwap(supervisor: Supervisor, plugin: string): { begin(): Reload };
}

/** One plugin of a host: its spec, its supervisor, its log. */
export class Plugin {
	#spec: PluginSpec;
	readonly supervisor: Supervisor;
	readonly log: PluginLog;
	readonly redactor: Redactor;
	readonly #parts: PluginParts;
	readonly #swap: { begin(): Reload };
	#reloadError: BroodError | undefined;
	#loggedError: BroodError | undefined;
	#drift: string[] = [];

	constructor(parts: PluginParts) {
		const { spec, redactor, logged } = parts;
		this.#parts = parts;
		this.#spec = spec;
		this.redactor = redactor;
		this.log = createPluginLog(spec.name, parts.limits.text, redactor);
		const log: SupervisorParts["log"] = (entry) => logged(this.log.add(entry));
		const warn = (message: string) => log({ source: "host", level: "warn", message });
		const state: SupervisorParts["state"] = (machine) => {
			parts.state(machine);
			this.#logFailure(machine.error);
		};
		const publish: SupervisorParts["publish"] = (capabilities) => {
			this.#reloadError = undefined;
			parts.publish(capabilities);
			this.#drift = modeDrift(this.#spec, capabilities.mode);
			this.#drift.forEach(warn);
		};
		this.supervisor = new Supervisor({ ...parts, plugin: spec.name, log, publish, state });
		this.#swap = parts.createSwap(this.supervisor, spec.name);
		// Nothing is going to happen that would tell it.
		if (parts.initialState === "disabled") state(this.supervisor.machine);
		spec.warnings.forEach(warn);
	}

	/** Puts a new instance in the place of the running one. @throws BroodError; the old one then serves on */
	async reload(): Promise<void> {
		let reload: Reload | undefined = this.beginReload();
		while (reload !== undefined) reload = await reload.ended;
	}

	/** As `reload`, for whoever wants to know when a newer one takes its place. */
	beginReload(): Reload {
		const { ended, overlong } = this.#swap.begin();
		const failed = (error: unknown) => {
			// Where nothing serves on, the machine knows the reason.
			if (this.supervisor.machine.state === "ready" && isBroodError(error)) {
				this.#reloadError = error;
				this.#logFailure(error);
			}
			throw error;
		};
		return { ended: ended.catch(failed), overlong };
	}

	get spec(): PluginSpec {
		return this.#spec;
	}

	/** What can be read of its file without running it has changed. */
	describe(spec: PluginSpec): void {
		const isNews = !Bun.deepEquals(spec.warnings, this.#spec.warnings);
		this.#spec = spec;
		if (isNews) spec.warnings.forEach((message) => void this.warn(message));
	}

	get state(): PluginState {
		return this.supervisor.machine.state;
	}

	get error(): BroodError | undefined {
		return this.supervisor.machine.error;
	}

	/** When the process that serves was launched, in milliseconds since 1970; nothing when none was. */
	get launchedAt(): number | undefined {
		return this.supervisor.instance?.launchedAt;
	}

	/** What it has registered now. */
	ledger(): Capabilities {
		return this.#parts.ledger();
	}

	/** The files that it has loaded, those of packages left out. @throws BroodError */
	modules(): Promise<string[]> {
		return this.supervisor.use((backend) => backend.modules());
	}

	start(): Promise<void> {
		return this.supervisor.start();
	}

	stop(): Promise<void> {
		return this.supervisor.stop();
	}

	use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result> {
		return this.supervisor.use(task);
	}

	/** How often somebody wanted it to stop. */
	get stops(): number {
		return this.supervisor.stops;
	}

	/** Leaves a warning of brood in its log. */
	warn(message: string): void {
		this.#parts.logged(this.log.add({ source: "host", level: "warn", message }));
	}

	/** Leaves a line of brood in its log that needs no action. */
	inform(message: string): void {
		this.#parts.logged(this.log.add({ source: "host", level: "info", message }));
	}

	/** What it has as a secret from now on is not shown in its log, its errors and its trace. */
	learn(secret: string): void {
		this.redactor.learn(secret);
	}

	/** Leaves a line about each failure, once; what the plugin printed before it stands in the log already. */
	#logFailure(error: BroodError | undefined): void {
		if (error === undefined || error === this.#loggedError) return;
		this.#loggedError = error;
		this.#parts.logged(this.log.add({ source: "host", level: "error", message: headlineOf(error) }));
	}

	/** What brood had to say about what it registered and did; a logger of its own has no such level. */
	#warned(): string[] {
		const entries = this.log.entries();
		return entries.filter(({ level, source }) => level === "warn" && source === "plugin").map(({ message }) => message);
	}

	snapshot(): PluginSnapshot {
		const { name, system, scope, path, description, warnings } = this.spec;
		const { machine, instance } = this.supervisor;
		const own = this.#parts.ledger();
		const error = machine.error ?? this.#reloadError;
		return {
			name,
			system,
			scope,
			path,
			...(description === undefined ? {} : { description }),
			state: machine.state,
			pid: running.has(machine.state) ? (instance?.backend.pid ?? null) : null,
			launches: machine.launches,
			...(error === undefined ? {} : { error }),
			warnings: [...new Set([...warnings, ...this.#drift, ...this.#warned()])],
			facts: factsOf(instance?.facts),
			commands: own.command,
			tools: own.tool,
			skills: own.skill,
			events: [...new Set(own.event.map((item) => item.name))],
			modes: own.mode,
			links: own.link,
			statusItems: this.#parts.statusItems(),
			openDialogs: this.#parts.openDialogs(),
			openCalls: instance?.calls ?? 0,
			...(instance === undefined ? {} : { process: instance.backend.facts() }),
		};
	}
}

/** The plugin of a name. @throws BroodError `plugin_not_found` */
export function pluginOf(plugins: ReadonlyMap<string, Plugin>, name: string): Plugin {
	const plugin = plugins.get(name);
	if (plugin !== undefined) return plugin;
	const names = [...plugins.keys()].join(", ");
	throw failure("plugin_not_found", { plugin: name, hint: names === "" ? "None was found." : `Known: ${names}.` });
}

/** Those of these plugins that serve nobody now, and the state of each. */
export function absentOf(plugins: Iterable<Plugin>): { plugin: string; state: PluginState }[] {
	const all = [...plugins].map(({ spec, supervisor }) => ({ plugin: spec.name, state: supervisor.machine.state }));
	return all.filter(({ state }) => state !== "ready" && state !== "unresponsive");
}

/** What an error says before it quotes the output of the plugin. */
export function headlineOf({ message }: Pick<BroodError, "message">): string {
	const [line = ""] = message.split("\n", 1);
	return line.replace(/; the end of its output:$/, "");
}

// In the other states a process is at most on its way out.
const running: ReadonlySet<PluginState> = new Set<PluginState>(["starting", "ready", "unresponsive", "stopping"]);

function factsOf(reached: Partial<Record<LoadFact, number>> | undefined): Record<LoadFact, number | null> {
	const facts = loadFacts.map((name) => [name, reached?.[name] ?? null] as const);
	return Object.fromEntries(facts) as Record<LoadFact, number | null>;
}
