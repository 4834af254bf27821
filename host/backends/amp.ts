import { agreedCodec } from "../../runtime/codec/ndjson.ts";
import { type ExitFacts, failure, type Stage } from "../../runtime/errors.ts";
import type { ClientInfo, CodecName, LinkMatch } from "../../runtime/protocol.ts";
import { type ContentBlock, type Json, type Kind, kinds } from "../../runtime/records.ts";
import { quick } from "../../runtime/schema/quick.ts";
import { startCountdown } from "../base/countdown.ts";
import type {
	BackendCall,
	BackendCallOptions,
	BackendEvent,
	BackendFacts,
	Capabilities,
} from "../contracts/backend.ts";
import type { StatusBoard } from "../contracts/services.ts";
import type { AmpBackend, AmpBackendParts } from "./amp-parts.ts";
import { serveAsks } from "./asks.ts";
import { createChildClock } from "./child-clock.ts";
import { type Connection, connect } from "./connection.ts";
import { startDeadline } from "./deadline.ts";
import { parseModules, parseParams } from "./door.ts";
import { readHello, unguarded } from "./hello.ts";
import { readyMsOf } from "./install.ts";
import { createListing, type Listing } from "./listing.ts";
import { explainExit, explainFailed, explainFetch, explainTimeout } from "./load-failure.ts";
import { withOutput } from "./load-output.ts";
import { withinLogRate } from "./log-rate.ts";
import { PluginCalls } from "./plugin-calls.ts";
import { rehearse } from "./rehearsal.ts";
import { endWhenSilent } from "./silence.ts";

/** Runs one Amp plugin in a child process that speaks "brood/1". */
export function createAmpBackend(parts: AmpBackendParts): AmpBackend {
	return new ChildBackend(parts);
}

class ChildBackend implements AmpBackend {
	readonly #parts: AmpBackendParts;
	readonly #calls: PluginCalls;
	readonly #times = createChildClock();
	readonly #exited = Promise.withResolvers<ExitFacts>();
	/** Settles once: the child said ready, or the load failed. */
	readonly #ready = Promise.withResolvers<void>();
	readonly #listing: Listing;
	readonly #status: StatusBoard;
	#connection: Connection | undefined;
	#clientInfo: ClientInfo | undefined;
	#codec: CodecName = "ndjson";
	#facts: BackendFacts = { form: "", guard: null, runtimeVersion: null };
	#stage: Stage = "spawn";
	/** When the child said hello, on its own clock. */
	#helloMs = 0;
	/** The first hello, being judged; a child need not wait for the answer before it goes on. */
	#hello: Promise<unknown> | undefined;
	#saidReady = false;
	#isStopping = false;
	#tookSpare = false;

	constructor(parts: AmpBackendParts) {
		this.#parts = { ...parts, events: withinLogRate(parts.events, parts.limits.text, this.exited) };
		this.#status = parts.services.status.open(parts.spec.name);
		this.#ready.promise.catch(() => {});
		const isEnding = () => this.#isStopping;
		this.#listing = createListing((kind) => this.#list(kind), parts.events, parts.limits.wire, isEnding);
		const connection = () => this.#connection;
		this.#calls = new PluginCalls({ plugin: parts.spec.name, listing: this.#listing, connection, isEnding });
	}

	get pid(): number | null {
		return this.#connection?.pid ?? null;
	}

	get exited(): Promise<ExitFacts> {
		return this.#exited.promise;
	}

	get tookSpare(): boolean {
		return this.#tookSpare;
	}

	facts(): BackendFacts {
		return this.#facts;
	}

