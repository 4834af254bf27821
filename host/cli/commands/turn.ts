import { BroodError } from "../../../runtime/errors.ts";
import { eventNames, type JsonObject } from "../../../runtime/records.ts";
import type { TurnFailure, TurnMismatch, TurnStep } from "../../calls/turn-types.ts";
import type { CommandContext } from "../context.ts";
import { formatMs, type Output, roundMs } from "../output.ts";
import { forScreen, shownName } from "../screen-text.ts";
import { type Session, withHost } from "../session.ts";
import { alignColumns } from "../style.ts";
import { noteThreads, threadRecord } from "../threads.ts";
import { readTurnScript } from "../turn-source.ts";
import { failedPlugins, warnOfFailed } from "./failed.ts";
import { isHandlerFailure } from "./plugin-answer.ts";

/**
 * `brood emit agent.turn`: plays a turn and tells step by step what each plugin did.
 *
 * @param path of a script in JSON, or in YAML by its extension; `-` is JSON on stdin
 * @throws BroodError of exit code 2 for a script that cannot be played, 5 when something failed or is not as expected
 */
export async function turn(context: CommandContext, path: string): Promise<number> {
	const { output } = context;
	const script = await readTurnScript(path, context);
	const task = async ({ host, signal, threads }: Session) => {
		const absent = failedPlugins(host.plugins.list()).find(({ scope }) => scope === "explicit");
		// A turn without the plugin that it is meant for shows nothing.
		if (absent !== undefined) throw absent.error;
		const onStep = (step: TurnStep) => {
			if (output.json) output.result(JSON.stringify(stepRecord(step)));
			else printStep(step, output);
		};
		const outcome = await host.turn(script, { signal, onStep });
		const { ok, thread, rounds, failures } = outcome;
		if (output.json)
			output.result(JSON.stringify({ step: "end", ok, thread, rounds, failures, ...threadRecord(threads) }));
		noteThreads(threads, output);
		warnOfFailed(host, context);
		if (!ok) throw explainFailures(failures);
		if (!output.json)
			output.note(`${outcome.steps.length} steps, ${rounds === 1 ? "1 round" : `${rounds} rounds`}: ok`);
		return 0;
	};
	return withHost(context, task, (entry) => eventNames.some((event) => isHandlerFailure(entry, event)));
}

function stepRecord({ handlers, ...step }: TurnStep) {
	return { ...step, handlers: handlers.map((handler) => ({ ...handler, ms: roundMs(handler.ms) })) };
}

function printStep({ step, round, tool, handlers, outcome, mismatches }: TurnStep, output: Output): void {
	const paint = output.paint.result;
	const subject = tool === undefined ? "" : ` ${forScreen(tool, 1)}`;
	const again = round === 1 ? "" : `  (round ${round})`;
	output.result(`${paint("bold", step + subject)}${again}`);
	const rows = handlers.map(({ plugin, ms, result, error }) => {
		const answer =
			error !== undefined ? `failed: ${error.message}` : result === undefined ? "no answer" : write(result);
		return [`  ${shownName(plugin)}`, formatMs(ms), forScreen(answer, 1)];
	});
	for (const line of alignColumns(rows)) output.result(line);
	const summary = describeOutcome(step, outcome);
	if (summary !== undefined) output.result(`  → ${forScreen(summary, 1)}`);
	if (mismatches === undefined) return;
	if (mismatches.length === 0) output.result(paint("green", "  ✓ as expected"));
	for (const line of mismatches.flatMap(describeMismatch)) output.result(paint("red", `  ${forScreen(line, 1)}`));
}

/** What the step came to, in one line; nothing where that is nothing. */
function describeOutcome(step: TurnStep["step"], outcome: JsonObject): string | undefined {
	const { messages, decision, gate, input, source, status, output, error, plugin } = outcome;
	const by = typeof gate === "string" ? ` by ${gate}` : "";
	switch (step) {
		case "session.start":
			return undefined;
		case "agent.start":
			return Array.isArray(messages) && messages.length > 0 ? `adds ${write(messages)}` : undefined;
		case "tool.call":
			return `${decision}${by}, with the input ${write(input)}`;
		case "tool.result":
			return `${status}: ${write(error ?? output ?? "")} (from ${sources[String(source)] ?? source})`;
		case "agent.end":
			if (outcome.continue !== false) return `${plugin} continues: ${write(outcome.continue)}`;
			return error === undefined ? `ends: ${status}` : `ends: ${status}, as a gate said: ${write(error)}`;
	}
}

function describeMismatch({ path, expected, actual }: TurnMismatch): string[] {
	return [
		`✗ ${path}`,
		`  - expected ${write(expected)}`,
		`  + actual   ${actual === undefined ? "(none)" : write(actual)}`,
	];
}

function write(value: unknown): string {
	return JSON.stringify(value) ?? "";
}

/** The error names the plugin where all is the fault of one. */
function explainFailures(failures: TurnFailure[]): BroodError {
	const told = failures.map(({ step, message }) => (step === undefined ? message : `step ${step}: ${message}`));
	const plugins = new Set(failures.map(({ plugin }) => plugin));
	const [plugin] = plugins.size === 1 ? plugins : [];
	const message = `The turn failed: ${told.join("; ")}`;
	return new BroodError("plugin_error", message.endsWith(".") ? message : `${message}.`, { plugin });
}

const sources: Record<string, string> = {
	plugin: "the plugin's tool",
	script: "the script",
	gate: "the gate",
	nobody: "nobody: the script gives no result",
};
