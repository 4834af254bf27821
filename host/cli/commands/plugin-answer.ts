import { dirname } from "node:path";
import { BroodError, errorTable, failure, isBroodError, messageOf } from "../../../runtime/errors.ts";
import { codeFrame, firstOwnFrame } from "../../base/frame.ts";
import type { Host } from "../../host.ts";

/** An answer that is an error, as part of a result. */
export function errorSummary(error: Error): { code: string; message: string } {
	return { code: isBroodError(error) ? error.code : "plugin_error", message: messageOf(error) };
}

/** Says what a plugin answered instead of a result, with the place in its sources. */
export async function explainAnswer(
	host: Host,
	subject: string,
	{ plugin, error }: { plugin: string; error?: Error },
): Promise<BroodError> {
	if (isBroodError(error) && errorTable[error.code].exitCode === errorTable.plugin_error.exitCode) {
		const { code, message, hint } = error;
		return error.plugin === undefined
			? new BroodError(code, message, { plugin, cause: error, ...(hint === undefined ? {} : { hint }) })
			: error;
	}
	const place =
		error?.stack === undefined ? undefined : firstOwnFrame(error.stack, dirname(host.plugins.get(plugin).path));
	return failure("plugin_error", {
		plugin,
		subject,
		reason: error === undefined ? "it gave no reason" : `${error.name}: ${error.message}`,
		cause: error,
		...(place === undefined ? {} : { positions: [place], frame: await codeFrame(place) }),
	});
}
