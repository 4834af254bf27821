import { openByteChannel } from "../../runtime/channel.ts";
import { ndjson } from "../../runtime/codec/ndjson.ts";
import { type ExitFacts, failure, isBroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type CallOptions, createPeer, type Frame, type Peer } from "../../runtime/peer.ts";
import type { Launch } from "../contracts/services.ts";
import { describeExit, quoteTail } from "./load-failure.ts";
import { spawnChild } from "./process.ts";
import type { Watchdog } from "./watchdog.ts";

/** A child process and the wire to it. */
export interface Connection {
	readonly pid: number;
	readonly peer: Peer;
	readonly exited: Promise<ExitFacts>;
	/**
	 * Calls the child; `subject` names the call in errors. This program does not end by itself meanwhile.
	 * @throws BroodError `plugin_exited` with exit facts when the process ends first, else what Peer.call throws
	 */
	call(method: string, params: unknown, subject: string, options?: CallOptions): Promise<unknown>;
	/** Signals the group; a plugin may handle SIGINT, and still ask, as long as its process runs. */
	kill(signal: "SIGINT" | "SIGKILL"): void;
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
	const peer = createPeer(
		(listener) =>
			openByteChannel({ readable: child.stdout, sink: child.stdin, codec: ndjson, limits: limits.wire, listener }),
		{ pendingCallsMax: limits.wire.pendingCallsMax, problem, ...(observe === undefined ? {} : { observe }) },
	);
	// The channel begins to read in a microtask; held before that, the child would be held for good.
	queueMicrotask(child.hold);
	void child.exited.then((exit) => peer.close(failure("plugin_exited", { plugin, exit, reason: describeExit(exit) })));
	void peer.closed.then((reason) => {
		if (isBroodError(reason, "message_too_large")) problem(`the connection was ended: ${reason.message}`);
		const timer = setTimeout(() => child.kill("SIGKILL"), exitAfterCloseMs);
		timer.unref();
		void child.exited.then(() => clearTimeout(timer));
	});

	return {
		pid: child.pid,
		peer,
		exited: child.exited,
		async call(method, params, subject, options) {
			child.hold();
			try {
				return await peer.call(method, params, options);
			} catch (error) {
				if (isBroodError(error, "busy")) throw failure("busy", { plugin, subject, reason: error.message });
				if (isBroodError(error, "cancelled")) throw failure("cancelled", { plugin, subject, cause: error });
				if (!isBroodError(error, "channel_closed") && !isBroodError(error, "plugin_exited")) throw error;
				const exit = await child.exited;
				const reason = `${describeExit(exit)} before ${subject} was done${quoteTail(exit)}`;
				throw failure("plugin_exited", { plugin, stage: "call", exit, reason });
			} finally {
				child.release();
			}
		},
		kill(signal) {
			// Until the process has ended, this program stays to see it.
			child.hold();
			child.kill(signal);
			if (signal === "SIGKILL") peer.close(failure("channel_closed", { reason: "the plugin was killed" }));
		},
		release: child.release,
	};
}
