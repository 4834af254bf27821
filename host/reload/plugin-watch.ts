import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import { linkedImports, scanModules } from "../base/scan-modules.ts";
import type { Capabilities } from "../contracts/backend.ts";
import type { PluginState } from "../lifecycle/machine.ts";
import type { Reload } from "../lifecycle/reload.ts";
import type { PluginSpec } from "../spec.ts";
import { absent, differing, empty, type Fingerprint, fingerprintsOf, writtenAt } from "./fingerprint.ts";
import { createPacing, type Pacing, type Waiting } from "./pacing.ts";
import { differenceOf, type ReloadReport } from "./report.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createWaking, type Waking } from "./waking.ts";
import { watchedFiles } from "./watch-set.ts";
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
	/** Withdraws what it has registered at once; resolves when every process of it has ended. */
	stop(): Promise<void>;
	/** Puts a new instance in the place of the running one, or starts it, once nothing else of it loads as it should. */
	beginReload(): Reload;
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
	readonly #pacing: Pacing;
	readonly #waking: Waking;
	/** What is watched, each with the content that the plugin has, or is about to have. */
	#known = new Map<string, Fingerprint>();
	/** Whether the last load failed, so that it depends on what it did not get to load. */
	#isBroken = false;
	#isBusy = false;
	/** The newest load that was begun here; its end comes when all that follows from it is done. */
	#newest: Pick<Reload, "overlong"> & { ended: Promise<void> } = {
		ended: Promise.resolve(),
		overlong: Promise.resolve(),
	};
	#isOverlong = false;
	/** When that was begun, by the clock of files. */
	#begunAt: number | undefined;
	/** Loads that have not ended. */
	#loads = 0;
	/** Files whose load was given up, for the report of the load that took its place. */
	#givenUp: string[] = [];
	/** One after the other, so that the last one knows best. */
	#following: Promise<void> = Promise.resolve();
	#isOver = false;
	/** Since when there are changes to look at, once what is being done is done. */
	#next: number | undefined;
	#cancelCheck: () => void = () => {};

	constructor(parts: PluginWatchParts) {
		const { clock, limits, plugin } = parts;
		this.#parts = parts;
		this.#pacing = createPacing((message) => plugin.warn(message));
		this.#waking = createWaking(clock);
		this.#settle = createSettle(clock, limits, (since) => void this.#changed(since));
	}

	/** A file was written, appeared or went away, or may have; nothing happens when it is none of this plugin's. */
	heard(path: string): void {
		if (!this.#known.has(path)) return;
		this.#settle.touch();
		// Of two writes within a millisecond the system may tell the first alone.
		this.#checkLater();
	}

	/** Loads it for the first time; resolves when it serves, or is not going to, and that is told. */
	async begin(since: number): Promise<void> {
		this.#isBroken = true;
		this.#load([this.#parts.plugin.spec.path], since);
		// It may hang, and a save mend it.
		void this.#follow();
		await this.#newest.ended;
	}

	/** What it has loaded may be other files than before. */
	async refresh(): Promise<void> {
		if (this.#isBusy || this.#loads > 0 || this.#isOver) return;
		this.#isBroken = !serves(this.#parts.plugin.state);
		await this.#follow();
	}

	close(): void {
		this.#isOver = true;
		this.#settle.cancel();
		this.#cancelCheck();
		this.#waking.wake();
		this.#parts.watcher.watch(this.#parts.plugin.spec.path, []);
	}

	/** Watches what the plugin is made of now. */
	#follow(): Promise<void> {
		const following = this.#following.then(() => this.#followOnce());
		this.#following = following.catch(() => {});
		return following;
	}

	async #followOnce(): Promise<void> {
		const { plugin, watcher } = this.#parts;
		const modules = await this.#modules();
		const files = watchedFiles(plugin.spec, modules);
		for (const file of await linkedImports(modules)) files.add(file);
		// One that serves on although its new version failed depends on both.
		if (this.#isBroken) for (const file of await scanModules(plugin.spec)) files.add(file);
		if (this.#isOver) return;
		const fresh = [...files].filter((file) => !this.#known.has(file));
		watcher.watch(plugin.spec.path, files);
		const read = await fingerprintsOf(fresh);
		const since = this.#isBroken ? (this.#begunAt ?? plugin.launchedAt) : plugin.launchedAt;
		for (const file of fresh) {
			// What was written after the load had begun may be other than what was loaded, or what was missing.
			const isStale = since !== undefined && (await writtenAt(file)) > since;
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
		this.#waking.wake();
		if (this.#isBusy) return;
		this.#isBusy = true;
		while (this.#next !== undefined && !this.#isOver) {
			// A load that takes longer than it should is not waited for.
			await Promise.race([this.#newest.ended, this.#newest.overlong]);
			const next = this.#next;
			this.#next = undefined;
			await this.#look(next);
		}
		this.#isBusy = false;
	}

	async #look(since: number): Promise<void> {
		const { plugin, clock, limits } = this.#parts;
		let waiting: Waiting | undefined;
		for (;;) {
			const current = await fingerprintsOf(this.#known.keys());
			const dirty = differing(this.#known, current);
			// Whether it is gone for good is not for this to say.
			if (dirty.length === 0 || current.get(plugin.spec.path) === absent || this.#isOver) return;
			const isHalf = dirty.some((file) => halfSaved.has(current.get(file) ?? absent));
			if (isHalf && clock.now() < since + limits.goneMs) {
				await pause(clock, limits.settleMs);
				continue;
			}
			const contents = new Map(dirty.map((file) => [file, current.get(file) ?? absent]));
			// A load that takes longer than it should has nothing to do with a change: somebody mends it.
			const isLoading = this.#loads > 0 && !this.#isOverlong;
			waiting = this.#pacing.wait(contents, { since, isLoading, before: waiting }, clock.now());
			if (waiting.until > clock.now()) {
				// What was heard before it began is looked at at once.
				if (this.#next === undefined) await this.#waking.sleepUntil(waiting.until);
				this.#next = undefined;
				continue;
			}
			for (const [file, content] of contents) this.#known.set(file, content);
			if (!atRest.has(plugin.state)) this.#load(dirty, since);
			return;
		}
	}

	/** Loads it anew. Nobody waits here: a newer change may have another load take its place. */
	#load(files: string[], since: number): void {
		const { plugin } = this.#parts;
		const [before, served] = [plugin.ledger(), serves(plugin.state)];
		const { ended, overlong } = plugin.beginReload();
		this.#loads += 1;
		this.#begunAt = Date.now() - fileClockMs;
		this.#isOverlong = false;
		const newest = { ended: this.#end(ended, { files, since, before, served }), overlong };
		this.#newest = newest;
		void overlong.then(() => {
			if (newest === this.#newest) this.#isOverlong = true;
		});
	}

	async #end(ended: Reload["ended"], { files, since, before, served }: Loaded): Promise<void> {
		const { plugin, clock, report } = this.#parts;
		let isGivenUp = false;
		let error: BroodError | undefined;
		try {
			isGivenUp = (await ended) !== undefined;
		} catch (reason) {
			error = isBroodError(reason) ? reason : failure("internal", { reason: messageOf(reason), cause: reason });
		}
		this.#loads -= 1;
		this.#pacing.loaded(clock.now());
		if (isGivenUp) {
			// What came of them is told by the load that took its place; whoever reloads by hand tells it.
			if (this.#loads > 0) this.#givenUp.push(...files);
			return;
		}
		this.#isBroken = error !== undefined;
		const outcome = error === undefined ? (served ? "reload" : "ready") : serves(plugin.state) ? "kept" : "failed";
		const ms = clock.now() - since;
		const all = [...new Set([...this.#givenUp.splice(0), ...files])];
		const difference = differenceOf(before, plugin.ledger());
		// Somebody has stopped it meanwhile, who needs no report.
		if (!this.#isOver && !atRest.has(plugin.state)) {
			const why = error === undefined ? {} : { error };
			report({ plugin: plugin.spec.name, outcome, ms, files: all, ...difference, ...why });
		}
		await this.#follow();
	}
}

/** A load, and how things were before it. */
interface Loaded {
	files: string[];
	since: number;
	before: Capabilities;
	served: boolean;
}

/** Of a file about whose content, as the plugin loaded it, nothing is known. */
const unknown: Fingerprint = "unknown";

/** A file may be marked with a time so much earlier than that of its write. */
const fileClockMs = 5;

const halfSaved: ReadonlySet<Fingerprint> = new Set([absent, empty]);

/** Somebody wants it not to run. */
const atRest: ReadonlySet<PluginState> = new Set<PluginState>(["disabled", "shadowed", "stopped", "stopping"]);

function serves(state: PluginState): boolean {
	return state === "ready" || state === "unresponsive";
}

function pause(clock: Clock, ms: number): Promise<void> {
	return new Promise((resolve) => void clock.after(ms, resolve));
}
