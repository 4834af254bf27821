import { BroodError, type ExitFacts, isBroodError, withoutHint } from "../../runtime/errors.ts";
import { quoteTail } from "./load-failure.ts";
import { within } from "./process.ts";

/** What a process has printed so far, and how it ends. */
export interface PrintingProcess {
	exited: Promise<ExitFacts>;
	stderrTail(): string;
}

/**
 * Gives a load failure the end of what its process had printed, also when it says nothing of an exit.
 *
 * @param drainMs how long the output may lag behind a child that says why it fails and ends
 */
export async function withOutput(error: unknown, process: PrintingProcess, drainMs: number): Promise<unknown> {
	if (!isBroodError(error) || error.exit !== undefined || error.code === "cancelled") return error;
	// One that hangs prints nothing more.
	if (error.code !== "ready_timeout") await within(process.exited, drainMs);
	const stderrTail = process.stderrTail();
	const quoted = quoteTail({ code: null, signal: null, stderrTail });
	const { code, message, hint, plugin, stage, positions, frame, cause } = error;
	const text = quoted === "" ? message : `${withoutHint(error).replace(/\.$/, "")}${quoted}${hint ?? ""}`.trimEnd();
	return new BroodError(code, text, { hint, plugin, stage, positions, frame, cause, stderrTail });
}
