import { type ExitFacts, failure, type Stage } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Frame, Peer } from "../../runtime/peer.ts";
import { type ClientInfo, protocolVersion } from "../../runtime/protocol.ts";
import { type ContentBlock, type Json, type Kind, kinds } from "../../runtime/records.ts";
import { quick } from "../../runtime/schema/quick.ts";
import type { Clock } from "../base/clock.ts";
import type {
	Backend,
	BackendCall,
	BackendCallOptions,
	BackendEvent,
	BackendEvents,
	BackendFacts,
	Capabilities,
} from "../contracts/backend.ts";
import type { HostServices, Launch, StatusBoard } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { serveAsks } from "./asks.ts";
import { createCallClocks } from "./call-clocks.ts";
import { type Connection, connect } from "./connection.ts";
import { startTimer } from "./deadline.ts";
import { parseAnswer, parseContent, parseParams } from "./door.ts";
import { createListing, type Listing } from "./listing.ts";
import { watchLiveness } from "./liveness.ts";
import { explainExit, explainFailed, explainFetch, explainIncompatible, explainTimeout } from "./load-failure.ts";
import { rehearse } from "./rehearsal.ts";
import type { Watchdog } from "./watchdog.ts";

export interface AmpBackendParts {
	spec: PluginSpec;
	/** How to start the child. @throws BroodError `launch_failed` */
	launch(): Launch;
	services: HostServices;
	events: BackendEvents;
	limits: Limits;
	clock: Clock;
	watchdog: Watchdog;
	/** Sees every message on the wire. */
	observe?: ((frame: Frame) => void) | undefined;
}

/** Runs one Amp plugin in a child process that speaks "brood/1". */
export function createAmpBackend(parts: AmpBackendParts): Backend {
	return new AmpBackend(parts);
}

class AmpBackend implements Backend {
	readonly #parts: AmpBackendParts;
	readonly #clocks = createCallClocks();
	readonly #exited = Promise.withResolvers<ExitFacts>();
	/** Settles once: the child said ready, or the load failed. */
	readonly #ready = Promise.withResolvers<void>();
	readonly #listing: Listing;
	readonly #status: StatusBoard;
	#connection: Connection | undefined;
	#clientInfo: ClientInfo | undefined;
	#facts: BackendFacts = { form: "", guard: null, runtimeVersion: null };
	#stage: Stage = "spawn";
	#spawnedAt = 0;
	/** Milliseconds between the spawn and the zero of the child's clock: the least that a message has shown. */
	#childClock = Number.POSITIVE_INFINITY;
	/** When the child said hello, on its own clock. */
	#helloMs = 0;
	#greeted = false;

	constructor(parts: AmpBackendParts) {
		this.#parts = parts;
		this.#status = parts.services.status.open(parts.spec.name);
		this.#ready.promise.catch(() => {});
		this.#listing = createListing((kind) => this.#list(kind), parts.events);
	}

	get pid(): number | null {
		return this.#connection?.pid ?? null;
	}

	get exited(): Promise<ExitFacts> {
		return this.#exited.promise;
	}

	facts(): BackendFacts {
		return this.#facts;
	}

