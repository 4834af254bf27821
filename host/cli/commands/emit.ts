import { failure, isBroodError } from "../../../runtime/errors.ts";
import { type EventName, eventNames, type JsonObject } from "../../../runtime/records.ts";
import type { EventOutcome, HandlerReport } from "../../calls/events.ts";
import { readObject } from "../arguments.ts";
import type { CommandContext } from "../context.ts";
import { reportFailure } from "../failure.ts";
import { formatMs, type Output, roundMs } from "../output.ts";
import { forScreen, shownName } from "../screen-text.ts";
import { type Session, withHost } from "../session.ts";
import { alignColumns } from "../style.ts";
import { failedPlugins, warnOfFailed } from "./failed.ts";

export interface EmitCommandOptions {
	/** A JSON object as text, or `-`. */
	data?: string;
}

/** `brood emit`: what each handler of an event answers. @returns 5 when a handler failed */
export async function emit(context: CommandContext, event: string, { data }: EmitCommandOptions): Promise<number> {
	const { output } = context;
	const name = eventNames.find((known) => known === event);
	if (name === undefined) {
		const hint = `The events are ${eventNames.join(", ")}.`;
		throw failure("usage", { reason: `There is no event "${event}"`, hint });
	}
	const payload = await readObject(data, "The data of the event");
	return withHost(context, async (session) => {
		const outcome = await fire(session, name, payload);
		if (output.json) output.result(JSON.stringify(outcomeRecord(outcome)));
		else print(outcome, output);
		const { host } = session;
		// An event that did not reach the plugin which it was meant for says nothing.
		const absent = failedPlugins(host.plugins.list()).find(({ scope }) => scope === "explicit");
		const broken = outcome.handlers.filter(({ error }) => error !== undefined);
		if (broken.length > 0) return reportFailure(explainBroken(outcome, broken), output);
		if (absent !== undefined) return reportFailure(absent.error, output);
		warnOfFailed(host, context);
		return 0;
	});
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
	return { event, handlers: handlers.map((handler) => ({ ...handler, ms: roundMs(handler.ms) })), result };
}

function print({ event, handlers, result }: EventOutcome, output: Output): void {
	const paint = output.paint.result;
	if (handlers.length === 0) return output.note(`No plugin handles ${event}.`);
	const rows = handlers.map(({ plugin, ms, ...answer }) => {
		return [paint("bold", shownName(plugin)), formatMs(ms), forScreen(describeAnswer(answer), 1)];
	});
	output.result(alignColumns(rows).join("\n"));
	output.result(`${paint("bold", "result")}  ${forScreen(JSON.stringify(result), 1)}`);
}

function describeAnswer({ result, error }: Pick<HandlerReport, "result" | "error">): string {
	if (error !== undefined) return `failed: ${error.message}`;
	return result === undefined ? "no answer" : JSON.stringify(result);
}

function explainBroken({ event, handlers }: EventOutcome, broken: HandlerReport[]) {
	const [first, second] = broken;
	if (first !== undefined && second === undefined) {
		const { plugin, error } = first;
		return failure("plugin_error", { plugin, subject: `The handler of ${event}`, reason: error?.message ?? "" });
	}
	const reason = broken.map(({ plugin, error }) => `"${plugin}": ${error?.message}`).join("; ");
	return failure("plugin_error", { subject: `${broken.length} of ${handlers.length} handlers of ${event}`, reason });
}
