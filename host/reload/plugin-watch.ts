import { stat } from "node:fs/promises";
import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import type { Capabilities } from "../contracts/backend.ts";
import type { PluginState } from "../lifecycle/machine.ts";
import type { PluginSpec } from "../spec.ts";
import { absent, differing, empty, type Fingerprint, fingerprintsOf } from "./fingerprint.ts";
import { createOwnWrites, type OwnWrites } from "./own-writes.ts";
import { differenceOf, type ReloadReport } from "./report.ts";
import { createSettle, type Settle } from "./settle.ts";
import { scanModules, watchedFiles } from "./watch-set.ts";
import type { Watcher } from "./watcher.ts";

/** A plugin as a watch sees it. */
export interface WatchedPlugin {
	readonly spec: PluginSpec;
	readonly state: PluginState;
	/** Why it does not serve. */
	readonly error: BroodError | undefined;
	/** When the process that serves was launched, in milliseconds since 1970; nothing when none was. */
	readonly launchedAt: number | undefined;
	/** What it has registered now. */
	ledger(): Capabilities;
	/** The files that it has loaded. @throws BroodError */
	modules(): Promise<string[]>;
	/** Starts it unless it runs; resolves when it is ready, or is not going to be. */
	start(): Promise<void>;
	/** Withdraws what it has registered at once; resolves when every process of it has ended. */
	stop(): Promise<void>;
	/** Puts a new instance in the place of the running one, or starts it. @throws BroodError; an old one that ran serves on */
	reload(): Promise<void>;
	warn(message: string): void;
}

export interface PluginWatchParts {
	plugin: WatchedPlugin;
	watcher: Pick<Watcher, "watch">;
	clock: Clock;
	limits: Limits["reload"];
	report(report: ReloadReport): void;
}

/** Loads one plugin anew when what it is made of has changed. */
export class PluginWatch {
	readonly #parts: PluginWatchParts;
	readonly #settle: Settle;
	readonly #own: OwnWrites;
	/** What is watched, each with the content that the plugin has, or is about to have. */
	#known = new Map<string, Fingerprint>();
	/** Whether the last load failed, so that it depends on what it did not get to load. */
	#isBroken = false;
	#isBusy = false;
	#isOver = false;
	/** Since when there are changes to look at, once what is being done is done. */
	#next: number | undefined;
	#cancelCheck: () => void = () => {};

	constructor(parts: PluginWatchParts) {
		const { clock, limits, plugin } = parts;
		this.#parts = parts;
		this.#settle = createSettle(clock, limits, (since) => void this.#changed(since));
		this.#own = createOwnWrites((file, message) => plugin.warn(`${file}: ${message}`));
	}

