/**
 * A program that embeds hosts and runs the points of one scenario, many at once. Its arguments: a folder, the
 * scenario, `all` or `some` of its points, and the part of a name that a point must have to be run. It says one JSON
 * value a line, and must end by itself.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Leftovers, leftBeyond, settledLeftovers, watchLeftovers } from "./leftovers.ts";
import { choosePoints, nameOfMoment, nameOfPoint, type Point, type ScenarioName } from "./points.ts";
import { type Recording, recordScenario, runPoint } from "./run-point.ts";

/** What is said of each point. */
export interface Verdict {
	point: string;
	fault: string;
	moment: string;
	problems: string[];
	ms: number;
}

/** What is said at the end. */
export interface End {
	left: Leftovers & { files: string[] };
	/** Milliseconds since 1970; from then on the program has nothing to do. */
	at: number;
}

const [folder = "", scenario = "", extent = "", part = ""] = process.argv.slice(2);
// Most points wait for a bound most of their time.
const atOnce = 10;

const say = (value: Verdict | End) => console.log(JSON.stringify(value));

const look = watchLeftovers();
const temporary = join(folder, "temporary");
mkdirSync(temporary);
process.env.TMPDIR = temporary;
const recording = await recordScenario(join(folder, "recording"), scenario as ScenarioName);
const before = await settledLeftovers(look);
await runAll(recording);
const left = await leftBeyond(before, look);
// Does not hold the program, but ends one that something else holds, with a code that says so.
setTimeout(() => process.exit(86), 3_000).unref();
say({ left: { ...left, files: readdirSync(temporary) }, at: Date.now() });

async function runAll(recording: Recording): Promise<void> {
	const chosen = choosePoints(scenario as ScenarioName, recording.traffic, extent === "all");
	const points = chosen.filter((point) => nameOfPoint(point).includes(part)).entries();
	const runNext = async () => {
		for (const [index, point] of points) say(await verdictOn(point, join(folder, `point-${index}`), recording));
	};
	await Promise.all(Array.from({ length: atOnce }, runNext));
}

async function verdictOn(point: Point, place: string, recording: Recording): Promise<Verdict> {
	const begin = performance.now();
	const problems = await runPoint(place, point, recording).catch((error: unknown) => [String(error)]);
	rmSync(place, { recursive: true, force: true });
	return {
		point: nameOfPoint(point),
		fault: point.fault,
		moment: nameOfMoment(point.moment),
		problems,
		ms: Math.round(performance.now() - begin),
	};
}
