import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import type { Stdin } from "../arguments.ts";
import type { CommandContext } from "../context.ts";
import { formatMs, type Output, roundMs } from "../output.ts";
import { forScreen } from "../screen-text.ts";
import { withHost } from "../session.ts";
import { noteThreads, type ThreadChoice, threadRecord } from "../threads.ts";
import { explainMissing, warnOfFailed } from "./failed.ts";
import { hintingAtTimeout } from "./more-time.ts";
import { errorSummary, explainAnswer } from "./plugin-answer.ts";
import { describeRecord } from "./ui-text.ts";

export interface WebhookOptions extends ThreadChoice {
	/** Headers of the request, each as `name: value`. */
	header?: string[];
	/** Milliseconds. */
	timeout?: number;
}

/** `brood webhook`: hands an event to the handler of a webhook. @throws BroodError of exit code 5 when it failed */
export async function webhook(
	context: CommandContext,
	name: string,
	text: string | undefined,
	{ header = [], timeout, ...chosen }: WebhookOptions,
): Promise<number> {
	const { output, options } = context;
	const headers = header.map(readHeader);
	const body = await readBody(text, context.stdin);
	return withHost({ ...context, threads: chosen }, async ({ host, threads, ui, shown, signal }) => {
		const callOptions = { signal, ...(timeout === undefined ? {} : { timeoutMs: timeout }) };
		const deliver = () => explainMissing(host, () => host.webhooks.deliver(name, { body, headers }, callOptions));
		// No command gives a handler more time than a delivery has.
		const isShort = timeout !== undefined && timeout < limits.webhooks.handlerMs;
		const result = await (isShort ? hintingAtTimeout(deliver) : deliver());
		const { ok, plugin, key, ms } = result;
		const error = ok ? undefined : await explainAnswer(host, `The handler of webhook "${key}"`, result);
		warnOfFailed(host, context);
		const asked = (await host.webhooks.list()).find((known) => known.plugin === plugin && known.key === key)?.headers;
		noteUnasked(headers, asked ?? [], output);
		if (output.json) {
			const summary = error === undefined ? {} : { error: errorSummary(error) };
			output.result(JSON.stringify({ ok, plugin, key, ms: roundMs(ms), ui, ...summary, ...threadRecord(threads) }));
		} else if (!shown) {
			for (const record of ui) output.result(forScreen(describeRecord(record, error?.message), 1));
		}
		noteThreads(threads, output);
		if (error !== undefined) throw error;
		if (!output.json && !options.quiet) output.note(`Webhook "${key}" of plugin "${plugin}" took ${formatMs(ms)}.`);
		return 0;
	});
}

/** The bytes on stdin as they are, or the text of the argument as UTF-8. */
async function readBody(text: string | undefined, stdin: Stdin): Promise<string | Uint8Array> {
	if (text === "-") return stdin.readBytes("the body");
	return text ?? "";
}

/** @throws BroodError `usage` */
function readHeader(line: string): [name: string, value: string] {
	const [, name, value = ""] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
	if (name !== undefined && !/[\r\n\0]/.test(value)) return [name, value.trim()];
	throw failure("usage", { reason: `--header takes 'name: value', unlike ${JSON.stringify(line)}` });
}

/** Whoever gives a header expects the handler to see it. */
function noteUnasked(headers: [name: string, value: string][], asked: readonly string[], output: Output): void {
	const names = new Set(headers.map(([name]) => name.toLowerCase()).filter((name) => !asked.includes(name)));
	if (names.size === 0 || output.json) return;
	output.note(`The webhook asks for other headers, so its handler did not get ${[...names].join(", ")}.`);
}
