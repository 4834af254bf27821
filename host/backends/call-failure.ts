import { asAnswer, isAnswer } from "../../runtime/answers.ts";
import { BroodError, type ExitFacts, failure, isBroodError } from "../../runtime/errors.ts";
import { describeExit, quoteTail, reasonAlone } from "./load-failure.ts";

/** What is known of a call that failed. */
export interface FailedCall {
	plugin: string;
	/** What was called, as "tool "x"". */
	subject: string;
	exited: Promise<ExitFacts>;
	/** Why this side ended the connection, if it did. */
	broken: BroodError | undefined;
	/** A clause about what came during the call and was no message; empty when there was none. */
	noise: string;
}

/**
 * Tells the caller what became of a call, with plugin and subject: its way is told of here, the work of the plugin by
 * the error that it answered with.
 */
export async function explainCall(error: unknown, call: FailedCall): Promise<unknown> {
	const { plugin, subject } = call;
	if (!isBroodError(error)) return error;
	const named = () => failure(error.code, { plugin, subject, reason: reasonAlone(error), cause: error });
	const isOurs = !isAnswer(error);
	if (isOurs && (error === call.broken || /^(?:channel_closed|plugin_exited)$/.test(error.code)))
		return explainEnd(call);
	if (error.code === "message_too_large") {
		const part = isOurs ? "what is sent" : "the answer";
		const reason = `${part} for ${subject} of plugin "${plugin}" takes ${reasonAlone(error)}`;
		return failure("message_too_large", { plugin, reason, cause: error });
	}
	if (!isOurs) return withPlugin(error, call);
	if (error.code === "busy" || error.code === "invalid_answer") return named();
	if (error.code === "cancelled") return failure("cancelled", { plugin, subject, cause: error.cause ?? error });
	if (error.code !== "timeout" || call.noise === "") return error;
	const meanwhile = `Meanwhile ${call.noise}`;
	const hint = error.hint === undefined ? meanwhile : `${error.hint} ${meanwhile}`;
	return new BroodError("timeout", `${error.message} ${meanwhile}`, { plugin, hint, cause: error });
}

/** What a child answers cannot name its plugin, whose name the host gives. */
function withPlugin(error: BroodError, { plugin, subject }: FailedCall): BroodError {
	const { code, hint } = error;
	const facts = { plugin, reason: reasonAlone(error), hint, cause: error };
	if (error.message.startsWith(`The answer to ${subject} is not allowed: `)) {
		return asAnswer(failure(code, { ...facts, subject }));
	}
	const [about = "", ...rest] = error.message.split(" cannot be carried as JSON");
	return code === "not_serializable" && rest.length > 0 ? asAnswer(failure(code, { ...facts, subject: about })) : error;
}

/** Waits for the end of the process; tells that it came before the call was done. */
export async function explainEnd(call: FailedCall): Promise<BroodError> {
	const { plugin, subject, exited, broken, noise } = call;
	const exit = await exited;
	const why = broken === undefined ? "" : `, since the connection was ended (${broken.message.replace(/\.$/, "")})`;
	const said = noise === "" ? "" : `; ${noise}`;
	const reason = `${describeExit(exit)} before ${subject} was done${why}${said}${quoteTail(exit)}`;
	return failure("plugin_exited", { plugin, stage: "call", exit, reason, cause: broken });
}

/** What the author of a handler that takes too long can do, by the method that calls it. */
export const lateHints: Partial<Record<string, string>> = {
	"tool.execute": "Its handler may watch context.signal; it goes on otherwise.",
	"command.execute": "Its handler may watch context.signal; it goes on otherwise.",
	"webhook.execute": "Its handler may watch context.signal; it goes on otherwise.",
};
