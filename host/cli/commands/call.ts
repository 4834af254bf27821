import type { BroodError } from "../../../runtime/errors.ts";
import type { ContentBlock } from "../../../runtime/records.ts";
import type { LogEntry } from "../../base/log.ts";
import type { ToolResult } from "../../calls/dispatch.ts";
import type { ThreadStore } from "../../providers/threads.ts";
import { readObject } from "../arguments.ts";
import type { CommandContext } from "../context.ts";
import { type Output, roundMs } from "../output.ts";
import { forScreen } from "../screen-text.ts";
import { type Session, withHost } from "../session.ts";
import { noteThreads, type ThreadChoice, threadRecord } from "../threads.ts";
import { explainMissing, warnOfFailed } from "./failed.ts";
import { hintingAtTimeout } from "./more-time.ts";
import { errorSummary, explainAnswer, isHandlerFailure } from "./plugin-answer.ts";

export interface CallCommandOptions extends ThreadChoice {
	/** Whether plugins see `tool.call` and `tool.result`. */
	events: boolean;
	/** Milliseconds. */
	timeout?: number;
}

/** `brood call`: the answer of a tool. @throws BroodError of exit code 5 when the plugin answered with an error */
export async function call(
	context: CommandContext,
	name: string,
	json: string | undefined,
	{ events, timeout, ...threads }: CallCommandOptions,
): Promise<number> {
	const input = await readObject(json, "the input of the tool", context.stdin);
	const task = async ({ host, threads, signal }: Session) => {
		const options = {
			events,
			signal,
			...(timeout === undefined ? {} : { timeoutMs: timeout }),
		};
		const result = await hintingAtTimeout(() => explainMissing(host, () => host.tools.call(name, input, options)));
		const error = result.ok ? undefined : await explainAnswer(host, `Tool "${name}"`, result);
		warnOfFailed(host, context);
		print(result, error, threads, context.output);
		if (error !== undefined) throw error;
		return 0;
	};
	return withHost({ ...context, threads }, task, stopsCall);
}

/** Whether a log entry tells why no call was made, as the error does that comes of it. */
function stopsCall(entry: LogEntry): boolean {
	return (
		isHandlerFailure(entry, "tool.call") || (entry.source === "host" && entry.message.startsWith("The input schema "))
	);
}

function print(
	{ ok, text, content, plugin, ms }: ToolResult,
	error: BroodError | undefined,
	threads: ThreadStore,
	output: Output,
): void {
	noteThreads(threads, output);
	if (output.json) {
		const summary = error === undefined ? {} : { error: errorSummary(error) };
		output.result(JSON.stringify({ ok, text, content, plugin, ms: roundMs(ms), ...summary, ...threadRecord(threads) }));
	} else if (error === undefined) {
		if (content.length > 0) output.result(content.map(describeBlock).join("\n"));
	} else if (!error.message.includes(text)) {
		// A handler of tool.result has put other words in the place of the tool's.
		output.note(forScreen(text, 2));
	}
}

/** A block of a tool's answer for a screen. */
export function describeBlock(block: ContentBlock): string {
	if (block.type === "text") return forScreen(block.text, 1);
	const { mimeType } = block;
	if ("url" in block) return `[image ${mimeType} at ${block.url}]`;
	return `[image ${mimeType}, ${Buffer.byteLength(block.data, "base64")} bytes]`;
}
