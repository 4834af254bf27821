import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBroodError, messageOf } from "../../../runtime/errors.ts";
import { comesTrue } from "../support/processes.ts";
import { floodRequests } from "./forgeries.ts";
import { checkLost, describe, type Outcome } from "./outcome.ts";
import { type FaultName, faults, files } from "./points.ts";
import { scenarios } from "./scenarios.ts";

/** What the caller got. */
export function checkAnswer(outcome: Outcome): string[] {
	const { expected, answer, point } = outcome;
	if (expected.answer === "either") {
		return answer.error === undefined ? sameAnswer(outcome) : checkLost(outcome, answer, "the call");
	}
	if (expected.answer === "given") return sameAnswer(outcome);
	if (expected.answer === "lost") return checkLost(outcome, answer, "the call");
	if (point.scenario === "load") return [];
	if (isBroodError(answer.error, expected.answer)) return [];
	return [`the caller did not get ${expected.answer} but ${describe(answer)}`];
}

function sameAnswer({ point, answer }: Outcome): string[] {
	const { answer: wanted } = scenarios[point.scenario];
	return answer.error === undefined && answer.text === wanted ? [] : [`the caller got ${describe(answer)}`];
}

/** The sibling has noticed nothing. */
export async function siblingAnswers({ world }: Outcome): Promise<string[]> {
	const { state, launches } = world.host.plugins.get("sibling");
	const { text } = await world.host.tools
		.call("sibling_plain", {}, { events: false, timeoutMs: answerMsMax })
		.catch((error: unknown) => ({ text: messageOf(error) }));
	return text === "sibling_plain" && state === "ready" && launches === 1
		? []
		: [`the sibling, ${state}, launched ${launches} times, answers ${text}`];
}

/** The subject works, be it again or still. */
export async function subjectAnswers({ world }: Outcome): Promise<string[]> {
	const { text } = await world.host.tools
		.call("subject_plain", { n: 8 }, { events: false, timeoutMs: answerMsMax })
		.catch((error: unknown) => ({ text: messageOf(error) }));
	return text === "plain 8" ? [] : [`it answers ${text}`];
}

/** How many answers the host must give to what was made up, by fault; each either a result or an error of this code. */
const forgedAnswers: Partial<Record<FaultName, { count: number; code?: number }>> = {
	"unknown request": { count: 1, code: -32_601 },
	batch: { count: 1, code: -32_600 },
	"forged hello": { count: 1 },
	"foreign hello": { count: 1, code: -32_016 },
	"flood of requests": { count: floodRequests },
};

/** The host answered everything that was made up, and no more. */
export async function checkForged({ world, point, expected }: Outcome): Promise<string[]> {
	const wanted = forgedAnswers[point.fault];
	if (wanted === undefined || expected.ending.is !== "serves" || faults[point.fault] === "end") return [];
	const file = join(world.folder, files.forged);
	const answers = () => {
		// What follows the last line end is still being written.
		const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
		return lines.map((line) => JSON.parse(line) as { error?: { code: number } });
	};
	await comesTrue(() => answers().length >= wanted.count, 10_000);
	const codes = new Set(answers().map(({ error }) => error?.code));
	const isRight = answers().length === wanted.count && (wanted.code === undefined || codes.has(wanted.code));
	return isRight ? [] : [`what was made up got ${answers().length} answers, with the codes ${[...codes].join(", ")}`];
}

/** A call behind a flood waits until that was read, which other tests beside this one make longer. */
const answerMsMax = 10_000;
