import type { Cancel, HandlerContext, Id } from "./call.ts";
import type { BroodError } from "./errors.ts";

/** How much of the other side's calls may run at once. */
export interface RunningBounds {
	pendingCallsMax: number;
	/** Bytes of the messages that carried them; no bound when absent. One call alone may always run. */
	runningBytesMax?: number | undefined;
}

/** The calls of the other side that are being answered. */
export class Running {
	readonly #bounds: RunningBounds;
	readonly #calls = new Map<Id, RunningCall>();
	#bytes = 0;

	constructor(bounds: RunningBounds) {
		this.#bounds = bounds;
	}

	has(id: Id): boolean {
		return this.#calls.has(id);
	}

	/** Why there is no room for another call of so many bytes; undefined when there is. */
	whyFull(bytes: number): string | undefined {
		const { pendingCallsMax, runningBytesMax = Number.POSITIVE_INFINITY } = this.#bounds;
		const { size } = this.#calls;
		if (size >= pendingCallsMax) return `${size} calls run`;
		return size > 0 && this.#bytes + bytes > runningBytesMax ? `${this.#bytes} bytes of calls run` : undefined;
	}

	begin(id: Id, bytes: number): RunningCall {
		const call = new RunningCall(id, bytes);
		this.#calls.set(id, call);
		this.#bytes += bytes;
		return call;
	}

	/** Nothing happens for one that was abandoned, also when another call has its id by now. */
	end(call: RunningCall): void {
		if (this.#calls.get(call.id) === call) this.#remove(call);
	}

	/** A handler that its caller gave up may never end; it holds no place any more. */
	abandon({ id, reason }: Cancel): void {
		const call = this.#calls.get(id);
		if (call === undefined) return;
		call.abort(reason);
		this.#remove(call);
	}

	abandonAll(reason: BroodError): void {
		for (const call of this.#calls.values()) call.abort(reason);
		this.#calls.clear();
		this.#bytes = 0;
	}

	#remove({ id, bytes }: RunningCall): void {
		this.#bytes -= bytes;
		this.#calls.delete(id);
	}
}

/** One such call, as its handler sees it. */
export class RunningCall implements HandlerContext {
	readonly id: Id;
	readonly bytes: number;
	#controller: AbortController | undefined;
	#abortedFor: { reason: Error } | undefined;

	constructor(id: Id, bytes: number) {
		this.id = id;
		this.bytes = bytes;
	}

	/** Made when it is first touched, which most handlers never do. */
	get signal(): AbortSignal {
		if (this.#controller === undefined) {
			this.#controller = new AbortController();
			if (this.#abortedFor !== undefined) this.#controller.abort(this.#abortedFor.reason);
		}
		return this.#controller.signal;
	}

	abort(reason: Error): void {
		this.#abortedFor ??= { reason };
		this.#controller?.abort(reason);
	}
}