	async start(signal: AbortSignal): Promise<Capabilities> {
		const { spec, limits } = this.#parts;
		const connection = this.#connect();
		const { launch } = connection;
		const readyMs = readyMsOf(launch, limits.load);
		const tooLate = () => this.#ready.reject(explainTimeout(spec, this.#stage, readyMs, connection.heard(), launch));
		const given = () => this.#ready.reject(failure("cancelled", { subject: "The start", plugin: spec.name }));
		const timer = startCountdown(readyMs, tooLate);
		signal.addEventListener("abort", given, { once: true });
		if (signal.aborted) given();
		try {
			await this.#ready.promise;
			this.#stage = "fetch";
			const capabilities = await this.#listing.first().catch((error: unknown) => {
				throw explainFetch(spec, error, limits.load.readyMs);
			});
			this.#status.show();
			endWhenSilent(connection, this.#parts);
			return capabilities;
		} catch (error) {
			throw await withOutput(error, connection, limits.load.exitDrainMs);
		} finally {
			timer.clear();
			signal.removeEventListener("abort", given);
			connection.release();
		}
	}

	call(call: BackendCall, options: BackendCallOptions): Promise<{ content: ContentBlock[] }> {
		return this.#calls.call(call, options);
	}

	emit(event: BackendEvent, options: BackendCallOptions): Promise<Json | undefined> {
		return this.#calls.emit(event, options);
	}

	links(text: string, options: BackendCallOptions): Promise<LinkMatch[]> {
		return this.#calls.links(text, options);
	}

	async modules(): Promise<string[]> {
		return parseModules(await this.#ask("module.list"));
	}

	async dispose(signal: AbortSignal): Promise<void> {
		this.#isStopping = true;
		this.#calls.cancelAll();
		await this.#connection?.call("dispose", {}, "dispose", { signal });
	}

	kill(signal: "SIGINT" | "SIGKILL", why?: string): void {
		if (this.#connection === undefined) this.#exited.resolve({ code: null, signal: null, stderrTail: "" });
		this.#connection?.kill(signal, why);
	}

	#connect(): Connection {
		const { spec, limits, watchdog, events, observe, spawn } = this.#parts;
		const launch = this.#parts.launch();
		this.#clientInfo = this.#parts.services.clientInfo(spec);
		const taken = this.#parts.spares?.take(launch);
		const spare = taken?.spare;
		this.#tookSpare = spare !== undefined;
		this.#times.start(spare?.sinceMs);
		events.fact("found", this.#times.now());
		const owner = { plugin: spec.name, launch, log: events.log, observe };
		const connection = connect({ ...owner, ...taken, limits, watchdog, spawn });
		this.#connection = connection;
		this.#facts = {
			...this.#facts,
			form: launch.form,
			...(spare === undefined || spare.sinceMs !== undefined ? {} : { spare: true }),
		};
		events.fact("spawned", spare?.sinceMs === undefined ? this.#times.spawned() : 0);
		this.#stage = "client.info";
		// While the child starts there is nothing else to do.
		void rehearse(this.#clientInfo);
		void connection.exited.then((exit) => {
			// A child that told why it failed has settled this before.
			this.#ready.reject(explainExit(spec, this.#stage, exit, connection.heard()));
			if (connection.heard().messages === 0) launch.mute?.();
			this.#exited.resolve(exit);
			this.#status.close();
		});
		this.#hear(connection);
		serveAsks(connection.peer, {
			...this.#parts,
			status: this.#status,
			asking: connection.asking,
			dialog: (call) => this.#calls.dialog(call),
		});
		return connection;
	}

	/** The part of the conversation that makes the load: hello, stages, ready or failed, changes, logs. */
	#hear(connection: Connection): void {
		const { peer } = connection;
		const { events, limits, spec } = this.#parts;
		connection.greet((params) => this.#greet(params));
		peer.listen("runtime.stage", (params) => {
			if (!quick.stage(params)) return this.#malformed("runtime.stage", params);
			this.#stage = params.stage;
			const ms = this.#times.sinceSpawn(params.ms);
			if (params.stage !== "activate") return;
			// By what this message shows of its clock it may have said hello earlier.
			if (this.#helloMs > 0) events.fact("clientInfo", this.#times.sinceSpawn(this.#helloMs));
			events.fact("imported", ms);
			events.fact("activated", ms);
		});
		peer.listen("runtime.ready", (params) => {
			if (!quick.ready(params)) return this.#malformed("runtime.ready", params);
			if (this.#saidReady) {
				// What it lists may be news all the same.
				this.#listing.changedAll(params.lists ?? {});
				return this.#malformed("runtime.ready", "it was said before");
			}
			if (this.#hello === undefined) {
				const reason = "it said runtime.ready before client.info";
				return this.#ready.reject(failure("load_failed", { plugin: spec.name, stage: "client.info", reason }));
			}
			this.#saidReady = true;
			connection.speak(this.#codec);
			this.#stage = "ready";
			this.#listing.given(params.lists ?? {});
			const { imported, activated, registered, ready } = params.timings;
			this.#times.sinceSpawn(ready);
			events.fact("clientInfo", this.#times.sinceSpawn(this.#helloMs));
			events.fact("imported", this.#times.sinceSpawn(imported));
			events.fact("activated", this.#times.sinceSpawn(activated));
			events.fact("registered", this.#times.sinceSpawn(registered));
			events.fact("ready", this.#times.now());
			this.#settle(this.#hello);
		});
		peer.listen("runtime.failed", (params) => {
			// The exit that follows must not speak first while the places in the sources are read.
			const told = parseParams("runtime.failed", params).then((failed) =>
				explainFailed(spec, failed, limits.text.errorTextCharsMax, this.#connection?.launch),
			);
			this.#settle(told.then((error) => Promise.reject(error)));
		});
		peer.listen("log", (params) => {
			if (!quick.log(params)) return this.#malformed("log", params);
			events.log({ source: "plugin", level: params.level, message: params.message });
		});
		peer.listen("modules.changed", events.loadedMore);
		peer.listen("validation.found", (params) => this.#parts.examined?.(params));
		for (const kind of kinds) {
			peer.listen(`${kind}s.changed`, () => this.#listing.changed(kind));
		}
	}

	/** Answers hello, also one that is said again or that tells nothing of the child. */
	async #greet(params: unknown = {}): Promise<ClientInfo> {
		const { spec, services, events } = this.#parts;
		const hello = readHello(spec, params);
		hello.catch(this.#ready.reject);
		const isFirst = this.#hello === undefined;
		// What is said right behind it must not come first.
		this.#hello = Promise.all([this.#hello, hello]);
		this.#hello.catch(() => {});
		const { guard = null, runtimeVersion = null, ms = this.#times.now(), codecs, spare } = await hello;
		this.#facts = { ...this.#facts, guard, runtimeVersion };
		if (isFirst) {
			this.#helloMs = ms;
			events.fact("clientInfo", this.#times.sinceSpawn(ms));
			if (guard === "console") events.log({ source: "host", level: "warn", message: unguarded });
		}
		this.#codec = agreedCodec(codecs);
		// One that waited has its plugin now; it does not tell what goes without saying.
		if (spare) this.#stage = "import";
		return { ...(this.#clientInfo ?? services.clientInfo(spec)), codec: this.#codec };
	}

	/** Ends the load as this ends, unless it has ended: nobody listens then to what a child says of it. */
	#settle(outcome: Promise<unknown>): void {
		const settled = outcome.then(() => {});
		settled.catch(() => {});
		this.#ready.resolve(settled);
	}

	#list(kind: Kind): Promise<unknown> {
		return this.#ask(`${kind}.list`);
	}

	async #ask(subject: string): Promise<unknown> {
		const ms = this.#parts.limits.load.readyMs;
		const { signal, clear } = startDeadline(ms, () => failure("timeout", { subject, ms }));
		return this.#connection?.call(subject, {}, subject, { signal }).finally(clear);
	}

	#malformed(method: string, params: unknown): void {
		const message = `the notification ${method} is not what it should be: ${JSON.stringify(params)?.slice(0, 200)}`;
		this.#parts.events.log({ source: "host", level: "warn", message });
	}
}
