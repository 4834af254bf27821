import { comesTrue } from "../support/processes.ts";
import { checkAnswer, checkForged, siblingAnswers, subjectAnswers } from "./answering.ts";
import { type Exit, type Expected, leavesDialog } from "./expected.ts";
import { checkLost, different, isExit, isOfSubject, ladderMs, type Outcome, settledBy } from "./outcome.ts";

/** Tells everything that is not as it must be. */
export async function checkPoint(given: Outcome): Promise<string[]> {
	const outcome = { ...given, expected: asItCame(given) };
	const { world, expected, point } = outcome;
	const problems: string[] = [];
	const { ending } = expected;
	if (point.scenario === "stop") problems.push(...(await checkStopped(outcome)));
	else if (point.scenario === "reload" && point.moment.launch === 1) problems.push(...(await checkReplaced(outcome)));
	else if (ending.is === "fails") problems.push(...(await checkFailed(outcome, ending)));
	else if (ending.is === "crashes") problems.push(...(await checkCrashed(outcome, ending.exits)));
	else problems.push(...(await checkServes(outcome)));
	problems.push(...checkAnswer(outcome), ...(await checkForged(outcome)));
	if (expected.problem !== undefined && !(await comesTrue(() => world.logged(expected.problem ?? ""), 2_000))) {
		const log = world.host.plugins.log("subject").slice(-5);
		problems.push(`its log does not say ${expected.problem}: ${log.map(({ message }) => message).join(" | ")}`);
	}
	problems.push(...(await siblingAnswers(outcome)));
	return problems;
}

function asItCame({ expected, world, answer }: Outcome): Expected {
	const isUnharmed = world.host.plugins.get("subject").error === undefined && answer.error === undefined;
	return expected.orServes && isUnharmed ? { ending: { is: "serves" }, answer: "given" } : expected;
}

// ── The four endings ─────────────────────────────────────────────────────────────────────────────────────────────

async function checkFailed(outcome: Outcome, ending: Extract<Expected["ending"], { is: "fails" }>): Promise<string[]> {
	const { world, point, recording, background, answer, committedAt } = outcome;
	const { state, error, launches } = world.host.plugins.get("subject");
	const isReload = point.scenario === "reload";
	const wantedState = isReload ? "ready" : ending.code === "incompatible_protocol" ? "incompatible" : "failed";
	const wanted = isReload ? recording.both : recording.alone;
	const wrong = world.seen.find(({ visible }) => !isReload && visible.some(isOfSubject));
	const isExitRight = ending.exit === undefined || isExit(error?.exit, ending.exit);
	const late = ending.exit === undefined ? 0 : answer.at - settledBy({ ...outcome, committedAt });
	return [
		...(state === wantedState ? [] : [`its state is ${state}`]),
		...(launches === 1 ? [] : [`it was launched ${launches} times`]),
		...(error?.code === ending.code ? [] : [`its error is ${error?.code}: ${error?.message}`]),
		...(error?.stage === ending.stage || error?.stage === ending.orStage
			? []
			: [`its error names the stage ${error?.stage}, not ${ending.stage}`]),
		...(isExitRight ? [] : [`its error tells the exit ${JSON.stringify(error?.exit)}`]),
		...(late > 0 ? [`the load was settled ${late} ms too late`] : []),
		...(wrong === undefined ? [] : [`something of it was visible: ${wrong.visible.join(", ")}`]),
		...different("after the failure", world.visible(), wanted),
		...(isReload ? untouched(outcome) : []),
		...(background?.settled() === undefined ? [] : ["a call of the instance that serves on was ended"]),
		...(isReload && answer.error !== error ? ["the error of the reload is not the one that is shown"] : []),
	];
}

/** While a reload fails, nothing changes for anybody. */
function untouched({ world, recording, committedAt }: Outcome): string[] {
	const registry = recording.both.filter((entry) => !entry.startsWith("status "));
	const after = world.seen.filter(({ at, state }) => at >= committedAt && state === "ready");
	return after.flatMap(({ visible }) => different("while the reload failed", visible, registry));
}

