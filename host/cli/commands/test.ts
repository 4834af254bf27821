import { existsSync, statSync } from "node:fs";
import { basename, dirname, extname, resolve } from "node:path";
import { failure } from "../../../runtime/errors.ts";
import { currentFolder, findWorkspaceRoot, pluginPlaces } from "../../base/paths.ts";
import { describeFileError } from "../../base/text-file.ts";
import type { CommandContext } from "../context.ts";
import { exitCodeOf, interruption, reportWarning } from "../failure.ts";
import type { Output } from "../output.ts";
import { ownPackage } from "../own-package.ts";
import { requireDirectory } from "../places.ts";
import { watchSignals } from "../session.ts";
import { isTest, testsIn } from "./test-files.ts";
import { openReport } from "./test-report.ts";

/**
 * `brood test`: runs the tests beside plugins with bun test, which finds brood/test and brood/plugin in any folder.
 *
 * @param paths folders of tests, or tests; with none the plugin places of the project and the working directory
 * @param passed arguments for bun test
 * @returns the exit code of bun test
 * @throws BroodError `usage` when there is no test; `cancelled` on SIGINT, SIGTERM and SIGHUP, when all has ended
 */
export async function testPlugins(
	{ options, output }: CommandContext,
	paths: readonly string[],
	passed: readonly string[],
): Promise<number> {
	if (options.cwd !== undefined) await requireDirectory(options.cwd);
	const cwd = resolve(options.cwd ?? currentFolder());
	const named = [...paths, ...(options.plugin ?? [])];
	const { tests, places } = named.length > 0 ? namedTests(named, cwd) : usualTests(cwd, options.places);
	if (tests.length === 0) {
		const reason = `There is no test in ${places.join(", ")}`;
		throw failure("usage", {
			reason,
			hint: "A test is a file such as hello.test.ts. Name its folder: brood test DIR.",
		});
	}
	const root = ownPackage();
	if (root === undefined) {
		const message = "This brood is one compiled file: tests find brood/test only where the package brood is installed.";
		reportWarning({ message }, output);
	}
	const preload = root === undefined ? [] : ["--preload", resolve(root, "host/cli/test-preload.ts")];
	const command = ["test", "--no-orphans", ...preload, ...passed];
	if (!output.json) return runBun([...command, ...tests], cwd, output);
	await using report = await openReport(passed, cwd);
	const summary = listenForSummary(output);
	const exitCode = await runBun([...command, ...report.parameters, ...tests], cwd, summary.output);
	const counts = await report.read(tests, summary.isTold());
	output.result(JSON.stringify({ ok: exitCode === 0, exitCode, tests, ...counts }));
	return exitCode;
}

interface Found {
	/** Absolute paths. */
	tests: string[];
	/** Where they were looked for, in words. */
	places: string[];
}

/** @throws BroodError `usage` when there is no such file or folder */
function namedTests(paths: readonly string[], cwd: string): Found {
	if (paths.includes("")) throw failure("usage", { reason: "A path is not empty" });
	const tests = paths.flatMap((given) => lookingInto(given, () => testsOf(resolve(cwd, given))));
	return { tests: unique(tests), places: [...paths] };
}

/** Those of a folder, a test itself, and those of a plugin that somebody names in their place. */
function testsOf(path: string): string[] {
	if (statSync(path).isDirectory()) return testsIn(path);
	if (isTest(path)) return [path];
	const stem = basename(path, extname(path));
	return testsIn(dirname(path), "shallow").filter((test) => basename(test).startsWith(`${stem}.test.`));
}

/** The tests of plugins that are at hand: those in the places of the project, and those that lie in the folder itself. */
function usualTests(cwd: string, withPlaces: boolean): Found {
	const all = withPlaces ? pluginPlaces(findWorkspaceRoot(cwd), null).map(({ path }) => path) : [];
	const places = all.filter((path) => existsSync(path));
	const tests = [
		...places.flatMap((path) => lookingInto(path, () => testsIn(path))),
		...lookingInto(cwd, () => testsIn(cwd, "shallow")),
	];
	return { tests: unique(tests), places: [...places, `${cwd} itself`] };
}

/** @throws BroodError `usage` when it cannot be read */
function lookingInto(shown: string, find: () => string[]): string[] {
	try {
		return find();
	} catch (error) {
		throw failure("usage", { reason: `${shown} cannot be looked into: ${describeFileError(error)}`, cause: error });
	}
}

function unique(paths: readonly string[]): string[] {
	return [...new Set(paths)];
}

/** Runs Bun to its end. @returns how it exits @throws BroodError `cancelled` when a signal ended both */
async function runBun(parameters: string[], cwd: string, output: Output): Promise<number> {
	const command = [findBun(), ...parameters];
	const watch = watchSignals();
	const stream = output.json ? "pipe" : "inherit";
	const child = Bun.spawn(command, { cwd, stdio: ["inherit", stream, stream] });
	let kill: ReturnType<typeof setTimeout> | undefined;
	watch.signal.addEventListener("abort", () => {
		child.kill();
		// A test may have taken the signal for itself.
		kill = setTimeout(() => child.kill("SIGKILL"), endMs);
	});
	try {
		await Promise.all([tellLines(child.stdout, output), tellLines(child.stderr, output), child.exited]);
		watch.signal.throwIfAborted();
		const { exitCode, signalCode } = child;
		return typeof signalCode === "string" ? exitCodeOf(interruption(signalCode)) : (exitCode ?? 1);
	} finally {
		clearTimeout(kill);
		watch.release();
	}
}

const endMs = 2_000;

/** The Bun that runs this, or another one where that is compiled: it would start children that are no plain Bun. */
function findBun(): string {
	if (!Bun.isStandaloneExecutable) return process.execPath;
	const bun = process.env.BROOD_BUN || Bun.which("bun");
	if (bun !== null) return bun;
	const reason = "A brood that is one compiled file runs tests with the Bun on the PATH, and there is none";
	throw failure("usage", { reason, hint: "Get it with: npm install -g bun, or let BROOD_BUN name one." });
}

/** Knows whether Bun came to the end of all tests, which it says on a line of its own. */
function listenForSummary(output: Output): { output: Output; isTold(): boolean } {
	let isTold = false;
	const note = (line: string) => {
		isTold ||= summaryLine.test(Bun.stripANSI(line));
		output.note(lineOf(line));
	};
	return { output: { ...output, note }, isTold: () => isTold };
}

const summaryLine = /^Ran \d+ tests? across \d+ files?\b/;

/** Tells programs what Bun prints, line by line; a person has it on the screen. */
async function tellLines(stream: ReadableStream<Uint8Array> | undefined, { note }: Output): Promise<void> {
	if (stream === undefined) return;
	const decoder = new TextDecoder();
	let rest = "";
	for await (const bytes of stream) {
		const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines.filter((text) => text !== "")) note(line);
	}
	if (rest !== "") note(rest);
}

function lineOf(message: string): string {
	return JSON.stringify({ log: { time: new Date().toISOString(), level: "info", source: "test", message } });
}
