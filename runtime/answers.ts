import type { Channel } from "./channel.ts";
import { isBroodError } from "./errors.ts";

/**
 * Sends the answers of one side. One for which the write queue has no room waits its turn instead of failing as a call
 * does: its work is done, and whoever asked would have it done twice.
 */
export class AnswerLine {
	readonly #channel: Channel;
	readonly #waiting = new Set<Waiting>();
	#moves = false;

	constructor(channel: Channel) {
		this.#channel = channel;
	}

	/** How many answers wait for room. */
	get unsent(): number {
		return this.#waiting.size;
	}

	/** Sends an answer at once if there is room for it and none waits. @throws BroodError as `send` does */
	sendNow(message: unknown): boolean {
		return this.#waiting.size === 0 && this.#sends(message);
	}

	/**
	 * Sends an answer at once, or returns when it has been sent; one whose caller gives up meanwhile is dropped.
	 * @throws BroodError what Channel.send throws, but never `busy`
	 */
	send(message: unknown, call: { readonly signal: AbortSignal }): Promise<void> | undefined {
		if (this.sendNow(message)) return undefined;
		const { signal } = call;
		if (signal.aborted) return undefined;
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		const waiting = { message, resolve, reject };
		this.#waiting.add(waiting);
		const drop = () => {
			this.#waiting.delete(waiting);
			resolve();
		};
		signal.addEventListener("abort", drop, { once: true });
		void this.#move();
		return promise;
	}

	async #move(): Promise<void> {
		if (this.#moves) return;
		this.#moves = true;
		while (this.#waiting.size > 0) {
			await this.#channel.flush();
			for (const waiting of this.#waiting) {
				try {
					if (!this.#sends(waiting.message)) break;
					waiting.resolve();
				} catch (error) {
					waiting.reject(error);
				}
				this.#waiting.delete(waiting);
			}
		}
		this.#moves = false;
	}

	/** Whether there was room for a message. */
	#sends(message: unknown): boolean {
		try {
			this.#channel.send(message);
			return true;
		} catch (error) {
			if (isBroodError(error, "busy")) return false;
			throw error;
		}
	}
}

/** Whether `await` waits for what a value stands for. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
	return ((typeof value === "object" && value !== null) || typeof value === "function") && "then" in value;
}

interface Waiting {
	message: unknown;
	resolve(): void;
	reject(error: unknown): void;
}

const answers = new WeakSet<Error>();

/** Marks an error as what the other side answered with. */
export function asAnswer<Thrown extends Error>(error: Thrown): Thrown {
	answers.add(error);
	return error;
}

/** Whether the other side answered with this error: its code then tells of that side's work, not of the call's way. */
export function isAnswer(error: unknown): boolean {
	return error instanceof Error && answers.has(error);
}
