import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Items, Kind } from "../../runtime/records.ts";
import { describeExit, quoteTail } from "../backends/load-failure.ts";
import { isAsleep } from "../base/process-state.ts";
import type { Backend } from "../contracts/backend.ts";
import { createInstance, type Instance } from "./instance.ts";
import { decide, type Machine, type MachineEffect, type MachineEvent, newMachine, type RestState } from "./machine.ts";
import { tellStep } from "./story.ts";
import type { SupervisorParts } from "./supervisor-parts.ts";
import { terminate } from "./terminate.ts";

/** Performs what the machine decides, for one plugin. */
export class Supervisor {
	readonly #parts: SupervisorParts;
	#machine: Machine;
	#current: Instance | undefined;
	/** All whose process may run: the current one, one being prepared, those being replaced. */
	readonly #instances = new Set<Instance>();
	/** Ends of processes that are under way. */
	readonly #ending = new Set<Promise<unknown>>();
	#cancelBackoff: () => void = () => {};
	/** When what serves was published. */
	#servesSince = 0;
	/** Counts what people asked for, so that a wish that waited knows whether it is still the last one. */
	#wish = 0;
	#stops = 0;
	#settled: (() => void)[] = [];

	constructor(parts: SupervisorParts) {
		this.#parts = parts;
		this.#machine = newMachine(parts.initialState, parts.initialError);
	}

	get machine(): Machine {
		return this.#machine;
	}

	/** How often somebody wanted it to stop. */
	get stops(): number {
		return this.#stops;
	}

	/** The launch that serves, or served last. */
	get instance(): Instance | undefined {
		return this.#current;
	}

