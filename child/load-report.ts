import type { SourcePosition } from "../runtime/errors.ts";
import type { ChildCalls, ChildNotifications, MissingModule } from "../runtime/protocol.ts";
import type { Remote } from "../runtime/typed.ts";
import { toWireError } from "../runtime/wire-error.ts";
import { meantMember } from "./meant-member.ts";
import { ownFiles } from "./own-files.ts";
import type { Progress } from "./session.ts";

/** Tells the host why the load failed. @param api what the plugin was given, once it was */
export function reportFailure(
	host: Remote<ChildCalls, ChildNotifications>,
	progress: Progress,
	thrown: unknown,
	api?: object,
): void {
	const meant = api === undefined ? undefined : meantMember(thrown, api);
	const stage = progress.stage === "ready" ? "activate" : progress.stage;
	host.notify("runtime.failed", {
		stage,
		error: toWireError(thrown),
		positions: positionsOf(thrown),
		...missingOf(thrown),
		...(meant === undefined ? {} : { meant }),
	});
}

/** Bun's build errors know their places; an AggregateError carries several. */
function positionsOf(thrown: unknown): SourcePosition[] {
	const errors = thrown instanceof AggregateError ? thrown.errors : [thrown];
	return errors.flatMap((error: unknown) => positionOf(error) ?? []);
}

function positionOf(error: unknown): SourcePosition | undefined {
	if (typeof error !== "object" || error === null) return undefined;
	const { position, message, referrer } = error as { position?: unknown; message?: unknown; referrer?: unknown };
	const text = typeof message === "string" ? { message } : {};
	if (typeof position !== "object" || position === null) {
		// The runtime imports the plugin itself; its own file is no place of the author's.
		const isNone = typeof referrer !== "string" || referrer === "" || ownFiles.some((path) => referrer.includes(path));
		return isNone ? undefined : { file: referrer, line: 1, column: 1, ...text };
	}
	const { file, line, column, lineText } = position as Partial<SourcePosition>;
	if (typeof file !== "string" || typeof line !== "number" || typeof column !== "number") return undefined;
	return { file, line, column, ...(typeof lineText === "string" ? { lineText } : {}), ...text };
}

/** What an import did not find; what to do about it is known to the host. */
function missingOf(thrown: unknown): { missing?: MissingModule } {
	if (!(thrown instanceof ResolveMessage)) return {};
	const { specifier, referrer } = thrown;
	// Why a package could not be fetched, or which settings could not be read, stands in what Bun prints alone.
	const [, text, place] = /^note: (.+)(?:\n\s+at (\S.*))?$/m.exec(Bun.inspect(thrown)) ?? [];
	const note = place === undefined ? text : `${text} (${place})`;
	return { missing: { specifier, referrer, ...(note === undefined ? {} : { note }) } };
}
