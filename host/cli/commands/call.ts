import type { ContentBlock } from "../../../runtime/records.ts";
import type { ToolResult } from "../../calls/dispatch.ts";
import { readObject } from "../arguments.ts";
import type { CommandContext } from "../context.ts";
import { reportFailure } from "../failure.ts";
import { type Output, roundMs } from "../output.ts";
import { forScreen } from "../screen-text.ts";
import { withHost } from "../session.ts";
import { explainMissing, warnOfFailed } from "./failed.ts";
import { errorSummary, explainAnswer } from "./plugin-answer.ts";

export interface CallCommandOptions {
	/** Whether plugins see `tool.call` and `tool.result`. */
	events: boolean;
	/** Milliseconds. */
	timeout?: number;
	thread?: string;
}

/** `brood call`: the answer of a tool. @returns 5 when the plugin answered with an error */
export async function call(
	context: CommandContext,
	name: string,
	json: string | undefined,
	{ events, timeout, thread }: CallCommandOptions,
): Promise<number> {
	const { output } = context;
	const input = await readObject(json, "The input of the tool");
	return withHost(context, async ({ host, signal }) => {
		const options = {
			events,
			signal,
			...(timeout === undefined ? {} : { timeoutMs: timeout }),
			...(thread === undefined ? {} : { threadID: thread }),
		};
		const result = await explainMissing(host, () => host.tools.call(name, input, options));
		warnOfFailed(host, context);
		print(result, output);
		if (result.ok) return 0;
		return reportFailure(await explainAnswer(host, `Tool "${name}"`, result), output);
	});
}

function print({ ok, text, content, plugin, ms, error }: ToolResult, output: Output): void {
	if (output.json) {
		const summary = error === undefined ? {} : { error: errorSummary(error) };
		output.result(JSON.stringify({ ok, text, content, plugin, ms: roundMs(ms), ...summary }));
	} else if (ok) {
		if (content.length > 0) output.result(content.map(describeBlock).join("\n"));
	} else if (text !== error?.message) {
		output.note(forScreen(text, 2));
	}
}

function describeBlock(block: ContentBlock): string {
	if (block.type === "text") return forScreen(block.text, 1);
	const { mimeType } = block;
	if ("url" in block) return `[image ${mimeType} at ${block.url}]`;
	return `[image ${mimeType}, ${Buffer.byteLength(block.data, "base64")} bytes]`;
}