	/** A file was written, appeared or went away, or may have; nothing happens when it is none of this plugin's. */
	heard(path: string): void {
		if (!this.#known.has(path)) return;
		this.#settle.touch();
		// Of two writes within a millisecond the system may tell the first alone.
		this.#checkLater();
	}

	/** What it has loaded may be other files than before. */
	async refresh(): Promise<void> {
		if (this.#isBusy || this.#isOver) return;
		this.#isBroken = !serves(this.#parts.plugin.state);
		await this.#follow();
	}

	close(): void {
		this.#isOver = true;
		this.#settle.cancel();
		this.#cancelCheck();
		this.#parts.watcher.watch(this.#parts.plugin.spec.path, []);
	}

	/** Watches what the plugin is made of now. */
	async #follow(): Promise<void> {
		const { plugin, watcher } = this.#parts;
		const files = watchedFiles(plugin.spec, await this.#modules());
		// One that serves on although its new version failed depends on both.
		if (this.#isBroken) for (const file of await scanModules(plugin.spec)) files.add(file);
		if (this.#isOver) return;
		const fresh = [...files].filter((file) => !this.#known.has(file));
		watcher.watch(plugin.spec.path, files);
		const read = await fingerprintsOf(fresh);
		const since = plugin.launchedAt;
		for (const file of fresh) {
			// What was written after the load had begun may be other than what was loaded.
			const isLoaded = !this.#isBroken || !serves(plugin.state);
			const isStale = since !== undefined && isLoaded && (await writtenAt(file)) > since;
			this.#known.set(file, isStale ? unknown : (read.get(file) ?? absent));
		}
		for (const file of this.#known.keys()) if (!files.has(file)) this.#known.delete(file);
		// It takes a moment until changes of them are heard.
		if (fresh.length > 0) this.#checkLater();
	}

	#checkLater(): void {
		const { clock, limits } = this.#parts;
		this.#cancelCheck();
		this.#cancelCheck = clock.after(limits.checkMs, () => void this.#changed(clock.now()));
	}

	async #modules(): Promise<string[]> {
		try {
			return serves(this.#parts.plugin.state) ? await this.#parts.plugin.modules() : [];
		} catch {
			// It has just ended, or is being stopped; what comes after it is looked at anew.
			return [...this.#known.keys()];
		}
	}

	/** One change after the other, so that a newer one is never overtaken. */
	async #changed(since: number): Promise<void> {
		this.#next = Math.min(since, this.#next ?? since);
		if (this.#isBusy) return;
		this.#isBusy = true;
		while (this.#next !== undefined && !this.#isOver) {
			const next = this.#next;
			this.#next = undefined;
			await this.#look(next);
		}
		this.#isBusy = false;
	}

	async #look(since: number): Promise<void> {
		const { plugin, clock, limits } = this.#parts;
		for (let hasWaited = false; ; ) {
			const current = await fingerprintsOf(this.#known.keys());
			const dirty = differing(this.#known, current);
			// Whether it is gone for good is not for this to say.
			if (dirty.length === 0 || current.get(plugin.spec.path) === absent || this.#isOver) return;
			const isHalf = dirty.some((file) => halfSaved.has(current.get(file) ?? absent));
			if (isHalf && clock.now() < since + limits.goneMs) {
				await pause(clock, limits.settleMs);
				continue;
			}
			const waitMs = hasWaited ? 0 : this.#own.waitOf(dirty, since, clock.now());
			hasWaited = true;
			if (waitMs > 0) {
				await pause(clock, waitMs);
				continue;
			}
			for (const file of dirty) this.#known.set(file, current.get(file) ?? absent);
			if (!atRest.has(plugin.state)) await this.#reload(dirty, since);
			return;
		}
	}

	async #reload(files: string[], since: number): Promise<void> {
		const { plugin, clock, report } = this.#parts;
		const before = plugin.ledger();
		const served = serves(plugin.state);
		let error: BroodError | undefined;
		try {
			await plugin.reload();
		} catch (reason) {
			error = isBroodError(reason) ? reason : failure("internal", { reason: messageOf(reason), cause: reason });
		}
		const now = clock.now();
		this.#own.loaded(now);
		this.#isBroken = error !== undefined;
		const outcome = error === undefined ? (served ? "reload" : "ready") : serves(plugin.state) ? "kept" : "failed";
		const ms = now - since;
		// Somebody has stopped it meanwhile, who needs no report.
		if (!this.#isOver && !atRest.has(plugin.state)) {
			report({
				plugin: plugin.spec.name,
				outcome,
				ms,
				files,
				...differenceOf(before, plugin.ledger()),
				...(error === undefined ? {} : { error }),
			});
		}
		await this.#follow();
	}
}

/** Of a file about whose content, as the plugin loaded it, nothing is known. */
const unknown: Fingerprint = "unknown";

const halfSaved: ReadonlySet<Fingerprint> = new Set([absent, empty]);

/** Somebody wants it not to run. */
const atRest: ReadonlySet<PluginState> = new Set<PluginState>(["disabled", "shadowed", "stopped", "stopping"]);

function serves(state: PluginState): boolean {
	return state === "ready" || state === "unresponsive";
}

async function writtenAt(file: string): Promise<number> {
	try {
		return (await stat(file)).mtimeMs;
	} catch {
		return 0;
	}
}

function pause(clock: Clock, ms: number): Promise<void> {
	return new Promise((resolve) => void clock.after(ms, resolve));
}
