/** Compares brood with bare Bun and with other ways to do the same, everything in turns within one run; see --help. */
import { join } from "node:path";
import { type Arguments, readArguments, usage } from "./arguments.ts";
import { withFigures } from "./readme.ts";
import { readResults, saveResult } from "./results.ts";
import { runSuite } from "./run.ts";
import { type SuiteName, suites } from "./suites.ts";
import { showResult } from "./table.ts";

const exitUsage = 2;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;
const stopping = new AbortController();

for (const [signal, number] of Object.entries(signals)) {
	process.on(signal, () => {
		// What runs ends first; the exit code is what a shell would see.
		process.exitCode = 128 + number;
		stopping.abort();
	});
}

const asked = readOrExplain();
if (asked?.help) console.log(usage);
else if (asked?.readme) await writeReadme().catch(explain);
else if (asked !== undefined) await run(asked);

async function writeReadme(): Promise<void> {
	const page = Bun.file(join(import.meta.dir, "../../README.md"));
	await page.write(withFigures(await page.text(), readResults()));
}

async function run({ suites: names, json, save, ...options }: Arguments): Promise<void> {
	for (const name of names) {
		if (stopping.signal.aborted) return;
		try {
			const result = await runSuite(name, suites[name], {
				...options,
				progress: (text) => showProgress(name, text),
				signal: stopping.signal,
			});
			showProgress();
			if (save) await saveResult(result);
			console.log(json ? JSON.stringify(result) : `${showResult(result)}\n`);
		} catch (error) {
			showProgress();
			if (!stopping.signal.aborted) throw error;
		}
	}
}

function readOrExplain(): Arguments | undefined {
	try {
		return readArguments(process.argv.slice(2));
	} catch (error) {
		explain(error);
		console.error(`\n${usage}`);
		process.exitCode = exitUsage;
		return undefined;
	}
}

function explain(error: unknown): void {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}

/** One line that is written over; nothing where nobody looks. */
function showProgress(suite?: SuiteName, text = ""): void {
	if (!process.stderr.isTTY) return;
	process.stderr.write(`\r\x1b[K${suite === undefined ? "" : `${suite}: ${text}`}`);
}
