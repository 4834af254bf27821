/** The test command: types, then lint, then tests; the last line on stdout is the count of all of it. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** What a run came to; the type check and the lint count as one test each. */
export interface Summary {
	passed: number;
	failed: number;
	/** Names of skipped tests, with their files. */
	skipped: string[];
	failures: Failure[];
	/** Why the run failed, where no test says so itself. */
	problems: string[];
	/** How much single tests tried, a line each. */
	tried: string[];
}

export interface Failure {
	/** The test with its file. */
	name: string;
	/** Its error, as the report has it. */
	reason: string;
}

const root = resolve(import.meta.dir, "..");
/** A step that takes longer hangs; full counts take their time. */
const stepMsMax = (process.env.BROOD_TEST_DEEP === "1" ? 120 : 10) * 60_000;
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Files that take seconds, in milliseconds: begun first, none of them is what the others are waited for at the end. */
export const longFiles: Record<string, number> = {
	"test/process/reload/own-writes.test.ts": 40_000,
	"test/process/faults/faults.test.ts": 28_000,
	"test/process/cli/new.test.ts": 14_000,
	"test/process/ends/table.test.ts": 12_000,
	"test/process/launch-forms.test.ts": 11_000,
	"test/process/validate/together.test.ts": 11_000,
	"test/process/doctor/load.test.ts": 9_000,
	"test/process/plugins/listing.test.ts": 8_000,
	"test/process/cli/bad-plugins.test.ts": 7_000,
	"test/process/demo.test.ts": 7_000,
	"test/process/reload/watcher.test.ts": 7_000,
	"test/process/webhooks/delivery.test.ts": 7_000,
	"test/process/webhooks/hosts.test.ts": 7_000,
	"test/process/webhooks/info-cli.test.ts": 7_000,
	"test/process/cli/call.test.ts": 6_000,
	"test/process/cli/test-command.test.ts": 6_000,
	"test/process/cli/validate.test.ts": 6_000,
	"test/process/kit/leftovers.test.ts": 6_000,
	"test/process/reload/saves.test.ts": 6_000,
	"test/process/validate/broken.test.ts": 6_000,
	"test/process/core/load-module.test.ts": 5_000,
	"test/process/plugins/compiled.test.ts": 5_000,
	"test/process/validate/traces.test.ts": 5_000,
	"test/soak/soak.test.ts": 5_000,
};
/** What any other file takes, about. */
const fileMs = 1_000;
/** A third of what a test file takes is waiting, so that one more than there are cores keeps them busy. */
export const filesAtOnce = availableParallelism() + 1;

