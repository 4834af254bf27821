import { isBroodError } from "../../runtime/errors.ts";
import { wantsJSON } from "./arguments.ts";
import { reportFailure } from "./failure.ts";
import { createOutput } from "./output.ts";
import { runProgram } from "./program.ts";

const parameters = process.argv.slice(2);
const output = createOutput({ json: wantsJSON(parameters) });

async function run(): Promise<number> {
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

const exitCode = await run();
// A result that nobody can read is an error; one that somebody has read enough of is none.
await output.drained().catch(() => {});
process.exit(exitCode);
