import { isBroodError } from "../../runtime/errors.ts";
import { dropAhead } from "../backends/ahead.ts";
import { openPackages } from "../backends/bundle-package.ts";
import { markUsed } from "../backends/child-bundle.ts";
import { wantsJSON } from "./arguments.ts";
import { reportFailure } from "./failure.ts";
import { giveHeadStart, isUsual } from "./head-start.ts";
import { createOutput } from "./output.ts";
import { runProgram } from "./program.ts";

/**
 * Does what the arguments of this program say, and ends it.
 * @param folder where the bundle lies that this runs from; absent when these are the sources
 */
export async function start(folder?: string): Promise<never> {
	if (folder !== undefined) {
		openPackages(folder);
		markUsed(folder, briefMs);
	}
	const parameters = process.argv.slice(2);
	await giveHeadStart(parameters);
	const output = createOutput({ json: wantsJSON(parameters) });
	const exitCode = await run(parameters, output);
	await dropAhead();
	// A result that nobody can read is an error; one that somebody has read enough of is none.
	await output.drained().catch(() => {});
	if (folder === undefined && !Bun.isStandaloneExecutable && isUsual(parameters)) {
		const { prepareCLI } = await import("../backends/cli-prepare.ts");
		await prepareCLI();
	}
	return process.exit(exitCode);
}

// A command that ends sooner has loaded what it needs.
const briefMs = 40;

async function run(parameters: readonly string[], output: ReturnType<typeof createOutput>): Promise<number> {
	try {
		const exitCode = await runProgram(parameters, output);
		await output.drained();
		return exitCode;
	} catch (error) {
		// Whoever ends the command does not wait for a reader who takes nothing.
		if (isBroodError(error, "cancelled")) output.abandonResults();
		return reportFailure(error, output);
	}
}