/** Runs the three steps one after the other, whatever the earlier ones came to. */
async function run(): Promise<Summary> {
	const types = await runStep(["node_modules/typescript/bin/tsc", "--noEmit"]);
	const lint = await runStep(["node_modules/@biomejs/biome/bin/biome", "check"]);
	const folder = await mkdtemp(join(tmpdir(), "brood-test-"));
	try {
		const report = join(folder, "junit.xml");
		const tally = join(folder, "tally.txt");
		const timings = join(folder, "timings.json");
		await Bun.write(timings, JSON.stringify({ version: 1, files: { ...shortFiles(), ...longFiles } }));
		const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
		const exitCode = await runStep(["test", `--parallel=${filesAtOnce}`, `--timings=${timings}`, ...reporting], {
			BROOD_TEST_TALLY: tally,
			// What Bun and brood build for every start is built once in a run, and nothing of it stays.
			XDG_CACHE_HOME: join(folder, "cache"),
		});
		const tests = summarise(readIfThere(report), exitCode);
		tests.tried = readIfThere(tally)?.trimEnd().split("\n").sort() ?? [];
		return withStep(withStep(tests, "The lint", lint), "The type check", types);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Every test file, since those without a time are begun before all others. */
function shortFiles(): Record<string, number> {
	const files = new Bun.Glob("test/**/*.test.{ts,tsx}").scanSync({ cwd: root });
	return Object.fromEntries([...files].map((file) => [file, fileMs]));
}

/** Counts what a report of `bun test` says; a failure that it does not say counts as one. */
export function summarise(report: string | undefined, exitCode: number): Summary {
	const summary: Summary = { passed: 0, failed: 0, skipped: [], failures: [], problems: [], tried: [] };
	for (const [, attributes = "", body = ""] of report?.matchAll(testCase) ?? []) {
		const failure = failureIn.exec(body);
		if (failure !== null) summary.failures.push({ name: nameOf(attributes), reason: decode(failure[1] ?? "") });
		else if (/<skipped\b/.test(body)) summary.skipped.push(nameOf(attributes));
		else summary.passed += 1;
	}
	summary.failed = summary.failures.length;
	const ran = summary.passed + summary.failed;
	if (report === undefined) summary.problems.push(`bun test ended with ${exitCode} and left no report`);
	else if (ran === 0) summary.problems.push("No test ran");
	else if (exitCode !== 0 && summary.failed === 0) {
		summary.problems.push(`bun test ended with ${exitCode} although no test failed: a file did not load, or more`);
	}
	summary.failed += summary.problems.length;
	return summary;
}

/** The last line: `N passed, N failed`, and `, N skipped` when there are any. */
export function lastLine({ passed, failed, skipped }: Summary): string {
	const counts = `${passed} passed, ${failed} failed`;
	return skipped.length === 0 ? counts : `${counts}, ${skipped.length} skipped`;
}

/** A test without anything to tell closes itself; any other holds a failure or a skip. */
const testCase = /<testcase\b((?:[^>"]|"[^"]*")*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

const failureIn = /<(?:failure|error)\b(?:[^>"]|"[^"]*")*>([^<]*)/;
const reasonLinesMax = 40;

/** A failure as the end of a log needs it, whose middle may be cut out: what differs, without what is equal. */
export function tellFailure({ name, reason }: Failure): string[] {
	const lines = reason.split("\n").filter((line) => /^\S|^ +at /.test(line));
	const told = lines.length <= reasonLinesMax ? lines : [...lines.slice(0, reasonLinesMax), "…"];
	return [`failed: ${name}`, ...told.map((line) => `\t${line}`)];
}

function nameOf(attributes: string): string {
	const read = (name: string) => decode(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
	const suite = read("classname");
	return `${read("file")}: ${suite === "" ? "" : `${suite} > `}${read("name")}`;
}

function decode(text: string): string {
	const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
	return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, number: string | undefined, name: string) =>
		number === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(number)),
	);
}

function withStep(summary: Summary, name: string, exitCode: number): Summary {
	if (exitCode === 0) return { ...summary, passed: summary.passed + 1 };
	const problems = [`${name} failed`, ...summary.problems];
	return { ...summary, failed: summary.failed + 1, problems };
}

function readIfThere(file: string): string | undefined {
	return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** Runs under this very Bun, which may be the only program there is; its output goes where ours goes. */
async function runStep(command: string[], environment: Record<string, string> = {}): Promise<number> {
	const step = Bun.spawn([process.execPath, ...command], {
		cwd: root,
		env: { ...process.env, BROOD_TEST_TALLY: undefined, ...environment },
		stdio: ["ignore", "inherit", "inherit"],
		timeout: stepMsMax,
		killSignal: "SIGKILL",
	});
	// The step ends first, so that what it left is removed and counted.
	const stop = () => step.kill("SIGKILL");
	for (const signal of stopSignals) process.on(signal, stop);
	try {
		return await step.exited;
	} finally {
		for (const signal of stopSignals) process.off(signal, stop);
	}
}

if (import.meta.main) {
	const summary = await run();
	for (const line of summary.tried) console.log(`tried: ${line}`);
	for (const name of summary.skipped) console.log(`skipped: ${name}`);
	for (const line of summary.failures.flatMap(tellFailure)) console.log(line);
	for (const problem of summary.problems) console.log(`failed: ${problem}`);
	console.log(lastLine(summary));
	process.exitCode = summary.failed === 0 ? 0 : 1;
}