	async start(signal: AbortSignal): Promise<Capabilities> {
		const { spec, limits } = this.#parts;
		const connection = this.#connect();
		const tooLate = () => this.#ready.reject(explainTimeout(spec, this.#stage, limits.load.readyMs));
		const given = () => this.#ready.reject(failure("cancelled", { subject: "The start", plugin: spec.name }));
		const timer = startTimer(tooLate, limits.load.readyMs);
		signal.addEventListener("abort", given, { once: true });
		if (signal.aborted) given();
		try {
			await this.#ready.promise;
			this.#stage = "fetch";
			const capabilities = await this.#listing.first().catch((error: unknown) => {
				throw explainFetch(spec, error, limits.load.readyMs);
			});
			this.#status.show();
			this.#watchLiveness(connection);
			return capabilities;
		} finally {
			clearTimeout(timer);
			signal.removeEventListener("abort", given);
			connection.release();
		}
	}

	async call(call: BackendCall, options: BackendCallOptions): Promise<{ content: ContentBlock[] }> {
		const thread = call.threadID === null ? null : { id: call.threadID };
		if (call.kind === "tool") {
			const params = { name: call.name, input: call.input, thread };
			return parseContent(await this.#send("tool.execute", params, `tool "${call.name}"`, options));
		}
		await this.#send("command.execute", { id: call.id, thread }, `command "${call.id}"`, options);
		return { content: [] };
	}

	async emit({ name, handler, payload }: BackendEvent, options: BackendCallOptions): Promise<Json | undefined> {
		const params = { event: name, handler, payload };
		const result = await this.#send("event.dispatch", params, `its handler of ${name}`, options);
		return (await parseAnswer(result)).answer;
	}

	async dispose(signal: AbortSignal): Promise<void> {
		await this.#connection?.call("dispose", {}, "dispose", { signal });
	}

	kill(signal: "SIGINT" | "SIGKILL"): void {
		if (this.#connection === undefined) this.#exited.resolve({ code: null, signal: null, stderrTail: "" });
		this.#connection?.kill(signal);
	}

	async #send(method: string, params: unknown, subject: string, { signal, timeoutMs }: BackendCallOptions) {
		const plugin = this.#parts.spec.name;
		const connection = this.#connection;
		if (connection === undefined) throw failure("plugin_not_ready", { plugin, reason: "it was never started" });
		const late = () => failure("timeout", { plugin, subject, ms: timeoutMs ?? 0 });
		const clock = this.#clocks.start(timeoutMs, late, signal);
		try {
			const answer = await connection.call(method, params, subject, { signal: clock.signal, sent: clock.sent });
			// What the handler registered is visible to whoever has its answer.
			await this.#listing.settled();
			return answer;
		} finally {
			clock.clear();
		}
	}

	#connect(): Connection {
		const { spec, limits, watchdog, events, observe } = this.#parts;
		const launch = this.#parts.launch();
		const clientInfo = this.#parts.services.clientInfo(spec);
		this.#clientInfo = clientInfo;
		this.#spawnedAt = performance.now();
		events.fact("found", 0);
		const connection = connect({
			plugin: spec.name,
			launch,
			limits,
			watchdog,
			line: (message) => events.log({ source: "output", level: "info", message }),
			problem: (message) => events.log({ source: "host", level: "warn", message }),
			observe,
		});
		this.#connection = connection;
		this.#facts = { ...this.#facts, form: launch.form };
		events.fact("spawned", this.#now());
		this.#stage = "client.info";
		// While the child starts there is nothing else to do.
		void rehearse(clientInfo);
		void connection.exited.then((exit) => {
			// A child that told why it failed has settled this before.
			this.#ready.reject(explainExit(spec, this.#stage, exit));
			this.#exited.resolve(exit);
			this.#status.close();
		});
		this.#hear(connection.peer);
		serveAsks(connection.peer, {
			spec,
			services: this.#parts.services,
			status: this.#status,
			dialog: (call) => this.#clocks.dialog(call),
		});
		return connection;
	}

	/** The part of the conversation that makes the load: hello, stages, ready or failed, changes, logs. */
	#hear(peer: Peer): void {
		const { events, spec } = this.#parts;
		peer.handle("client.info", (params) => this.#greet(params));
		peer.listen("runtime.stage", (params) => {
			if (!quick.stage(params)) return this.#malformed("runtime.stage", params);
			this.#stage = params.stage;
			const ms = this.#sinceSpawn(params.ms);
			if (params.stage !== "activate") return;
			events.fact("imported", ms);
			events.fact("activated", ms);
		});
		peer.listen("runtime.ready", (params) => {
			if (!quick.ready(params)) return this.#malformed("runtime.ready", params);
			if (!this.#greeted) {
				const reason = "it said runtime.ready before client.info";
				return this.#ready.reject(failure("load_failed", { plugin: spec.name, stage: "client.info", reason }));
			}
			this.#stage = "ready";
			const { imported, activated, registered, ready } = params.timings;
			this.#sinceSpawn(ready);
			events.fact("clientInfo", this.#sinceSpawn(this.#helloMs));
			events.fact("imported", this.#sinceSpawn(imported));
			events.fact("activated", this.#sinceSpawn(activated));
			events.fact("registered", this.#sinceSpawn(registered));
			events.fact("ready", this.#now());
			this.#ready.resolve();
		});
		peer.listen("runtime.failed", (params) => {
			// The exit that follows must not speak first while the places in the sources are read.
			const told = parseParams("runtime.failed", params).then((failed) => explainFailed(spec, failed));
			this.#ready.resolve(told.then((error) => Promise.reject(error)));
		});
		peer.listen("log", (params) => {
			if (!quick.log(params)) return this.#malformed("log", params);
			events.log({ source: "plugin", level: params.level, message: params.message });
		});
		for (const kind of kinds) {
			peer.listen(`${kind}s.changed`, () => this.#listing.changed(kind));
		}
	}

	/** Answers hello, also one that is said again or that tells nothing of the child. */
	async #greet(params: unknown = {}): Promise<ClientInfo> {
		const { spec, services, events } = this.#parts;
		const info = quick.clientInfo(params) ? params : await parseParams("client.info", params);
		const { protocol = protocolVersion, guard = null, runtimeVersion = null, ms = this.#now() } = info;
		const incompatible = explainIncompatible(spec, protocol);
		if (incompatible !== undefined) {
			this.#ready.reject(incompatible);
			throw incompatible;
		}
		this.#facts = { ...this.#facts, guard, runtimeVersion };
		if (!this.#greeted) {
			this.#greeted = true;
			this.#helloMs = ms;
			events.fact("clientInfo", this.#sinceSpawn(ms));
		}
		return this.#clientInfo ?? services.clientInfo(spec);
	}

	#watchLiveness(connection: Connection): void {
		const { events, limits, clock } = this.#parts;
		const end = watchLiveness({
			ping: () => connection.peer.call("ping", {}, { urgent: true }),
			limits: limits.liveness,
			clock,
			listener: {
				silent: () => events.responsive(false),
				answered: () => events.responsive(true),
				givenUp: () => {
					const message = `it did not answer for ${limits.liveness.giveUpMs} ms and was killed`;
					events.log({ source: "host", level: "error", message });
					connection.kill("SIGKILL");
				},
			},
		});
		void connection.exited.then(end);
	}

	async #list(kind: Kind): Promise<unknown> {
		const timeoutMs = this.#parts.limits.load.readyMs;
		return this.#connection?.call(`${kind}.list`, {}, `${kind}.list`, { timeoutMs });
	}

	#malformed(method: string, params: unknown): void {
		const message = `the notification ${method} is not what it should be: ${JSON.stringify(params)?.slice(0, 200)}`;
		this.#parts.events.log({ source: "host", level: "warn", message });
	}

	/** A moment of the child's clock in milliseconds since the spawn. A host that was busy hears late, so the least wins. */
	#sinceSpawn(ms: number): number {
		this.#childClock = Math.min(this.#childClock, this.#now() - ms);
		return ms + this.#childClock;
	}

	#now(): number {
		return performance.now() - this.#spawnedAt;
	}
}
