import { type Channel, type ChannelListener, openByteChannel } from "../../runtime/channel.ts";
import { ndjson } from "../../runtime/codec/ndjson.ts";
import { type BroodError, type ExitFacts, failure, isBroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type CallOptions, createPeer, type Frame, type Peer } from "../../runtime/peer.ts";
import { type Allowance, createAllowance } from "../base/allowance.ts";
import type { Launch } from "../contracts/services.ts";
import { explainCall } from "./call-failure.ts";
import { describeExit, type Heard } from "./load-failure.ts";
import { type ChildProcess, lag, spawnChild } from "./process.ts";
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

/** Spawns a child and opens the wire to it. @throws BroodError `launch_failed` */
export function connect({ plugin, launch, limits, watchdog, line, problem, observe }: ConnectOptions): Connection {
	const child = spawnChild({ plugin, launch, limits, watchdog, line });
	const report = createWireReport(problem);
	let messages = 0;
	let broken: BroodError | undefined;
	let endedFor: string | undefined;
	const asking = createAllowance(limits.wire.askingMsPerSecondMax);
	const peer = createPeer(
		openWire(child, limits.wire, asking, (reason) => {
			broken = reason;
		}),
		{
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
		},
	);
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
		heard: () => ({ messages, noise: report.quote(0) }),
		release: child.release,
	};
}

/** Opens a channel over the pipes of a child; `broke` hears at once why this side has given it up. */
function openWire(
	{ stdout, stdin }: ChildProcess,
	limits: Limits["wire"],
	asking: Allowance,
	broke: (reason: BroodError) => void,
) {
	return (heard: ChannelListener): Channel => {
		const listener: ChannelListener = {
			...heard,
			closed(reason) {
				if (isBroodError(reason, "message_too_large") || isBroodError(reason, "busy")) broke(reason);
				heard.closed(reason);
			},
		};
		const channel = openByteChannel({ readable: stdout, sink: stdin, codec: ndjson, limits, listener });
		return {
			send(message, urgent) {
				const send = () => channel.send(message, urgent);
				if (isResult(message)) asking.spend(send);
				else send();
			},
			flush: () => channel.flush(),
			close: (reason) => channel.close(reason),
		};
	};
}

function isResult(message: unknown): boolean {
	return typeof message === "object" && message !== null && "result" in message;
}
