import { describeMismatch } from "../../host/calls/turn-record.ts";
import type { TurnOutcome, TurnStep } from "../../host/calls/turn-types.ts";
import { BroodError } from "../../runtime/errors.ts";

/** Says what failed in a turn by the places of its script, which are what its author knows; undefined where nothing did. */
export function turnError(plugin: string, outcome: TurnOutcome): BroodError | undefined {
	if (outcome.ok) return undefined;
	const places = outcome.steps.map((step, index) => placeOf(step, outcome.steps.slice(0, index)));
	const unmet = outcome.steps.flatMap(({ mismatches = [] }, index) =>
		mismatches.map((mismatch) => `${places[index]}.expect.${describeMismatch(mismatch)}`),
	);
	const others = outcome.failures
		.filter(({ kind }) => kind !== "expectation")
		.map(({ step, message }) => (step === undefined ? message : `${places[step - 1]}: ${message}`));
	const hint = "Mend the plugin or the script; with strict: false, the failures are in what plugin.turn resolves with.";
	const message = `The turn of plugin "${plugin}" did not go as its script says:\n${list([...unmet, ...others])}\n${hint}`;
	return new BroodError("usage", message, { plugin, hint });
}

/** Where a step stands in its script, as in `rounds[0].tools[1]`. */
function placeOf({ step, round, tool }: TurnStep, before: readonly TurnStep[]): string {
	const inRound = round === 1 ? "" : `rounds[${round - 2}].`;
	if (tool === undefined) return `${inRound}${step === "session.start" ? "session" : step.replace("agent.", "")}`;
	const earlier = before.filter((other) => other.round === round && other.step === step);
	return `${inRound}tools[${earlier.length}] (${tool})`;
}

function list(texts: readonly string[]): string {
	return texts.map((text) => `  ${text}`).join("\n");
}
