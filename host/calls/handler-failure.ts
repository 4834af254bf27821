import { isAnswer } from "../../runtime/answers.ts";
import { isBroodError, messageOf } from "../../runtime/errors.ts";
import { firstOwnFrame } from "../base/frame.ts";

/**
 * Says what a handler threw, and where in the files of its plugin: "TypeError: x is undefined (/p/gate.ts:3:5)". An error
 * of brood says itself what it is about, and one that the host made has no place there.
 *
 * @param root the folder of the plugin
 */
export function describeThrown(error: unknown, root: string): string {
	const message = messageOf(error);
	if (!(error instanceof Error) || (isBroodError(error) && !isAnswer(error))) return message;
	const place = firstOwnFrame(error.stack ?? "", root);
	// What has no class was no error; its message says so.
	const named = error.name === "NonError" || isBroodError(error) ? message : `${error.name}: ${message}`;
	return place === undefined ? named : `${named} (${place.file}:${place.line}:${place.column})`;
}
