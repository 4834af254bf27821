import type { CommandContext } from "../context.ts";
import { formatMs, roundMs } from "../output.ts";
import { forScreen } from "../screen-text.ts";
import { withHost } from "../session.ts";
import { noteThreads, type ThreadChoice, threadRecord } from "../threads.ts";
import { explainMissing, warnOfFailed } from "./failed.ts";
import { hintingAtTimeout } from "./more-time.ts";
import { errorSummary, explainAnswer } from "./plugin-answer.ts";
import { describeRecord } from "./ui-text.ts";

export interface RunOptions extends ThreadChoice {
	/** Milliseconds. */
	timeout?: number;
}

/** `brood run`: what a command asked and was answered. @throws BroodError of exit code 5 when it failed */
export function run(context: CommandContext, id: string, { timeout, ...chosen }: RunOptions): Promise<number> {
	const { output, options } = context;
	return withHost({ ...context, threads: chosen }, async ({ host, threads, ui, shown, signal }) => {
		const callOptions = { signal, ...(timeout === undefined ? {} : { timeoutMs: timeout }) };
		const result = await hintingAtTimeout(() => explainMissing(host, () => host.commands.run(id, callOptions)));
		const { ok, plugin, ms } = result;
		const error = ok ? undefined : await explainAnswer(host, `Command "${id}"`, result);
		warnOfFailed(host, context);
		if (output.json) {
			const summary = error === undefined ? {} : { error: errorSummary(error) };
			output.result(JSON.stringify({ ok, plugin, ui, ms: roundMs(ms), ...summary, ...threadRecord(threads) }));
		} else if (!shown) {
			for (const record of ui) output.result(forScreen(describeRecord(record, error?.message), 1));
		}
		noteThreads(threads, output);
		if (error !== undefined) throw error;
		if (!output.json && !options.quiet) output.note(`Command "${id}" of plugin "${plugin}" took ${formatMs(ms)}.`);
		return 0;
	});
}
