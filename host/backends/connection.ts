import {
	type ByteChannel,
	type ByteChannelOptions,
	type Channel,
	type ChannelListener,
	openByteChannel,
} from "../../runtime/channel.ts";
import { codecOf, ndjson } from "../../runtime/codec/ndjson.ts";
import { type BroodError, type ExitFacts, failure, isBroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type CallOptions, createPeer, type Frame, type Peer } from "../../runtime/peer.ts";
import type { CodecName } from "../../runtime/protocol.ts";
import { type Allowance, createAllowance } from "../base/allowance.ts";
import type { Launch } from "../contracts/services.ts";
import { explainCall } from "./call-failure.ts";
import { describeExit, type Heard } from "./load-failure.ts";
import { lag, spawnChild } from "./process.ts";
import type { Spare } from "./spare.ts";
import type { Watchdog } from "./watchdog.ts";
import { createWireReport } from "./wire-report.ts";

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
	/** What it said so far. */
	heard(): Heard;
	/** Signals the group; a plugin may handle SIGINT, and still ask, as long as its process runs. The exit tells why. */
	kill(signal: "SIGINT" | "SIGKILL", why?: string): void;
	/** This program may end by itself again, but for calls under way. */
	release(): void;
}

export interface ConnectOptions {
	plugin: string;
	launch: Launch;
	/** The process to use; one is spawned when there is none. */
	spare?: Spare | undefined;
	limits: Limits;
	watchdog: Watchdog;
	/** A line that the process printed. */
	line(text: string): void;
	/** Something is wrong with what the child says. */
	problem(text: string): void;
	observe?: ((frame: Frame) => void) | undefined;
}

// A child that closed its end of the wire is about to exit; one that does not is ended.
const exitAfterCloseMs = 500;

/** Opens the wire to a child, which is spawned unless one waits for a plugin. @throws BroodError `launch_failed` */
export function connect(options: ConnectOptions): Connection {
	const { plugin, launch, spare, limits, line, problem, observe } = options;
	const child = spare?.child ?? spawnChild(options);
	const received = spare?.give(line);
	const report = createWireReport(problem);
	let messages = 0;
	let endedFor: string | undefined;
	const asking = createAllowance(limits.wire.askingMsPerSecondMax);
	const wire = childWire({ wire: child.wire, received, limits: limits.wire }, asking);
	const peer = createPeer(wire.open, {
		pendingCallsMax: limits.wire.pendingCallsMax,
		runningBytesMax: limits.wire.askedBytesMax,
		unsentAnswersMax: limits.wire.unsentAnswersMax,
		errorTextCharsMax: limits.text.errorTextCharsMax,
		problem: report.problem,
		noise: report.noise,
		observe(frame) {
			if (frame.direction === "in") messages += 1;
			observe?.(frame);
		},
	});
	// The channel begins to read in a microtask; held before that, the child would be held for good.
	queueMicrotask(child.hold);
	const exited = child.exited.then(async (ended) => {
		const exit: ExitFacts = { ...ended, ...(endedFor === undefined ? {} : { endedFor }) };
		// Its last words may be on their way; what it left behind may hold the pipe open for ever.
		await Promise.race([peer.closed, lag(limits.load.exitDrainMs)]);
		peer.close(failure("plugin_exited", { plugin, exit, reason: describeExit(exit) }));
		return exit;
	});
	void peer.closed.then(() => {
		const { broken } = wire;
		if (broken !== undefined) problem(`the connection was ended: ${broken.message}`);
		const timer = setTimeout(() => child.kill("SIGKILL"), broken === undefined ? exitAfterCloseMs : 0);
		timer.unref();
		void child.exited.then(() => clearTimeout(timer));
	});

	return {
		pid: child.pid,
		launch,
		peer,
		asking,
		exited,
		stderrTail: child.stderrTail,
		async call(method, params, subject, options) {
			child.hold();
			const { noises } = report;
			try {
				return await peer.call(method, params, options);
			} catch (error) {
				const { broken } = wire;
				throw await explainCall(error, { plugin, subject, exited, broken, noise: report.quote(noises) });
			} finally {
				child.release();
			}
		},
		kill(signal, why) {
			endedFor ??= why;
			// Until the process has ended, this program stays to see it.
			child.hold();
			child.kill(signal);
			if (signal === "SIGKILL") peer.close(failure("channel_closed", { reason: "the plugin was killed" }));
		},
		speak: wire.speak,
		heard: () => ({ messages, noise: report.quote(0) }),
		release: child.release,
	};
}

/** The wire of a child, before and after a channel is opened over it. */
interface ChildWire {
	open(heard: ChannelListener): Channel;
	speak(codec: CodecName): void;
	/** Why this side has given it up; known at once. */
	readonly broken: BroodError | undefined;
}

function childWire(own: Pick<ByteChannelOptions, "wire" | "received" | "limits">, asking: Allowance): ChildWire {
	let channel: ByteChannel | undefined;
	let broken: BroodError | undefined;
	return {
		open(heard) {
			const listener: ChannelListener = {
				...heard,
				closed(reason) {
					if (isBroodError(reason, "message_too_large") || isBroodError(reason, "busy")) broken = reason;
					heard.closed(reason);
				},
			};
			const opened = openByteChannel({ ...own, codec: ndjson, listener });
			channel = opened;
			return {
				send(message, urgent) {
					const send = () => opened.send(message, urgent);
					if (isResult(message)) asking.spend(send);
					else send();
				},
				flush: () => opened.flush(),
				close: (reason) => opened.close(reason),
			};
		},
		speak: (codec) => channel?.speak(codecOf(codec)),
		get broken() {
			return broken;
		},
	};
}

function isResult(message: unknown): boolean {
	return typeof message === "object" && message !== null && "result" in message;
}
