import { isAnswer } from "../../runtime/answers.ts";
import { type BroodError, type ErrorCode, isBroodError, messageOf } from "../../runtime/errors.ts";

/** Gives back an error that is the plugin's answer. @throws the error when the call was not answered */
export function pluginsOwn(error: unknown): Error {
	if (isBroodError(error) && notAnswered.includes(error.code) && !isAnswer(error)) throw error satisfies BroodError;
	return error instanceof Error ? error : new Error(messageOf(error));
}

// These say that the call was not made or not ended; any other error is the plugin's answer.
const notAnswered: ErrorCode[] = [
	"timeout",
	"cancelled",
	"busy",
	"channel_closed",
	"plugin_exited",
	"plugin_not_ready",
	"message_too_large",
	"host_stopped",
];
