import { BroodError, type ErrorCode, withoutHint } from "../../../runtime/errors.ts";
import { quote } from "../../doctor/finding.ts";

/** The error of a load, which stops at the first mistake, with how to hear of all of them. */
export function withAdvice(error: BroodError, path: string): BroodError {
	const isOwn = error.stage === "import" || error.stage === "activate";
	if (!isOwn || !mistakes.includes(error.code)) return error;
	const advice = `brood validate ${quote(path)} tells everything at once.`;
	if (error.hint?.endsWith(advice)) return error;
	const hint = error.hint === undefined ? advice : `${error.hint} ${advice}`;
	return new BroodError(error.code, `${withoutHint(error)} ${hint}`, { ...error, hint, cause: error.cause });
}

const mistakes: ErrorCode[] = ["load_failed", "no_default_export", "invalid_registration", "exited_before_ready"];
