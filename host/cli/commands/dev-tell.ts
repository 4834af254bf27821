import { type BroodError, isBroodError } from "../../../runtime/errors.ts";
import type { LogEntry } from "../../base/log.ts";
import type { HostEvent } from "../../host.ts";
import type { PluginState } from "../../lifecycle/machine.ts";
import { headlineOf } from "../../plugin.ts";
import type { RegistryChange } from "../../registry.ts";
import { type ReloadReport, registrationName } from "../../reload/report.ts";
import { withAdvice } from "./load-advice.ts";

/** Makes one report of each thing that becomes of a plugin, be it by a change on disk or of its own accord. */
export interface Teller {
	observe(event: HostEvent): void;
	/** Tells a report that nobody else has told. */
	report(report: ReloadReport): void;
	/** Whether a report says the same as this log entry. */
	isTold(entry: LogEntry): boolean;
	/** The last report of each plugin that does not serve as it stands on disk. */
	standing(): ReloadReport[];
}

export interface TellerParts {
	tell(report: ReloadReport): void;
	/** Why the last reload of a plugin failed, which serves all the same. */
	reloadError(plugin: string): BroodError | undefined;
}

export function createTeller({ tell, reloadError }: TellerParts): Teller {
	const registered = new Map<string, Set<string>>();
	const readyMs = new Map<string, number>();
	const begun = new Map<string, number>();
	const paths = new Map<string, string>();
	/** Those that were told of. */
	const known = new Set<string>();
	const told = new WeakSet<Error>();
	const failing = new Map<string, Error>();
	const standing = new Map<string, ReloadReport>();

	function register({ added, changed, removed }: RegistryChange): void {
		for (const { plugin, kind, item } of [...added, ...changed]) {
			const own = registered.get(plugin) ?? new Set();
			registered.set(plugin, own.add(registrationName(kind, item)));
		}
		for (const { plugin, kind, item } of removed) registered.get(plugin)?.delete(registrationName(kind, item));
	}

	function report(given: ReloadReport): void {
		const { plugin, outcome, error } = given;
		if (error !== undefined) told.add(error);
		if (outcome === "removed") known.delete(plugin);
		else known.add(plugin);
		const advised = error === undefined ? given : { ...given, error: withAdvice(error, paths.get(plugin) ?? plugin) };
		if (outcome === "kept" || outcome === "failed") standing.set(plugin, advised);
		else standing.delete(plugin);
		tell(advised);
	}

	/** A state that no report tells of: the first one, or one that the plugin brought about. */
	function changed(plugin: string, state: PluginState, error: Error | undefined): void {
		const common = { plugin, files: [], removed: [], changed: [] };
		if (state === "ready" && !known.has(plugin)) {
			const added = [...(registered.get(plugin) ?? [])];
			report({ ...common, outcome: "ready", ms: readyMs.get(plugin) ?? 0, added });
		}
		if (cannotLoad.has(state) && isBroodError(error) && !told.has(error)) {
			const ms = performance.now() - (begun.get(plugin) ?? performance.now());
			report({ ...common, outcome: "failed", ms, added: [], error });
		}
	}

	return {
		report,
		observe(event) {
			if (event.type === "found") paths.set(event.plugin, event.path);
			if (event.type === "registry") register(event.change);
			if (event.type === "fact" && event.fact === "ready") readyMs.set(event.plugin, event.ms);
			if (event.type === "reload") report(event.report);
			if (event.type !== "state") return;
			const { plugin, state, error } = event;
			if (state === "starting") begun.set(plugin, performance.now());
			if (error !== undefined && cannotLoad.has(state)) failing.set(plugin, error);
			else failing.delete(plugin);
			// A report of the same comes before the next turn of the event loop.
			setImmediate(() => changed(plugin, state, error));
		},
		isTold({ plugin, source, level, message }) {
			if (source !== "host" || level !== "error") return false;
			const error = failing.get(plugin) ?? reloadError(plugin);
			return isBroodError(error) && headlineOf(error) === message;
		},
		standing: () => [...standing.values()],
	};
}

// Disabled with an error is what could not be found out to be on.
const cannotLoad: ReadonlySet<PluginState> = new Set<PluginState>(["failed", "incompatible", "disabled"]);
