import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { realPathOf } from "../../base/paths.ts";

/** How many tests ended in which way. */
export interface TestCounts {
	passed: number;
	failed: number;
	/** Those that are still to be written, and those that a filter left out, too. */
	skipped: number;
}

export interface FileCounts extends TestCounts {
	path: string;
	/** Whether Bun has told of its tests: not of a file that could not be loaded, that has none, or that was not reached. */
	ran: boolean;
}

/** The tests of all files together, and of each. */
export interface TestReport extends TestCounts {
	files: FileCounts[];
}

/** What Bun is asked for beside what a person passes on. */
export interface ReportFile {
	/** Arguments for bun test, behind all others. */
	parameters: string[];
	/**
	 * Reads what was written; undefined when Bun ended before it wrote.
	 *
	 * @param isOver whether Bun came to the end of all tests: it writes nothing where none of them could run
	 */
	read(tests: readonly string[], isOver: boolean): Promise<TestReport | undefined>;
	[Symbol.asyncDispose](): Promise<void>;
}

/** Has Bun write its results down for a program; where a person has named a file for them, in that one. */
export async function openReport(passed: readonly string[], cwd: string): Promise<ReportFile> {
	const named = optionIn(passed, "--reporter-outfile");
	const folder = named === undefined ? await mkdtemp(join(tmpdir(), "brood-test-")) : undefined;
	const path = resolve(cwd, named ?? join(folder ?? "", "report.xml"));
	const before = writtenAt(path);
	return {
		parameters: named === undefined ? ["--reporter=junit", `--reporter-outfile=${path}`] : [],
		async read(tests, isOver) {
			// That of an earlier run would tell of other tests.
			if (writtenAt(path) === before) return isOver ? nothingRan(tests) : undefined;
			return reportOf(await Bun.file(path).text(), tests, cwd);
		},
		async [Symbol.asyncDispose]() {
			if (folder !== undefined) await rm(folder, { recursive: true, force: true });
		},
	};
}

function optionIn(parameters: readonly string[], name: string): string | undefined {
	const index = parameters.findLastIndex((text) => text === name || text.startsWith(`${name}=`));
	return parameters[index] === name ? parameters[index + 1] : parameters[index]?.slice(name.length + 1);
}

/** When a file was last written; undefined where there is none. */
function writtenAt(path: string): bigint | undefined {
	return statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

/** Counts what the JUnit report of Bun holds; undefined for what is none. */
export function reportOf(text: string, tests: readonly string[], cwd: string): TestReport | undefined {
	const counted = new Map<string, TestCounts>();
	try {
		for (const suite of Bun.XML.parse(text, { compact: false }).children) {
			if (typeof suite === "string" || !("attributes" in suite)) continue;
			const { file = "", ...attributes } = suite.attributes;
			const path = realPathOf(resolve(cwd, file));
			counted.set(path, sum([counted.get(path) ?? none, countsOf(attributes)]));
		}
	} catch {
		return undefined;
	}
	const files = tests.map((path) => {
		const counts = counted.get(realPathOf(path));
		return { path, ran: counts !== undefined, ...(counts ?? none) };
	});
	return { ...sum([...counted.values()]), files };
}

function nothingRan(tests: readonly string[]): TestReport {
	return { ...none, files: tests.map((path) => ({ path, ran: false, ...none })) };
}

const none: TestCounts = { passed: 0, failed: 0, skipped: 0 };

function countsOf({ tests, failures, skipped }: Record<string, string>): TestCounts {
	const [all, failed, left] = [Number(tests ?? 0), Number(failures ?? 0), Number(skipped ?? 0)];
	return { passed: all - failed - left, failed, skipped: left };
}

function sum(counts: readonly TestCounts[]): TestCounts {
	return counts.reduce(
		(total, { passed, failed, skipped }) => ({
			passed: total.passed + passed,
			failed: total.failed + failed,
			skipped: total.skipped + skipped,
		}),
		none,
	);
}
