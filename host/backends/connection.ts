import { type ExitFacts, failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type CallOptions, createPeer, type Frame, type Handler, type Peer } from "../../runtime/peer.ts";
import type { CodecName } from "../../runtime/protocol.ts";
import { type Allowance, createAllowance } from "../base/allowance.ts";
import type { BackendLog } from "../contracts/backend.ts";
import type { Launch } from "../contracts/services.ts";
import { explainCall } from "./call-failure.ts";
import { ChildWire } from "./child-wire.ts";
import { describeExit, type Heard } from "./load-failure.ts";
import { type ChildProcess, spawnChild, within } from "./process.ts";
import type { Spare } from "./spare.ts";
import type { Watchdog } from "./watchdog.ts";
import { createWireReport, type WireReport } from "./wire-report.ts";

/** A child process and the wire to it. */
export interface Connection {
	readonly pid: number;
	readonly launch: Launch;
	readonly peer: Peer;
	/** What may be spent on the plugin's own calls; sending their answers counts already. */
	readonly asking: Allowance;
	/** Resolves once with how it ended, after its last words were heard. */
	readonly exited: Promise<ExitFacts>;
	/** The end of what it has written to stderr so far. */
	stderrTail(): string;
	/**
	 * Calls the child; `subject` names the call in errors. This program does not end by itself meanwhile.
	 * @throws BroodError `plugin_exited` with exit facts when the process ends first, else what Peer.call throws, with
	 * plugin and subject
	 */
	call(method: string, params: unknown, subject: string, options?: CallOptions): Promise<unknown>;
	/** Writes in the codec of this name from now on: the child has said that it reads it. */
	speak(codec: CodecName): void;
	/** Lets this answer hello, which may have come before. */
	greet(answer: Handler): void;
	/** What it said so far. */
	heard(): Heard;
	/** Signals the group; a plugin may handle SIGINT, and still ask, as long as its process runs. The exit tells why. */
	kill(signal: "SIGINT" | "SIGKILL", why?: string): void;
	/** This program does not end by itself until released as often. */
	hold(): void;
	release(): void;
	/** How much of what came was no message. */
	readonly noises: number;
	/** What `call` rejects with when `peer.call` did with this error; `noises` is what there were before it. */
	explain(error: unknown, subject: string, noises: number): Promise<unknown>;
}

/** The wire to a child that has no plugin yet. */
export interface EarlyConnection extends Connection {
	/** Gives it to a plugin, which hears what was said so far. */
	give(owner: ConnectionOwner): void;
}

export interface ConnectionOwner {
	plugin: string;
	launch: Launch;
	/** Hears the lines that the process prints, and what is wrong with what the child says. */
	log(entry: BackendLog): void;
	observe?: ((frame: Frame) => void) | undefined;
}

export interface ConnectOptions extends ConnectionOwner {
	/** The process to use; one is spawned when there is none. */
	spare?: Spare | undefined;
	spawn?: typeof spawnChild | undefined;
	/** The wire to it, where that is open already. */
	early?: EarlyConnection | undefined;
	limits: Limits;
	watchdog: Watchdog;
}

const earlyMax = 10;

// A child that closed its end of the wire is about to exit; one that does not is ended.
const exitAfterCloseMs = 500;

/** Opens the wire to a child, which is spawned unless one waits for a plugin. @throws BroodError `launch_failed` */
export function connect(options: ConnectOptions): Connection {
	const line = (message: string) => options.log({ source: "output", level: "info", message });
	const { spare, spawn = spawnChild } = options;
	const child = spare?.child ?? spawn({ ...options, line });
	const connection = options.early ?? new ChildConnection(options, child, spare?.received);
	spare?.give(line);
	connection.give(options);
	return connection;
}

/** Opens the wire to a child before there is a plugin for it; what it prints waits with the spare. */
export function connectEarly(spare: Spare, limits: Limits): EarlyConnection {
	return new ChildConnection({ launch: spare.launch, limits }, spare.child, spare.received);
}

class ChildConnection implements EarlyConnection {
	readonly peer: Peer;
	readonly asking: Allowance;
	readonly exited: Promise<ExitFacts>;
	readonly #launch: Launch;
	readonly #child: ChildProcess;
	readonly #report: WireReport;
	readonly #wire: ChildWire;
	readonly #answerer = Promise.withResolvers<Handler>();
	#owner: ConnectionOwner | undefined;
	/** What is to be told to the owner. */
	#early: ((owner: ConnectionOwner) => void)[] = [];
	#messages = 0;
	#endedFor: string | undefined;

