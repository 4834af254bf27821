import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deep, tally } from "../../support/effort.ts";
import { nothingLeft } from "./leftovers.ts";
import { faultNames, type ScenarioName, scenarioNames } from "./points.ts";
import type { End, Verdict } from "./program.ts";

/** What a program came to that ran the points of one scenario. */
interface Run {
	verdicts: Verdict[];
	end: End | undefined;
	exitCode: number | null;
	stderr: string;
	/** Milliseconds that it still ran when it had nothing left to do. */
	lingeredMs: number;
}

setDefaultTimeout(deep ? 30 * 60_000 : 120_000);

const program = join(import.meta.dir, "program.ts");
// The two with the most points begin.
const order: ScenarioName[] = [
	"reload",
	"load",
	...scenarioNames.filter((name) => name !== "reload" && name !== "load"),
];
const programsAtOnce = 2;

const runs = new Map(order.map((scenario) => [scenario, Promise.withResolvers<Run>()]));
const running = new Set<Bun.Subprocess>();
let root = "";

beforeAll(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "brood-faults-")));
	const waiting = order.values();
	const runNext = async () => {
		for (const scenario of waiting) await runProgram(scenario).then(runs.get(scenario)?.resolve);
	};
	for (let count = 0; count < programsAtOnce; count += 1) void runNext();
});

afterAll(() => {
	for (const child of running) child.kill("SIGKILL");
	rmSync(root, { recursive: true, force: true });
});

test.each(scenarioNames)(
	"no fault at any message boundary of a scenario harms more than its plugin: %s",
	async (scenario) => {
		const { verdicts, end, exitCode, stderr, lingeredMs } = await runOf(scenario);
		const harm = verdicts.filter(({ problems }) => problems.length > 0);
		expect(Object.fromEntries(harm.map(({ point, problems }) => [point, problems]))).toEqual({});
		expect({ left: end?.left, exitCode, stderr }).toEqual({
			left: { ...nothingLeft, files: [] },
			exitCode: 0,
			stderr: "",
		});
		// A timer, a descriptor or a child that held the program would show here.
		expect(lingeredMs).toBeLessThan(1_000);
	},
);

test("there are at least 200 points, and every fault and every moment has one", async () => {
	const all = await Promise.all(scenarioNames.map(runOf));
	const verdicts = all.flatMap((run) => run.verdicts);
	const names = new Set(verdicts.map(({ point }) => point));
	expect(names.size).toBe(verdicts.length);
	expect(names.size).toBeGreaterThanOrEqual(200);
	expect(new Set(verdicts.map(({ fault }) => fault))).toEqual(new Set(faultNames));
	for (const [index, scenario] of scenarioNames.entries()) list(scenario, all[index]?.verdicts ?? []);
	tally("fault matrix", names.size, `points, ${faultNames.length} faults, ${scenarioNames.length} scenarios`);
});

/** Lists the points of a scenario, a line for each fault. */
function list(scenario: ScenarioName, verdicts: Verdict[]): void {
	const byFault = Map.groupBy(verdicts, ({ fault }) => fault);
	for (const [fault, points] of byFault) {
		console.log(`${scenario}, ${fault}: ${points.map(({ moment }) => moment).join(", ")}`);
	}
}

async function runOf(scenario: ScenarioName): Promise<Run> {
	const run = runs.get(scenario);
	if (run === undefined) throw new Error(`${scenario} does not run`);
	return run.promise;
}

async function runProgram(scenario: ScenarioName): Promise<Run> {
	const folder = mkdtempSync(join(root, `${scenario}-`));
	const child = Bun.spawn([process.execPath, program, folder, scenario, deep ? "all" : "some"], {
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		timeout: deep ? 20 * 60_000 : 110_000,
		killSignal: "SIGKILL",
		env: { ...process.env, XDG_CONFIG_HOME: folder },
	});
	running.add(child);
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	const ended = Date.now();
	running.delete(child);
	const said = stdout
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Verdict | End);
	const end = said.find((value) => "left" in value);
	const verdicts = said.filter((value) => "point" in value);
	return { verdicts, end, exitCode: child.exitCode, stderr, lingeredMs: ended - (end?.at ?? 0) };
}
