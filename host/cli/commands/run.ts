import type { UIRecord } from "../../ui/recording.ts";
import type { CommandContext } from "../context.ts";
import { reportFailure } from "../failure.ts";
import { formatMs, roundMs } from "../output.ts";
import { forScreen } from "../screen-text.ts";
import { withHost } from "../session.ts";
import { explainMissing, warnOfFailed } from "./failed.ts";
import { errorSummary, explainAnswer } from "./plugin-answer.ts";

export interface RunOptions {
	/** Milliseconds. */
	timeout?: number;
}

/** `brood run`: what a command asked and was answered. @returns 5 when it failed */
export function run(context: CommandContext, id: string, { timeout }: RunOptions): Promise<number> {
	const { output, options } = context;
	return withHost(context, async ({ host, ui, shown, signal }) => {
		const callOptions = { signal, ...(timeout === undefined ? {} : { timeoutMs: timeout }) };
		const { ok, plugin, ms, error } = await explainMissing(host, () => host.commands.run(id, callOptions));
		warnOfFailed(host, context);
		if (output.json) {
			const summary = error === undefined ? {} : { error: errorSummary(error) };
			output.result(JSON.stringify({ ok, plugin, ui, ms: roundMs(ms), ...summary }));
		} else if (!shown) {
			for (const record of ui) output.result(forScreen(describeRecord(record), 1));
		}
		if (!ok)
			return reportFailure(await explainAnswer(host, `Command "${id}"`, { plugin, ...(error && { error }) }), output);
		if (!output.json && !options.quiet) output.note(`Command "${id}" of plugin "${plugin}" took ${formatMs(ms)}.`);
		return 0;
	});
}

/** One line about a message or dialog: `confirm "Deploy?" → true`. */
function describeRecord({ kind, title, message, answer, cancelled, error }: UIRecord): string {
	const asked = [kind, title ?? message].filter((part) => part !== undefined).join(": ");
	if (error !== undefined) return `${asked} → failed: ${error.message}`;
	if (cancelled) return `${asked} → cancelled`;
	return answer === undefined ? asked : `${asked} → ${JSON.stringify(answer)}`;
}