	constructor(
		{ launch, limits }: Pick<ConnectOptions, "launch" | "limits">,
		child: ChildProcess,
		received?: Uint8Array[],
	) {
		const problem = (message: string) => this.#tell((owner) => owner.log({ source: "host", level: "warn", message }));
		this.#launch = launch;
		this.#child = child;
		this.#report = createWireReport(problem);
		this.asking = createAllowance(limits.wire.askingMsPerSecondMax);
		this.#wire = new ChildWire({ wire: child.wire, received, limits: limits.wire }, this.asking);
		this.peer = createPeer((listener) => this.#wire.open(listener), {
			pendingCallsMax: limits.wire.pendingCallsMax,
			runningBytesMax: limits.wire.askedBytesMax,
			unsentAnswersMax: limits.wire.unsentAnswersMax,
			errorTextCharsMax: limits.text.errorTextCharsMax,
			problem: this.#report.problem,
			noise: this.#report.noise,
			observe: (frame) => this.#observe(frame),
		});
		this.peer.handle("client.info", async (params, context) => (await this.#answerer.promise)(params, context));
		this.exited = this.#end(limits.load.exitDrainMs);
		void this.peer.closed.then(() => this.#endChild(problem));
	}

	get pid(): number {
		return this.#child.pid;
	}

	/** Of an end before there is one nobody hears. */
	get #plugin(): string {
		return this.#owner?.plugin ?? "";
	}

	get launch(): Launch {
		return this.#owner?.launch ?? this.#launch;
	}

	give(owner: ConnectionOwner): void {
		this.#owner = owner;
		// The channel begins to read in a microtask; held before that, the child would be held for good.
		queueMicrotask(this.#child.hold);
		for (const tell of this.#early.splice(0)) tell(owner);
	}

	greet(answer: Handler): void {
		this.peer.handle("client.info", answer);
		this.#answerer.resolve(answer);
	}

	stderrTail(): string {
		return this.#child.stderrTail();
	}

	get noises(): number {
		return this.#report.noises;
	}

	async call(method: string, params: unknown, subject: string, options?: CallOptions): Promise<unknown> {
		const { noises } = this;
		this.hold();
		try {
			return await this.peer.call(method, params, options);
		} catch (error) {
			throw await this.explain(error, subject, noises);
		} finally {
			this.release();
		}
	}

	explain(error: unknown, subject: string, noises: number): Promise<unknown> {
		const { broken } = this.#wire;
		const noise = this.#report.quote(noises);
		return explainCall(error, { plugin: this.#plugin, subject, exited: this.exited, broken, noise });
	}

	speak(codec: CodecName): void {
		this.#wire.speak(codec);
	}

	heard(): Heard {
		return { messages: this.#messages, noise: this.#report.quote(0) };
	}

	kill(signal: "SIGINT" | "SIGKILL", why?: string): void {
		this.#endedFor ??= why;
		// Until the process has ended, this program stays to see it.
		this.#child.hold();
		this.#child.kill(signal);
		if (signal === "SIGKILL") this.peer.close(failure("channel_closed", { reason: "the plugin was killed" }));
	}

	hold(): void {
		this.#child.hold();
	}

	release(): void {
		this.#child.release();
	}

	#observe(frame: Frame): void {
		if (frame.direction === "in") this.#messages += 1;
		this.#tell((owner) => owner.observe?.(frame));
	}

	#tell(tell: (owner: ConnectionOwner) => void): void {
		if (this.#owner !== undefined) return tell(this.#owner);
		this.#early.push(tell);
		// It has one line to say before it has a plugin.
		if (this.#early.length > earlyMax) this.#child.kill("SIGKILL");
	}

	async #end(drainMs: number): Promise<ExitFacts> {
		const ended = await this.#child.exited;
		const exit: ExitFacts = { ...ended, ...(this.#endedFor === undefined ? {} : { endedFor: this.#endedFor }) };
		// Its last words may be on their way; what it left behind may hold the pipe open for ever.
		await within(this.peer.closed, drainMs);
		this.peer.close(failure("plugin_exited", { plugin: this.#plugin, exit, reason: describeExit(exit) }));
		return exit;
	}

	/** The wire has ended. */
	#endChild(problem: (text: string) => void): void {
		const { broken } = this.#wire;
		if (broken !== undefined) problem(`the connection was ended: ${broken.message}`);
		const timer = setTimeout(() => this.#child.kill("SIGKILL"), broken === undefined ? exitAfterCloseMs : 0);
		timer.unref();
		void this.#child.exited.then(() => clearTimeout(timer));
	}
}
