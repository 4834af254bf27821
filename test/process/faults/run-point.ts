import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGate } from "../../../host/base/gate.ts";
import type { LimitOverrides } from "../../../runtime/limits.ts";
import { comesTrue, groupEnds } from "../support/processes.ts";
import { checkPoint } from "./checks.ts";
import { expectedOf, leavesDialog } from "./expected.ts";
import { type Settled, settle, type Watched } from "./outcome.ts";
import { type Boundary, type FaultName, faults, files, type Point, type ScenarioName } from "./points.ts";
import type { Committed } from "./relay.ts";
import { scenarios } from "./scenarios.ts";
import { openWorld, type World } from "./world.ts";

/** A scenario when nothing is wrong. */
export interface Recording {
	/** Its messages, in order. */
	traffic: Boundary[];
	/** What is visible of the sibling. */
	alone: string[];
	/** What is visible of both plugins. */
	both: string[];
}

// Loads are what takes the cores; the rest of a point is mostly waiting.
const opening = createGate(3, 60_000);

const liveness = { pingEveryMs: 50, silentMs: 100, giveUpMs: 800 };
const stop = { disposeMs: 400, interruptMs: 150, drainMs: 100 };
// So long that a timer of one shows when it was not cleared.
const patientStop = { disposeMs: 20_000, interruptMs: 20_000, drainMs: 100 };
/** What takes longer hangs. */
const hangsMs = 15_000;

/** Bounds as short as the fault needs them, and as long as a busy machine does. */
function limitsFor(scenario: ScenarioName, fault?: FaultName): LimitOverrides {
	const isCut = fault === "SIGSTOP" || fault === "close stdin";
	const isSilent = isCut || scenario === "idle";
	const isLoss = fault === "SIGSTOP" || (fault !== undefined && faults[fault] === "replace");
	return {
		wire: { lineBytesMax: 256 * 1024 },
		restart: { delaysMs: [100] },
		stop: isLoss ? stop : patientStop,
		...(isSilent ? { liveness: isCut ? liveness : { ...liveness, giveUpMs: 2_000 } } : {}),
		...(isLoss ? { load: { readyMs: 2_000 } } : {}),
		...(isLoss && fault !== "SIGSTOP" ? { call: { eventHandlerMs: 500 }, webhooks: { handlerMs: 500 } } : {}),
	};
}

/** Runs a scenario without a fault; also shows that nothing is wrong without one. */
export async function recordScenario(folder: string, scenario: ScenarioName): Promise<Recording> {
	const world = await openWorld({ folder, plan: { point: null }, limits: limitsFor(scenario), dialogMs: () => 5 });
	try {
		const both = world.visible();
		const alone = both.filter((entry) => /^\S+ sibling\b/.test(entry));
		await waitingCall(world, scenario);
		const asked = () => trafficOf(folder).filter(({ label }) => label === "tool.execute").length;
		const isWaiting = () => scenario === "load" || asked() === (scenario === "webhook" ? 2 : 1);
		if (!(await comesTrue(isWaiting, 5_000))) throw new Error("the call that waits has not come to the relay");
		const begin = scenario === "load" ? 0 : trafficOf(folder).length;
		const answer = await scenarios[scenario].act(world.host, {});
		if (answer !== scenarios[scenario].answer) throw new Error(`${scenario} answered ${answer} without a fault`);
		await quiet(world, scenario, begin);
		return { traffic: trafficOf(folder).slice(begin), alone, both };
	} finally {
		await world.host.stop();
	}
}

/** Waits for what belongs to a scenario and is not awaited by its caller. */
async function quiet({ folder }: World, scenario: ScenarioName, begin: number): Promise<void> {
	const labels = () =>
		trafficOf(folder)
			.slice(begin)
			.map(({ label }) => label);
	const has = (label: string, count = 1) => labels().filter((one) => one === label).length >= count;
	const done = () =>
		scenario === "idle" ? has("answer to ping", 2) : scenario === "reload" ? has("answer to dispose") : true;
	if (!(await comesTrue(done, 5_000))) throw new Error(`${scenario} did not end: ${labels().join(", ")}`);
}

function trafficOf(folder: string): Boundary[] {
	const lines = readFileSync(join(folder, files.traffic), "utf8").trimEnd().split("\n");
	return lines.map((line) => JSON.parse(line) as Boundary);
}

/** Commits one fault, and tells all that was not as it must be. */
export async function runPoint(folder: string, point: Point, recording: Recording): Promise<string[]> {
	const { scenario, fault } = point;
	const limits = limitsFor(scenario, fault);
	// Those that come before are answered, so that the moment comes.
	const dialogMs = (method: string) => (leavesDialog(point) && method === point.moment.label ? 20_000 : 20);
	const world = await opening.run(() => openWorld({ folder, plan: { point }, limits, dialogMs }));
	const problems: string[] = [];
	try {
		const background = await waitingCall(world, scenario);
		const timeoutMs = faults[fault] === "replace" ? { timeoutMs: 500 } : {};
		const act = settle(world, scenarios[scenario].act(world.host, timeoutMs));
		if (!(await comesTrue(() => existsSync(join(folder, files.committed)), 5_000))) {
			problems.push("the moment never came, so the fault was not committed");
			return problems;
		}
		await comesTrue(() => act.settled() !== undefined, hangsMs);
		const answer: Settled | undefined = act.settled();
		if (answer === undefined) {
			problems.push("the caller waits for ever");
			return problems;
		}
		const { at } = JSON.parse(readFileSync(join(folder, files.committed), "utf8")) as Committed;
		const expected = expectedOf(point, recording.traffic);
		problems.push(...(await checkPoint({ world, point, recording, expected, answer, background, committedAt: at })));
		return problems;
	} finally {
		const stopping = settle(world, world.host.stop());
		if (!(await comesTrue(() => stopping.settled() !== undefined, hangsMs)))
			problems.push("the stop of the host hangs");
		problems.push(...(await leftOf(folder, world)));
	}
}

/** A call that the subject never answers, there before anything happens; a load has none. */
async function waitingCall(world: World, scenario: ScenarioName): Promise<Watched | undefined> {
	if (scenario === "load") return undefined;
	if (scenario === "webhook") await world.host.tools.call("subject_hook", {}, { events: false });
	const call = settle(world, world.host.tools.call("subject_wait", {}, { events: false }));
	await world.asked("subject_wait");
	return call;
}

async function leftOf(folder: string, { host }: World): Promise<string[]> {
	const launches = readdirSync(folder).filter((name) => name.startsWith("launch-"));
	const groups = launches.map((name) => Number(readFileSync(join(folder, name), "utf8")));
	const left = await Promise.all(groups.map(async (group) => ((await groupEnds(group)) ? [] : [group])));
	const states = host.plugins.list().filter(({ state }) => !/^(?:stopped|failed|incompatible|disabled)$/.test(state));
	return [
		...left.flat().map((group) => `the process group ${group} was left`),
		...states.map(({ name, state }) => `${name} is ${state} after the host's stop`),
	];
}
