import { failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { EventName, Json, JsonObject } from "../../runtime/records.ts";
import type { Backend } from "../contracts/backend.ts";
import type { Registry } from "../registry.ts";
import { type Answers, checkAnswer, type ToolCallDecision, type ToolOutcome } from "./answers.ts";
import { type Continuations, createContinuations } from "./continuations.ts";
import { merge } from "./merge.ts";
import { payloadOf } from "./payload.ts";

/** What came of one event. */
export interface EventOutcome {
	event: EventName;
	/** Every handler that saw it, in the order of rank and registration. */
	handlers: HandlerReport[];
	/** The answers as one; null when nobody changed anything. Its form depends on the event. */
	result: Json;
}

export interface HandlerReport {
	plugin: string;
	/** What it answered; absent when nothing. */
	result?: Json;
	error?: { code: string; message: string };
	/** Milliseconds. */
	ms: number;
}

export interface EmitOptions {
	signal?: AbortSignal | undefined;
	/** Milliseconds that each handler has; `limits.call.eventHandlerMs` when absent. */
	timeoutMs?: number | undefined;
}

/** Lets plugins see events and merges what they answer. */
export interface Events {
	emit(event: EventName, data: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
	/** Asks all gates of a tool call. */
	toolCall(payload: JsonObject, options?: EmitOptions): Promise<EventOutcome & { decision: Decided }>;
	/** Lets all plugins see, and change, the result of a tool call. */
	toolResult(payload: JsonObject, outcome: ToolOutcome, options?: EmitOptions): Promise<ToolOutcome>;
}

/** A decision and who made it; nobody when it is the default. */
export type Decided = ToolCallDecision & { plugin: string | undefined };

export interface EventParts {
	registry: Registry;
	limits: Limits["call"];
	/** What a `tool.call` handler that fails means. */
	toolCallFailure: "reject" | "allow";
	/** Uses the running instance of a plugin. */
	use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
	/** Tells a plugin's log what is wrong with it. */
	problem(plugin: string, text: string): void;
}

export function createEvents(parts: EventParts): Events {
	return new EventCalls(parts);
}

interface Asked<Name extends EventName> {
	plugin: string;
	report: HandlerReport;
	answer: Answers[Name];
	failed: boolean;
}

class EventCalls implements Events {
	readonly #parts: EventParts;
	readonly #continuations: Continuations;

	constructor(parts: EventParts) {
		this.#parts = parts;
		this.#continuations = createContinuations(parts.limits.continuationsMax, (plugin, max) =>
			parts.problem(plugin, `agent.end was not continued again: ${max} continuations in a row`),
		);
	}

	async emit(event: EventName, data: JsonObject, options: EmitOptions = {}): Promise<EventOutcome> {
		const payload = payloadOf(event, data);
		if (event === "tool.call") {
			const { decision: _, ...outcome } = await this.toolCall(payload, options);
			return outcome;
		}
		if (event === "tool.result") return this.#resultChain(payload, options);
		if (event === "agent.start") this.#continuations.begun(payload);
		const asked = await Promise.all(
			this.#handlers(event).map(({ plugin, handler }) => this.#ask(event, plugin, handler, payload, options)),
		);
		const answers = asked.map(({ plugin, answer }) => ({ plugin, answer }));
		const merged = merge(event, answers);
		const result = event === "agent.end" ? this.#continuations.bounded(payload, merged) : merged;
		return { event, handlers: asked.map(({ report }) => report), result };
	}

	async toolCall(payload: JsonObject, options: EmitOptions = {}) {
		const handlers: HandlerReport[] = [];
		const outcome = (decision: Decided) => {
			const { plugin: _, ...result } = decision;
			const allowed = decision.action === "allow";
			return { event: "tool.call" as const, handlers, result: allowed ? null : result, decision };
		};
		let current = payload;
		let decision: Decided = { action: "allow", plugin: undefined };
		for (const { plugin, handler } of this.#handlers("tool.call")) {
			const { report, answer, failed } = await this.#ask("tool.call", plugin, handler, current, options);
			handlers.push(report);
			if (failed && this.#parts.toolCallFailure === "reject") {
				const message = `A gate failed, so the call was not made: ${report.error?.message ?? ""}`;
				return outcome({ action: "reject-and-continue", message, plugin });
			}
			if (answer === undefined || answer.action === "allow") continue;
			if (answer.action !== "modify") return outcome({ ...answer, plugin });
			current = { ...current, input: answer.input };
			decision = { ...answer, plugin };
		}
		return outcome(decision);
	}

	async toolResult(payload: JsonObject, outcome: ToolOutcome, options: EmitOptions = {}): Promise<ToolOutcome> {
		const chain = await this.#chainResults({ ...payload, ...outcome }, options);
		return chain.changed ?? outcome;
	}

	async #resultChain(payload: JsonObject, options: EmitOptions): Promise<EventOutcome> {
		const { handlers, changed } = await this.#chainResults(payload, options);
		return { event: "tool.result", handlers, result: changed === undefined ? null : { ...changed } };
	}

	async #chainResults(payload: JsonObject, options: EmitOptions) {
		const handlers: HandlerReport[] = [];
		let changed: ToolOutcome | undefined;
		for (const { plugin, handler } of this.#handlers("tool.result")) {
			const current = { ...payload, ...changed };
			const { report, answer } = await this.#ask("tool.result", plugin, handler, current, options);
			handlers.push(report);
			// What an answer leaves out stays as it was.
			if (answer !== undefined) changed = { ...changed, ...answer };
		}
		return { handlers, changed };
	}

	#handlers(event: EventName): { plugin: string; handler: number }[] {
		return this.#parts.registry
			.list("event")
			.filter(({ item }) => item.name === event)
			.map(({ plugin, item }) => ({ plugin, handler: item.handler }));
	}

	async #ask<Name extends EventName>(
		name: Name,
		plugin: string,
		handler: number,
		payload: JsonObject,
		{ signal, timeoutMs = this.#parts.limits.eventHandlerMs }: EmitOptions,
	): Promise<Asked<Name>> {
		const begin = performance.now();
		const report = (more: Partial<HandlerReport>) => ({ plugin, ...more, ms: performance.now() - begin });
		try {
			const given = await this.#parts.use(plugin, (backend) =>
				backend.emit({ name, handler, payload }, { signal, timeoutMs }),
			);
			const checked = checkAnswer(name, given);
			if ("wrong" in checked) throw failure("invalid_answer", { plugin, subject: name, reason: checked.wrong });
			return {
				plugin,
				report: report(given === undefined ? {} : { result: given }),
				answer: checked.answer,
				failed: false,
			};
		} catch (error) {
			// The caller gave up; that is not the plugin's failure.
			signal?.throwIfAborted();
			const message = messageOf(error);
			this.#parts.problem(plugin, `its handler of ${name} failed: ${message}`);
			const code = isBroodError(error) ? error.code : "plugin_error";
			return { plugin, report: report({ error: { code, message } }), answer: undefined as Answers[Name], failed: true };
		}
	}
}
