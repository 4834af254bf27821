import { BroodError, isBroodError } from "../../../runtime/errors.ts";

/** Does a task; when it is given up for its time, says how to give it more. @throws BroodError `timeout` with that hint */
export async function hintingAtTimeout<Result>(task: () => Promise<Result>): Promise<Result> {
	try {
		return await task();
	} catch (error) {
		if (!isBroodError(error, "timeout")) throw error;
		const { message, plugin, hint } = error;
		const more = "Give it more time with --timeout.";
		const facts = { plugin, hint: hint === undefined ? more : `${hint} ${more}`, cause: error };
		throw new BroodError("timeout", `${message} ${more}`, facts);
	}
}
