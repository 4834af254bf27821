import { type BroodError, failure, isBroodError } from "../../runtime/errors.ts";
import type { AskContext } from "../contracts/providers.ts";
import { cleanLine } from "./clean.ts";

/** The dialogs that wait for a person. */
export const dialogKinds = ["input", "confirm", "form", "select"] as const;

export type DialogKind = (typeof dialogKinds)[number];

/** A dialog as messages name it: `select dialog "Pick one"`. */
export function describeDialog(kind: DialogKind, title: string | undefined): string {
	return title === undefined ? `${kind} dialog` : `${kind} dialog "${cleanLine(title, titleCharsMax)}"`;
}

/**
 * Waits for the answer as long as somebody wants it; what comes of `ask` later is dropped.
 *
 * @throws BroodError `cancelled` as soon as `context.signal` aborts; `ask` is not called when it already has
 */
export async function whileWanted<Answer>(
	context: AskContext,
	dialog: string,
	ask: () => Promise<Answer>,
): Promise<Answer> {
	const { signal } = context;
	if (signal.aborted) throw withdrawn(context, dialog);
	const { promise: aborted, reject } = Promise.withResolvers<never>();
	const abort = () => reject(withdrawn(context, dialog));
	signal.addEventListener("abort", abort, { once: true });
	try {
		return await Promise.race([ask(), aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

// Enough to recognise the dialog in a message.
const titleCharsMax = 80;

/** Whether a dialog is withdrawn because the process that asked has ended, rather than by its caller. */
export function hasPluginEnded({ signal }: AskContext): boolean {
	return isBroodError(signal.reason, "plugin_exited") || isBroodError(signal.reason, "channel_closed");
}

function withdrawn(context: AskContext, dialog: string): BroodError {
	const reason = hasPluginEnded(context) ? "the plugin ended" : undefined;
	const facts = { plugin: context.plugin, subject: `The ${dialog}` };
	return failure("cancelled", reason === undefined ? facts : { ...facts, reason });
}
