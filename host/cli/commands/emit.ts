import { type BroodError, failure, isBroodError } from "../../../runtime/errors.ts";
import { type EventName, eventNames, type JsonObject } from "../../../runtime/records.ts";
import type { EventOutcome, HandlerReport } from "../../calls/events.ts";
import { readObject } from "../arguments.ts";
import type { CommandContext } from "../context.ts";
import { formatMs, type Output, roundMs } from "../output.ts";
import { forScreen, shownName } from "../screen-text.ts";
import { type Session, withHost } from "../session.ts";
import { alignColumns } from "../style.ts";
import { noteThreads, type ThreadChoice, threadRecord } from "../threads.ts";
import { failedPlugins, warnOfFailed } from "./failed.ts";
import { isHandlerFailure } from "./plugin-answer.ts";

export interface EmitCommandOptions extends ThreadChoice {
	/** A JSON object as text, or `-`. */
	data?: string;
	/** The path of a turn's script, for `agent.turn`. */
	script?: string;
}

/** `brood emit`: what each handler of an event answers. @throws BroodError of exit code 5 when a handler failed */
export async function emit(
	context: CommandContext,
	event: string,
	{ data, script, ...threads }: EmitCommandOptions,
): Promise<number> {
	const { output } = context;
	if (event === "agent.turn" && script !== undefined && data === undefined) {
		return (await import("./turn.ts")).turn({ ...context, threads }, script);
	}
	if (event === "agent.turn") throw failure("usage", { reason: "agent.turn takes --script FILE, and no --data" });
	if (script !== undefined) throw failure("usage", { reason: "--script belongs to agent.turn" });
	const name = eventNames.find((known) => known === event);
	if (name === undefined) {
		const hint = `Known events: ${eventNames.join(", ")}; agent.turn plays a whole turn.`;
		throw failure("usage", { reason: `There is no event "${event}"`, hint });
	}
	const payload = await readObject(data, "the data of the event", context.stdin);
	const task = async (session: Session) => {
		const outcome = await fire(session, name, payload);
		if (output.json) output.result(JSON.stringify({ ...outcomeRecord(outcome), ...threadRecord(session.threads) }));
		else printOutcome(outcome, output);
		noteThreads(session.threads, output);
		const { host } = session;
		// An event that did not reach the plugin which it was meant for says nothing.
		const absent = failedPlugins(host.plugins.list()).find(({ scope }) => scope === "explicit");
		const broken = brokenHandlers(outcome);
		if (broken !== undefined) throw broken;
		if (absent !== undefined) throw absent.error;
		warnOfFailed(host, context);
		return 0;
	};
	return withHost({ ...context, threads }, task, (entry) => isHandlerFailure(entry, name));
}

async function fire({ host, signal }: Session, event: EventName, data: JsonObject): Promise<EventOutcome> {
	try {
		return await host.emit(event, data, { signal });
	} catch (error) {
		if (!isBroodError(error, "invalid_params")) throw error;
		throw failure("usage", { reason: error.message, cause: error });
	}
}

function outcomeRecord({ event, handlers, result }: EventOutcome) {
	const records = handlers.map((handler) => {
		const { error, ms } = handler;
		const summary = error === undefined ? {} : { error: { ...error, message: explainFailed(event, handler).message } };
		return { ...handler, ...summary, ms: roundMs(ms) };
	});
	return { event, handlers: records, result };
}

/** What the handlers answered; why one failed is told as the error of the command. */
export function printOutcome(outcome: EventOutcome, output: Output): void {
	const { event, handlers } = outcome;
	const paint = output.paint.result;
	if (handlers.length === 0) return output.note(`No plugin handles ${event}.`);
	const rows = handlers.map(({ plugin, ms, result, error }) => {
		const answer = error !== undefined ? "failed" : result === undefined ? "no answer" : JSON.stringify(result);
		return [paint("bold", shownName(plugin)), formatMs(ms), forScreen(answer, 1)];
	});
	output.result(alignColumns(rows).join("\n"));
	output.result(`${paint("bold", "result")}  ${forScreen(describeResult(outcome), 1)}`);
}

/** The answers as one, and what is told already only by who told it. */
function describeResult({ event, handlers, result }: EventOutcome): string {
	const last = handlers.at(-1);
	if (event === "tool.call" && result !== null && last?.error !== undefined) {
		return `the call is rejected, because the handler of ${shownName(last.plugin)} failed`;
	}
	const decisive = result === null ? undefined : handlers.findLast((handler) => Bun.deepEquals(handler.result, result));
	return decisive === undefined ? JSON.stringify(result) : `the answer of ${shownName(decisive.plugin)}`;
}

function explainFailed(event: EventName, { plugin, error }: HandlerReport): BroodError {
	return failure("plugin_error", { plugin, subject: `The handler of ${event}`, reason: error?.message ?? "" });
}

/** Why handlers failed; undefined when none did. */
export function brokenHandlers({ event, handlers }: EventOutcome): BroodError | undefined {
	const broken = handlers.filter(({ error }) => error !== undefined);
	const [first, second] = broken;
	if (first === undefined) return undefined;
	if (second === undefined) return explainFailed(event, first);
	const reason = broken.map(({ plugin, error }) => `"${plugin}": ${error?.message}`).join("; ");
	return failure("plugin_error", { subject: `${broken.length} of ${handlers.length} handlers of ${event}`, reason });
}