async function checkCrashed(outcome: Outcome, exits: Exit[]): Promise<string[]> {
	const { world, recording, background, point } = outcome;
	const { host, seen } = world;
	const isAgain = () =>
		seen.some(({ state }) => state === "restarting") && host.plugins.get("subject").state === "ready";
	if (!(await comesTrue(isAgain, 6_000))) {
		return [`it did not start again, its state is ${host.plugins.get("subject").state}`];
	}
	const registry = (list: string[]) => list.filter((entry) => !entry.startsWith("status "));
	const down = seen.findIndex(({ state }) => state === "restarting");
	const up = seen.findIndex(({ visible }, index) => index > down && visible.some(isOfSubject));
	const between = seen.slice(down, up);
	const late = (seen[down]?.at ?? 0) - settledBy(outcome);
	// That of a reload waits on the instance that was replaced.
	const isOnOther = background === undefined || point.scenario === "reload";
	const lost = isOnOther ? [] : checkLost(outcome, background.settled(), "the call that waited", exits);
	const atSettled = isOnOther ? undefined : background.settled();
	return [
		...between.flatMap(({ visible }) => different("before the restart", visible, registry(recording.alone))),
		...different("at the restart", seen[up]?.visible ?? [], registry(recording.both)),
		...(late > 0 ? [`it was withdrawn ${late} ms too late`] : []),
		...lost,
		...(atSettled === undefined
			? []
			: different("when the call that waited was settled", atSettled.visible, recording.alone)),
		...(leavesDialog(point) && !world.dialogs.at(-1)?.isAborted ? ["its dialog stayed on screen"] : []),
		...((await comesTrue(() => Bun.deepEquals(world.visible(), recording.both), 1_000))
			? []
			: different("after the restart", world.visible(), recording.both)),
		...(await subjectAnswers(outcome)),
		...(host.plugins.get("subject").launches === 2 ? [] : [`${point.scenario} took another number of launches`]),
	];
}

async function checkServes(outcome: Outcome): Promise<string[]> {
	const { world, expected, background } = outcome;
	const allowed = visibleAfter(outcome);
	const asAllowed = () => allowed.find((wanted) => Bun.deepEquals(world.visible(), wanted));
	await comesTrue(() => asAllowed() !== undefined, 2_000);
	const wanted = asAllowed() ?? allowed[0] ?? [];
	const { state, launches } = world.host.plugins.get("subject");
	return [
		...different("after the fault", world.visible(), wanted),
		...(state === "ready" ? [] : [`its state is ${state}`]),
		...(launches === 1 ? [] : [`it was launched ${launches} times`]),
		...(background?.settled() === undefined || outcome.point.scenario === "reload"
			? []
			: ["the call that waited was ended"]),
		...(expected.missing?.startsWith("tool") ? [] : await subjectAnswers(outcome)),
	];
}

/** What may be visible. Lists that are asked for at once are answered in any order: the fault then meets either. */
function visibleAfter(outcome: Outcome): string[][] {
	const { point, expected } = outcome;
	const isOfTwo = point.scenario === "registration" && expected.problem === "could not be fetched";
	const missing = isOfTwo ? [expected.missing, ...grownNames] : [expected.missing];
	return missing.map((one) => visibleWithout(outcome, one));
}

const grownNames = ["tool subject subject_grown", "command subject subject:grown"];

function visibleWithout({ point, recording }: Outcome, missing: string | undefined): string[] {
	const grown = point.scenario === "registration" ? grownNames : [];
	// A kind that was not told of is missing for the subject alone.
	const isMissing = (entry: string) =>
		missing !== undefined && (missing.includes(" ") ? entry === missing : entry.startsWith(`${missing} subject`));
	return [...recording.both, ...grown].filter((entry) => !isMissing(entry)).sort();
}

async function checkReplaced(outcome: Outcome): Promise<string[]> {
	const { background, recording, world } = outcome;
	const { state, launches } = world.host.plugins.get("subject");
	if (background !== undefined) await comesTrue(() => background.settled() !== undefined, 5_000);
	const registry = recording.both.filter((entry) => !entry.startsWith("status "));
	const loaded = world.seen.filter((seen) => seen.state === "ready").slice(1);
	return [
		...loaded.flatMap(({ visible }) => different("while the old one ended", visible, registry)),
		...different("after the fault", world.visible(), recording.both),
		...(state === "ready" && launches === 1 ? [] : [`its state is ${state} after ${launches} launches`]),
		...checkLost(
			{ ...outcome, committedAt: outcome.committedAt + 1_000 },
			background?.settled(),
			"the call of the old one",
		),
		...(await subjectAnswers(outcome)),
	];
}

async function checkStopped(outcome: Outcome): Promise<string[]> {
	const { world, recording, background } = outcome;
	const { state, launches } = world.host.plugins.get("subject");
	const registry = recording.alone.filter((entry) => !entry.startsWith("status "));
	const stopping = world.seen.findIndex((seen) => seen.state === "stopping");
	if (background !== undefined) await comesTrue(() => background.settled() !== undefined, 1_000);
	return [
		...(state === "disabled" ? [] : [`its state is ${state}`]),
		...(launches === 1 ? [] : [`it was launched ${launches} times`]),
		...world.seen.slice(stopping).flatMap(({ visible }) => different("while it stopped", visible, registry)),
		...different("after the stop", world.visible(), recording.alone),
		...checkLost(
			{ ...outcome, committedAt: outcome.committedAt + ladderMs },
			background?.settled(),
			"the call that waited",
		),
	];
}
