import { isAnswer } from "../../runtime/answers.ts";
import { cancelParams } from "../../runtime/call.ts";
import { failure } from "../../runtime/errors.ts";
import type { LinkMatch } from "../../runtime/protocol.ts";
import type { ContentBlock, Json } from "../../runtime/records.ts";
import type { BackendCall, BackendCallOptions, BackendEvent } from "../contracts/backend.ts";
import { createCallClocks } from "./call-clocks.ts";
import { explainEnd, lateHints } from "./call-failure.ts";
import type { Connection } from "./connection.ts";
import { parseAnswer, parseContent, parseLinks } from "./door.ts";
import type { Listing } from "./listing.ts";
import { webhookParams } from "./webhook-params.ts";

export interface PluginCallsParts {
	plugin: string;
	listing: Listing;
	/** Nothing before the start. */
	connection(): Connection | undefined;
	/** Whether the plugin is being stopped. */
	isEnding(): boolean;
}

/** The calls that this program makes of one plugin: what it has registered is run, and its answers are read. */
export class PluginCalls {
	readonly #parts: PluginCallsParts;
	readonly #clocks = createCallClocks();

	constructor(parts: PluginCallsParts) {
		this.#parts = parts;
	}

	call(call: BackendCall, options: BackendCallOptions): Promise<{ content: ContentBlock[] }> {
		if (call.kind === "tool") {
			const params = { name: call.name, input: call.input, thread: { id: call.threadID } };
			const subject = `tool "${call.name}"`;
			return this.#send("tool.execute", params, subject, options, readContent);
		}
		const nothing = () => ({ content: [] });
		if (call.kind === "webhook") {
			return this.#send("webhook.execute", webhookParams(call), `webhook "${call.key}"`, options, nothing);
		}
		const thread = call.threadID === null ? null : { id: call.threadID };
		return this.#send("command.execute", { id: call.id, thread }, `command "${call.id}"`, options, nothing);
	}

	emit({ name, handler, payload }: BackendEvent, options: BackendCallOptions): Promise<Json | undefined> {
		const params = { event: name, handler, payload };
		const read = async (answer: unknown) => (await parseAnswer(answer)).answer;
		return this.#send("event.dispatch", params, `the handler of ${name}`, options, read);
	}

	links(text: string, options: BackendCallOptions): Promise<LinkMatch[]> {
		return this.#send("link.resolve", { text }, "the link patterns", options, parseLinks);
	}

	/** Tells the plugin of each call under way that it is given up. */
	cancelAll(): void {
		const { plugin } = this.#parts;
		const reason = failure("cancelled", { plugin, subject: "The call", reason: "the plugin is being stopped" });
		for (const id of this.#clocks.underWay())
			this.#parts.connection()?.peer.notify("$/cancel", cancelParams(id, reason));
	}

	/** A dialog was opened in the call with this id, or outside of any. The function it returns closes it. */
	dialog(call: number | undefined): () => void {
		return this.#clocks.dialog(call);
	}

	/**
	 * Calls the plugin; `read` makes of its answer what the caller gets. As `Connection.call` does, without a promise more:
	 * nothing is called as often.
	 */
	async #send<Answer>(
		method: string,
		params: unknown,
		subject: string,
		options: BackendCallOptions,
		read: (answer: unknown, subject: string, plugin: string) => Answer | Promise<Answer>,
	): Promise<Answer> {
		const { plugin, listing } = this.#parts;
		const connection = this.#parts.connection();
		if (connection === undefined) throw failure("plugin_not_ready", { plugin, reason: "it was never started" });
		const { noises } = connection;
		const clock = this.#startClock(method, subject, options);
		connection.hold();
		try {
			const answer = await connection.peer.call(method, params, clock);
			// What the handler registered is visible to whoever has its answer.
			const settling = listing.settled(clock.signal);
			if (settling !== undefined) await settling;
			return read(answer, subject, plugin);
		} catch (thrown) {
			const error = await connection.explain(thrown, subject, noises);
			// A handler that obeys the signal of a stop ends its call by an error, which is not its answer.
			if (!this.#parts.isEnding() || !isAnswer(error)) throw error;
			throw await explainEnd({ plugin, subject, exited: connection.exited, broken: undefined, noise: "" });
		} finally {
			connection.release();
			const ms = clock.clear();
			options.spent?.(ms);
		}
	}

	#startClock(method: string, subject: string, { signal, timeoutMs, limitMs = timeoutMs }: BackendCallOptions) {
		const { plugin } = this.#parts;
		const late = () => failure("timeout", { plugin, subject, ms: limitMs ?? 0, hint: lateHints[method] });
		return this.#clocks.start(timeoutMs, late, signal);
	}
}

/** Made once, since tools are called most. */
function readContent(answer: unknown, subject: string, plugin: string) {
	return parseContent(answer, `${subject} of plugin "${plugin}"`);
}