	/** Starts the plugin unless it runs; resolves when it is ready, or is not going to be. */
	async start(): Promise<void> {
		const wish = ++this.#wish;
		if (this.#machine.state === "stopping") {
			await Promise.all(this.#ending);
			if (wish !== this.#wish) return;
		}
		this.#dispatch({ type: "start" });
		await this.#whenSettled();
	}

	/** As `start`, but what is being loaded is given up for a load that begins now. */
	startAnew(): Promise<void> {
		const { state } = this.#machine;
		if (state !== "starting") return this.start();
		this.#wish += 1;
		this.#tellGivenUp();
		this.#dispatch({ type: "start_anew" });
		return this.#whenSettled();
	}

	/** Stops the plugin; resolves when every process of it has ended. */
	async stop(target: RestState = "stopped"): Promise<void> {
		this.#wish += 1;
		this.#stops += 1;
		this.#dispatch({ type: "stop", target });
		for (const instance of this.#instances) {
			if (instance === this.#current) continue;
			// One that was replaced need not finish its calls; one that was to take the place, loaded or not, is not wanted.
			if (instance.idle !== undefined) instance.idle();
			else void this.#terminate(instance, false);
		}
		await Promise.all(this.#ending);
	}

	/** Kills every process of the plugin at once, without waiting. */
	kill(): void {
		for (const instance of this.#instances) instance.backend.kill("SIGKILL", "the host ends");
	}

	/** Uses the running instance. @throws BroodError `plugin_not_ready` */
	use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result> {
		const instance = this.#current;
		const { state, error } = this.#machine;
		if (instance === undefined || (state !== "ready" && state !== "unresponsive")) {
			const reason = `its state is ${state}${error === undefined ? "" : ` (${error.message})`}`;
			return Promise.reject(failure("plugin_not_ready", { plugin: this.#parts.plugin, reason, cause: error }));
		}
		const result = task(instance.backend);
		instance.calls += 1;
		const ended = () => {
			instance.calls -= 1;
			if (instance.calls === 0) instance.idle?.();
		};
		// Heard before whoever waits for the result goes on, who is spared a promise of its own.
		result.then(ended, ended);
		return result;
	}

	/**
	 * Loads a second instance beside the running one.
	 *
	 * @param superseded aborts when a newer load takes the place of this one
	 * @throws BroodError of its load; the running one serves on
	 */
	async prepare(superseded?: AbortSignal): Promise<Instance> {
		const instance = this.#create();
		const giveUp = () => {
			if (instance === this.#current || instance.ending !== undefined) return;
			this.#tellGivenUp();
			void this.#terminate(instance, false);
		};
		superseded?.addEventListener("abort", giveUp, { once: true });
		try {
			await this.#load(instance);
			return instance;
		} catch (error) {
			this.#terminate(instance, false);
			throw error;
		}
	}

	/** Puts a prepared instance in the place of the running one, which ends when its calls are done. */
	adopt(instance: Instance): boolean {
		// A stop has ended it since, and what was started after that stop is not to be replaced by it.
		if (instance.ending !== undefined) return false;
		const old = this.#current;
		const before = this.#machine;
		this.#current = instance;
		this.#dispatch({ type: "swapped" });
		if (this.#machine === before) {
			this.#current = old;
			this.#terminate(instance, false);
			return false;
		}
		this.#watch(instance);
		if (old?.loaded) this.#track(this.#retire(old));
		else if (old !== undefined) void this.#terminate(old, false);
		return true;
	}

	#dispatch(event: MachineEvent): void {
		const before = this.#machine;
		const { machine, effects } = decide(before, event, this.#parts.limits.restart);
		this.#machine = machine;
		for (const effect of effects) this.#perform(effect);
		if (machine === before) return;
		this.#parts.state(machine);
		this.#tell(event, machine, effects);
		if (machine.state === "starting" || machine.state === "stopping") return;
		for (const settled of this.#settled.splice(0)) settled();
	}

	/** Leaves in the plugin's log what its failures alone do not tell. */
	#tell({ type }: MachineEvent, { launches }: Machine, effects: readonly MachineEffect[]): void {
		const { retriesMax } = this.#parts.limits.restart;
		const backoff = effects.find((effect) => effect.type === "arm_backoff");
		const entry =
			backoff !== undefined
				? tellStep({ type: "restarts", restart: launches, restartsMax: retriesMax, ms: backoff.ms })
				: type === "loaded"
					? tellStep({ type: "ready", launches })
					: undefined;
		if (entry !== undefined) this.#parts.log(entry);
	}

	#tellGivenUp(): void {
		const entry = tellStep({ type: "given_up" });
		if (entry !== undefined) this.#parts.log(entry);
	}

	#perform(effect: MachineEffect): void {
		const instance = this.#current;
		switch (effect.type) {
			case "launch":
				return this.#launch();
			case "publish":
				if (instance === undefined) return;
				this.#servesSince = this.#parts.clock.now();
				this.#parts.publish(instance.capabilities);
				return instance.published();
			case "withdraw":
				return this.#parts.withdraw();
			case "arm_backoff":
				this.#cancelBackoff = this.#parts.clock.after(effect.ms, () => this.#dispatch({ type: "backoff_over" }));
				return;
			case "cancel_backoff":
				return this.#cancelBackoff();
			case "terminate":
				if (instance === undefined) return;
				void this.#track(
					this.#terminate(instance, effect.graceful).then(() => {
						if (instance === this.#current) this.#dispatch({ type: "ended" });
					}),
				);
		}
	}

	#launch(): void {
		const instance = this.#create();
		this.#current = instance;
		this.#load(instance).then(
			() => {
				if (instance !== this.#current) return;
				this.#dispatch({ type: "loaded" });
				this.#watch(instance);
			},
			(error) => instance === this.#current && this.#dispatch({ type: "load_failed", error: asBroodError(error) }),
		);
	}

	/** From the moment that an instance serves, its end is a crash; one that has ended already crashes at once. */
	#watch(instance: Instance): void {
		void instance.backend.exited.then((exit) => {
			if (instance !== this.#current) return;
			const reason = `${describeExit(exit)}${quoteTail(exit)}`;
			// Its calls hear of the end after this.
			const stage = instance.calls > 0 ? "call" : "ready";
			const error = failure("plugin_exited", { plugin: this.#parts.plugin, stage, exit, reason });
			this.#dispatch({ type: "crashed", error, servedMs: this.#parts.clock.now() - this.#servesSince });
		});
	}

	#create(): Instance {
		const { createBackend, fact, log, clock } = this.#parts;
		const changed = <K extends Kind>(instance: Instance, kind: K, items: Items[K][]) => {
			const { state } = this.#machine;
			if (instance === this.#current && (state === "ready" || state === "unresponsive"))
				this.#parts.changed(kind, items);
		};
		const responsive = (instance: Instance, isResponsive: boolean) => {
			if (instance === this.#current) this.#dispatch({ type: isResponsive ? "answered" : "silent" });
		};
		const loadedMore = (instance: Instance) => instance === this.#current && this.#parts.loadedMore();
		const instance = createInstance(createBackend, { fact, log, changed, loadedMore, responsive }, clock.now);
		this.#instances.add(instance);
		void instance.backend.exited.then(() => this.#instances.delete(instance));
		return instance;
	}

	async #load(instance: Instance): Promise<void> {
		const { signal } = instance.abort;
		const start = () => {
			signal.throwIfAborted();
			return instance.backend.start(signal);
		};
		instance.capabilities = await this.#parts.gate.run(start, () => isAsleep(instance.backend.pid));
		instance.loaded = true;
	}

	/** Lets a replaced instance finish its calls, then ends it. */
	async #retire(instance: Instance): Promise<void> {
		if (instance.calls > 0) {
			const { promise, resolve } = Promise.withResolvers<void>();
			instance.idle = resolve;
			const cancel = this.#parts.clock.after(this.#parts.limits.stop.drainMs, resolve);
			this.#parts.hurry.addEventListener("abort", () => resolve(), { once: true });
			await Promise.race([promise, instance.backend.exited]);
			cancel();
		}
		await this.#terminate(instance, true);
	}

	#terminate(instance: Instance, graceful: boolean): Promise<unknown> {
		instance.abort.abort(failure("cancelled", { subject: "The start", plugin: this.#parts.plugin }));
		const problem = (message: string) => this.#parts.log({ source: "host", level: "warn", message });
		const { hurry, limits } = this.#parts;
		const options = { graceful: graceful && instance.responsive, limits: limits.stop, hurry, problem };
		instance.ending ??= this.#track(terminate(instance.backend, options));
		return instance.ending;
	}

	#track(ending: Promise<unknown>): Promise<unknown> {
		this.#ending.add(ending);
		return ending.finally(() => this.#ending.delete(ending));
	}

	#whenSettled(): Promise<void> {
		const { state } = this.#machine;
		if (state !== "starting" && state !== "stopping") return Promise.resolve();
		return new Promise((resolve) => this.#settled.push(resolve));
	}
}

function asBroodError(error: unknown): BroodError {
	return isBroodError(error) ? error : failure("internal", { reason: messageOf(error), cause: error });
}
