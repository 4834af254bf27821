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
	// One that names its plugin was made by this host about the call, and says all.
	if (isBroodError(error) && error.plugin !== undefined && isPluginFailure(error)) return error;
	const root = dirname(host.plugins.get(plugin).path);
	const missing = error === undefined ? undefined : readMissing(error);
	const absent = missing === undefined ? undefined : await explainMissing(missing, { root }, { form: "" });
	const place = absent?.position ?? (error?.stack === undefined ? undefined : firstOwnFrame(error.stack, root));
	const known = isBroodError(error) ? error : undefined;
	const hint = absent?.hint ?? known?.hint;
	const told = failure("plugin_error", {
		plugin,
		subject,
		reason: reasonOf(error),
		cause: error,
		...(hint === undefined ? {} : { hint }),
		...(place === undefined ? {} : { positions: [place], frame: await codeFrame(place) }),
	});
	// Scripts branch on what the plugin's call met, such as a provider that is missing.
	return known !== undefined && isPluginFailure(known) ? new BroodError(known.code, told.message, told) : told;
}

function reasonOf(error: Error | undefined): string {
	if (error === undefined) return "it gave no reason";
	return isBroodError(error) ? withoutHint(error) : `${error.name}: ${error.message}`;
}

function isPluginFailure({ code }: BroodError): boolean {
	return errorTable[code].exitCode === errorTable.plugin_error.exitCode;
}
