import { AnswerLine, asAnswer, isPromiseLike } from "./answers.ts";
import {
	abortError,
	type CallOptions,
	cancelParams,
	type Frame,
	type Handler,
	type Id,
	isId,
	readCancel,
} from "./call.ts";
import { type Channel, type ChannelListener, carried } from "./channel.ts";
import { withinDepth } from "./depth.ts";
import { type BroodError, failure, isBroodError, messageOf } from "./errors.ts";
import { PendingCalls } from "./pending.ts";
import { Running, type RunningBounds, type RunningCall } from "./running.ts";
import { fromWireError, readWireError, toWireError } from "./wire-error.ts";

/** One side of a symmetric JSON-RPC 2.0 connection: both sides call, answer and notify. */
export interface Peer {
	/**
	 * Calls a method of the other side.
	 * @throws BroodError `timeout`, `cancelled`, `busy`, `channel_closed`, `not_serializable`, `invalid_answer`,
	 * or the error that the other side answered with
	 */
	call(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
	/**
	 * Sends a notification; a closed channel swallows it. Since nobody would miss it, it passes the limit of queued bytes,
	 * unless `dropped` is there to hear that it was not sent.
	 */
	notify(method: string, params: unknown, dropped?: () => void): void;
	/** Waits for the answer to a call that was sent before this peer was there; its own calls have higher ids. */
	resume(id: number, method: string): Promise<unknown>;
	/** Serves a method; the last handler of a name wins. */
	handle(method: string, handler: Handler): void;
	/** Hears notifications of one name. */
	listen(method: string, listener: (params: unknown) => void): void;
	/** Calls that wait for an answer. */
	readonly pending: number;
	/** Resolves when all that was sent has left this side. */
	flush(): Promise<void>;
	/** Fails every waiting call with `reason`, aborts every running handler, and ends the channel. */
	close(reason: BroodError): void;
	/** Resolves with the reason once the connection has ended. */
	readonly closed: Promise<BroodError>;
}

export type { CallOptions, Frame, Handler, HandlerContext } from "./call.ts";

export interface PeerOptions extends RunningBounds {
	/** Answers that may wait for the other side to read; past it its calls fail with `busy`. No bound when absent. */
	unsentAnswersMax?: number;
	/** A text of an error that the other side answers with is cut here. */
	errorTextCharsMax?: number;
	/** Hears what is wrong with the other side's messages; nothing of it ends the connection. */
	problem?: (text: string) => void;
	/** Hears what is no message; as a problem when absent. */
	noise?: (excerpt: string, reason: string) => void;
	/** Sees every message, before it is handled or sent. */
	observe?: (frame: Frame) => void;
}

type Message = Record<string, unknown>;

/** Opens a peer over the channel that `open` makes. */
export function createPeer(open: (listener: ChannelListener) => Channel, options: PeerOptions): Peer {
	return new JsonRpcPeer(open, options);
}

class JsonRpcPeer implements Peer {
	readonly #handlers = new Map<string, Handler>();
	readonly #listeners = new Map<string, (params: unknown) => void>();
	readonly #pending: PendingCalls;
	readonly #running: Running;
	readonly #closed = Promise.withResolvers<BroodError>();
	readonly #options: PeerOptions;
	readonly #channel: Channel;
	readonly #answers: AnswerLine;
	#ended: BroodError | undefined;
	#lastId = 0;

	constructor(open: (listener: ChannelListener) => Channel, options: PeerOptions) {
		this.#options = options;
		this.#running = new Running(options);
		this.#pending = new PendingCalls((id, reason) => this.notify("$/cancel", cancelParams(id, reason)));
		this.#channel = open({
			message: (value, bytes) => {
				const message = withinDepth(value, bytes, (what) => this.#problem(`${what} was dropped: it nests too deep`));
				this.#observe({ direction: "in", message, bytes });
				this.#receive(message, bytes);
			},
			sent: (message, bytes) => this.#observe({ direction: "out", message, bytes }),
			noise: (excerpt, reason) => this.#noise(excerpt, reason),
			closed: (reason) => this.#end(reason),
		});
		this.#answers = new AnswerLine(this.#channel);
	}

	get pending(): number {
		return this.#pending.size;
	}

	get closed(): Promise<BroodError> {
		return this.#closed.promise;
	}

	handle(method: string, handler: Handler): void {
		this.#handlers.set(method, handler);
	}

	listen(method: string, listener: (params: unknown) => void): void {
		this.#listeners.set(method, listener);
	}

	flush(): Promise<void> {
		return this.#channel.flush();
	}

	close(reason: BroodError): void {
		this.#end(reason);
		this.#channel.close(reason);
	}

