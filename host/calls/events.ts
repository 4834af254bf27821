import { isAnswer } from "../../runtime/answers.ts";
import { failure, isBroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { EventName, Json, JsonObject } from "../../runtime/records.ts";
import type { Backend } from "../contracts/backend.ts";
import type { Registry } from "../registry.ts";
import { type Answers, checkAnswer, type ToolCallDecision, type ToolOutcome } from "./answers.ts";
import { type Budget, cancelled, checkTimeout } from "./budget.ts";
import { type Continuations, createContinuations } from "./continuations.ts";
import { describeThrown } from "./handler-failure.ts";
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

/** How the events of one tool call run. */
export interface CallEventOptions {
	signal: AbortSignal | undefined;
	/** What is left of the call's time. */
	budget: Budget;
}

/** Lets plugins see events and merges what they answer. */
export interface Events {
	emit(event: EventName, data: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
	/** Whether any plugin hears an event. */
	isHeard(event: EventName): boolean;
	/** Asks all gates of a tool call. */
	toolCall(payload: JsonObject, options: CallEventOptions): Promise<EventOutcome & { decision: Decided }>;
	/** Lets all plugins see, and change, the result of a tool call. */
	toolResult(payload: JsonObject, outcome: ToolOutcome, options: CallEventOptions): Promise<ToolOutcome>;
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
	/** Tells a plugin's log what is wrong with it; as a warning, when no level says otherwise. */
	problem(plugin: string, text: string, level?: "error"): void;
	/** The folder that holds the files of a plugin. */
	root(plugin: string): string;
}

export function createEvents(parts: EventParts): Events {
	return new EventCalls(parts);
}

interface AskOptions extends EmitOptions {
	budget?: Budget;
	/** The plugins of which a handler has timed out in this event. */
	late?: Set<string>;
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
		checkTimeout(options.timeoutMs);
		if (options.signal?.aborted) throw cancelled(options.signal, { subject: `event ${event}` });
		if (event === "tool.call") {
			const { decision: _, ...outcome } = await this.#callChain(payload, options);
			return outcome;
		}
		if (event === "tool.result") return this.#resultChain(payload, options);
		if (event === "agent.start") this.#continuations.begun(payload);
		const asked = await Promise.all(
			this.#parts.registry
				.handlers(event)
				.map(({ plugin, item }) => this.#ask(event, plugin, item.handler, payload, options)),
		);
		const answers = asked.map(({ plugin, answer }) => ({ plugin, answer }));
		const merged = merge(event, answers);
		const result = event === "agent.end" ? this.#continuations.bounded(payload, merged) : merged;
		return { event, handlers: asked.map(({ report }) => report), result };
	}

	isHeard(event: EventName): boolean {
		return this.#parts.registry.handlers(event).length > 0;
	}

	toolCall(payload: JsonObject, options: CallEventOptions) {
		return this.#callChain(payload, options);
	}

	async #callChain(payload: JsonObject, given: AskOptions) {
		const options = { ...given, late: new Set<string>() };
		const handlers: HandlerReport[] = [];
		const outcome = (decision: Decided) => {
			const { plugin: _, ...result } = decision;
			const allowed = decision.action === "allow";
			return { event: "tool.call" as const, handlers, result: allowed ? null : result, decision };
		};
		let current = payload;
		let decision: Decided = { action: "allow", plugin: undefined };
		for (const { plugin, item } of this.#parts.registry.handlers("tool.call")) {
			const { report, answer, failed } = await this.#ask("tool.call", plugin, item.handler, current, options);
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

	async toolResult(payload: JsonObject, outcome: ToolOutcome, options: CallEventOptions): Promise<ToolOutcome> {
		const chain = await this.#chainResults({ ...payload, ...outcome }, options);
		return chain.changed ?? outcome;
	}

	async #resultChain(payload: JsonObject, options: EmitOptions): Promise<EventOutcome> {
		const { handlers, changed } = await this.#chainResults(payload, options);
		return { event: "tool.result", handlers, result: changed === undefined ? null : { ...changed } };
	}

	async #chainResults(payload: JsonObject, given: AskOptions) {
		const options = { ...given, late: new Set<string>() };
		const handlers: HandlerReport[] = [];
		let changed: ToolOutcome | undefined;
		for (const { plugin, item } of this.#parts.registry.handlers("tool.result")) {
			const current = { ...payload, ...changed };
			const { report, answer } = await this.#ask("tool.result", plugin, item.handler, current, options);
			handlers.push(report);
			// What an answer leaves out stays as it was.
			if (answer !== undefined) changed = { ...changed, ...answer };
		}
		return { handlers, changed };
	}

	async #ask<Name extends EventName>(
		name: Name,
		plugin: string,
		handler: number,
		payload: JsonObject,
		{ signal, timeoutMs = this.#parts.limits.eventHandlerMs, budget, late }: AskOptions,
	): Promise<Asked<Name>> {
		if (late?.has(plugin)) return notAsked(plugin);
		const begin = performance.now();
		const report = (more: Partial<HandlerReport>) => ({ plugin, ...more, ms: performance.now() - begin });
		try {
			const part = budget?.part(signal, timeoutMs) ?? { signal, timeoutMs };
			const given = await this.#parts.use(plugin, (backend) => backend.emit({ name, handler, payload }, part));
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
			if (budget === undefined && signal?.aborted) throw cancelled(signal, { subject: `event ${name}` });
			const over = budget?.over(signal);
			if (over !== undefined) throw over;
			if (isCallersMistake(error, name, budget)) throw error;
			if (isBroodError(error, "timeout") && !isAnswer(error)) late?.add(plugin);
			const message = describeThrown(error, this.#parts.root(plugin));
			this.#parts.problem(plugin, `its handler of ${name} failed: ${message}`, "error");
			const code = isBroodError(error) ? error.code : "plugin_error";
			return { plugin, report: report({ error: { code, message } }), answer: undefined as Answers[Name], failed: true };
		}
	}
}

/** A plugin that kept one event waiting for the whole time is not waited for again in it. */
function notAsked<Name extends EventName>(plugin: string): Asked<Name> {
	const message = "It was not asked: another handler of its plugin did not answer this event in time.";
	const report = { plugin, error: { code: "timeout", message }, ms: 0 };
	return { plugin, report, answer: undefined as Answers[Name], failed: true };
}

/** What is too large for the wire was so before any handler saw it; a result that is shown to handlers is its tool's. */
function isCallersMistake(error: unknown, name: EventName, budget: Budget | undefined): boolean {
	if (budget !== undefined && name !== "tool.call") return false;
	return isBroodError(error, "message_too_large") && !isAnswer(error);
}
