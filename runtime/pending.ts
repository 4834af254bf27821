import { abortError, type CallOptions, type Id } from "./call.ts";
import { failure } from "./errors.ts";
import { longestTimerMs } from "./limits.ts";

/** The calls of this side that wait for an answer. */
export class PendingCalls {
	readonly #calls = new Map<Id, PendingCall>();
	readonly #gaveUp: (id: number, reason: Error) => void;

	/** `gaveUp` hears of each call that ends by its timeout or its signal, so that the other side can be told. */
	constructor(gaveUp: (id: number, reason: Error) => void) {
		this.#gaveUp = gaveUp;
	}

	get size(): number {
		return this.#calls.size;
	}

	get(id: Id): PendingCall | undefined {
		return this.#calls.get(id);
	}

	/** Waits for the answer, the timeout or the abort, whichever comes first. */
	begin(id: number, method: string, options: CallOptions): PendingCall {
		const call = new PendingCall(id, method, this);
		this.#calls.set(id, call);
		// Most calls have neither.
		if (options.signal !== undefined || options.timeoutMs !== undefined) call.limit(options);
		return call;
	}

	giveUp(call: PendingCall, reason: Error): void {
		call.reject(reason);
		this.#gaveUp(call.id, reason);
	}

	drop(id: number): void {
		this.#calls.delete(id);
	}

	rejectAll(reason: Error): void {
		for (const call of [...this.#calls.values()]) call.reject(reason);
	}
}

/** One such call. */
export class PendingCall {
	readonly id: number;
	readonly method: string;
	readonly answer: Promise<unknown>;
	readonly #calls: PendingCalls;
	readonly #resolve: (value: unknown) => void;
	readonly #reject: (error: Error) => void;
	#signal: AbortSignal | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(id: number, method: string, calls: PendingCalls) {
		const { promise, resolve, reject } = Promise.withResolvers<unknown>();
		this.id = id;
		this.method = method;
		this.answer = promise;
		this.#calls = calls;
		this.#resolve = resolve;
		this.#reject = reject;
	}

	limit({ signal, timeoutMs }: CallOptions): void {
		const onTimeout = () => this.#calls.giveUp(this, failure("timeout", { subject: this.method, ms: timeoutMs ?? 0 }));
		if (timeoutMs !== undefined && timeoutMs <= longestTimerMs) this.#timer = setTimeout(onTimeout, timeoutMs);
		this.#signal = signal;
		signal?.addEventListener("abort", this, { once: true });
	}

	/** The signal has aborted. */
	handleEvent(): void {
		if (this.#signal !== undefined) this.#calls.giveUp(this, abortError(this.method, this.#signal));
	}

	resolve(value: unknown): void {
		this.#end();
		this.#resolve(value);
	}

	reject(error: Error): void {
		this.#end();
		this.#reject(error);
	}

	#end(): void {
		if (this.#timer !== undefined) clearTimeout(this.#timer);
		this.#signal?.removeEventListener("abort", this);
		this.#calls.drop(this.id);
	}
}
