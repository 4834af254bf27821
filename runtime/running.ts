import type { Cancel, Id } from "./call.ts";
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
	readonly #calls = new Map<Id, { controller: AbortController; bytes: number }>();
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

	begin(id: Id, bytes: number): AbortController {
		const controller = new AbortController();
		this.#calls.set(id, { controller, bytes });
		this.#bytes += bytes;
		return controller;
	}

	/** Nothing happens for one that was abandoned, also when another call has its id by now. */
	end(id: Id, controller: AbortController): void {
		if (this.#calls.get(id)?.controller === controller) this.#remove(id);
	}

	/** A handler that its caller gave up may never end; it holds no place any more. */
	abandon({ id, reason }: Cancel): void {
		this.#calls.get(id)?.controller.abort(reason);
		this.#remove(id);
	}

	abandonAll(reason: BroodError): void {
		for (const { controller } of this.#calls.values()) controller.abort(reason);
		this.#calls.clear();
		this.#bytes = 0;
	}

	#remove(id: Id): void {
		this.#bytes -= this.#calls.get(id)?.bytes ?? 0;
		this.#calls.delete(id);
	}
}