	notify(method: string, params: unknown, dropped?: () => void): void {
		if (this.#ended !== undefined) return;
		try {
			this.#channel.send({ jsonrpc: "2.0", method, params }, dropped === undefined);
		} catch (error) {
			this.#problem(`the notification "${method}" was not sent: ${messageOf(error)}`);
			dropped?.();
		}
	}

	call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
		const { signal } = options;
		if (this.#ended !== undefined) return Promise.reject(this.#ended);
		if (signal?.aborted) return Promise.reject(abortError(method, signal));
		const { size } = this.#pending;
		if (size >= this.#options.pendingCallsMax && !options.urgent)
			return Promise.reject(failure("busy", { subject: method, reason: `${size} calls wait for an answer` }));
		const id = ++this.#lastId;
		const call = this.#pending.begin(id, method, options);
		try {
			options.sent?.(id);
			this.#channel.send({ jsonrpc: "2.0", id, method, params: carried(params) }, options.urgent);
		} catch (error) {
			call.reject(error instanceof Error ? error : new Error(messageOf(error)));
		}
		return call.answer;
	}

	resume(id: number, method: string): Promise<unknown> {
		this.#lastId = Math.max(this.#lastId, id);
		return this.#pending.begin(id, method, {}).answer;
	}

	#receive(value: unknown, bytes: number): void {
		if (Array.isArray(value)) return this.#refuse(null, "batches are not supported");
		if (typeof value !== "object" || value === null) return this.#noise(String(value).slice(0, 80), "it is no object");
		const message = value as Message;
		if (typeof message.method === "string") {
			if (Object.hasOwn(message, "id")) return this.#receiveRequest(message.method, message, bytes);
			return this.#receiveNotification(message.method, message.params);
		}
		if (Object.hasOwn(message, "method")) return this.#refuse(null, "a method is a string");
		if (Object.hasOwn(message, "id")) return this.#receiveResponse(message);
		this.#noise("{…}", "an object without a method and without an id");
	}

	#receiveNotification(method: string, params: unknown): void {
		const cancel = method === "$/cancel" ? readCancel(params) : undefined;
		if (cancel !== undefined) return this.#running.abandon(cancel);
		if (method === "$/cancel") return;
		const listener = this.#listeners.get(method);
		if (listener === undefined) return this.#problem(`the notification "${method}" is not known and was skipped`);
		try {
			listener(params);
		} catch (error) {
			this.#problem(`the listener of "${method}" failed: ${messageOf(error)}`);
		}
	}

	#receiveRequest(method: string, message: Message, bytes: number): void {
		const { id } = message;
		if (!isId(id)) return this.#refuse(null, "an id is a string or a safe integer");
		if (message.jsonrpc !== undefined && message.jsonrpc !== "2.0") return this.#refuse(id, 'jsonrpc is "2.0"');
		if (this.#running.has(id)) return this.#refuse(id, `the id ${JSON.stringify(id)} is in use`);
		const handler = this.#handlers.get(method);
		if (handler === undefined) return this.#fail(id, failure("method_not_found", { subject: method }));
		const { unsentAnswersMax = Number.POSITIVE_INFINITY } = this.#options;
		const { unsent } = this.#answers;
		// The work is refused before it is done: its answer would only wait beside the others.
		const reason = unsent < unsentAnswersMax ? this.#running.whyFull(bytes) : `${unsent} answers wait to be read`;
		if (reason !== undefined) return this.#fail(id, failure("busy", { subject: method, reason }));
		this.#run(handler, message.params, this.#running.begin(id, bytes));
	}

	/** What a handler gives at once is sent at once: it takes no promise. */
	#run(handler: Handler, params: unknown, call: RunningCall): void {
		let given: unknown;
		try {
			given = handler(params, call);
			if (!isPromiseLike(given) && this.#ended === undefined && this.#answers.sendNow(answerTo(call, given)))
				return this.#running.end(call);
		} catch (error) {
			this.#fail(call.id, error);
			return this.#running.end(call);
		}
		void this.#answerLater(given, call);
	}

	async #answerLater(given: unknown, call: RunningCall): Promise<void> {
		try {
			const result = await given;
			if (this.#ended !== undefined) return;
			const sent = this.#answers.send(answerTo(call, result), call);
			if (sent !== undefined) await sent;
		} catch (error) {
			this.#fail(call.id, error);
		} finally {
			this.#running.end(call);
		}
	}

	#receiveResponse(message: Message): void {
		const waiting = isId(message.id) ? this.#pending.get(message.id) : undefined;
		// A late answer to a cancelled call, or a forged one: nobody waits for it.
		if (waiting === undefined) return;
		const hasResult = Object.hasOwn(message, "result");
		if (hasResult !== Object.hasOwn(message, "error")) {
			if (hasResult) return waiting.resolve(message.result);
			const error = readWireError(message.error, this.#options.errorTextCharsMax);
			if (error !== undefined) return waiting.reject(asAnswer(fromWireError(error)));
		}
		const reason = "an answer has either a result or an error object";
		waiting.reject(failure("invalid_answer", { subject: waiting.method, reason }));
	}

	#refuse(id: Id | null, reason: string): void {
		this.#problem(`a message was refused: ${reason}`);
		this.#fail(id, failure("invalid_request", { reason }));
	}

	#fail(id: Id | null, thrown: unknown): void {
		if (this.#ended !== undefined) return;
		try {
			this.#channel.send({ jsonrpc: "2.0", id, error: toWireError(thrown) }, true);
		} catch (error) {
			this.#problem(`an error could not be sent: ${messageOf(error)}`);
			// One that is too large itself is told by the small error about that, so that no caller waits forever.
			if (!isBroodError(thrown, "message_too_large")) this.#fail(id, failure("message_too_large"));
		}
	}

	#end(reason: BroodError): void {
		if (this.#ended !== undefined) return;
		this.#ended = reason;
		this.#pending.rejectAll(reason);
		this.#running.abandonAll(reason);
		this.#closed.resolve(reason);
	}

	#observe(frame: Frame): void {
		try {
			this.#options.observe?.(frame);
		} catch (error) {
			this.#problem(`an observer of the connection failed: ${messageOf(error)}`);
		}
	}

	#noise(excerpt: string, reason: string): void {
		if (this.#options.noise === undefined) this.#problem(`what is no message was skipped (${reason}): ${excerpt}`);
		else this.#options.noise(excerpt, reason);
	}

	#problem = (text: string): void => this.#options.problem?.(text);
}

function answerTo({ id }: RunningCall, result: unknown) {
	return { jsonrpc: "2.0", id, result: carried(result) ?? null };
}
