import { dirname } from "node:path";
import { BroodError, errorTable, failure, isBroodError, withoutHint } from "../../../runtime/errors.ts";
import type { EventName } from "../../../runtime/records.ts";
import { explainMissing, readMissing } from "../../backends/missing-module.ts";
import { codeFrame, firstOwnFrame } from "../../base/frame.ts";
import type { LogEntry } from "../../base/log.ts";
import type { Host } from "../../host.ts";

/** An answer that is an error, as part of a result; the error line on stderr has the same message. */
export function errorSummary(error: BroodError): { code: string; message: string } {
	return { code: error.code, message: withoutHint(error) };
}

/** Whether a log entry says that a handler of this event failed. */
export function isHandlerFailure({ source, message }: LogEntry, event: EventName): boolean {
	return source === "host" && message.startsWith(`its handler of ${event} failed: `);
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
	const root = dirname(host.plugins.get(plugin).path);
	const missing = error === undefined ? undefined : readMissing(error);
	const absent = missing === undefined ? undefined : await explainMissing(missing, { root }, { form: "" });
	const place = absent?.position ?? (error?.stack === undefined ? undefined : firstOwnFrame(error.stack, root));
	return failure("plugin_error", {
		plugin,
		subject,
		reason: error === undefined ? "it gave no reason" : `${error.name}: ${error.message}`,
		cause: error,
		...(absent?.hint === undefined ? {} : { hint: absent.hint }),
		...(place === undefined ? {} : { positions: [place], frame: await codeFrame(place) }),
	});
}
