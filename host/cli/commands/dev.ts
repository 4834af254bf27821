import { isBroodError } from "../../../runtime/errors.ts";
import type { CreateHostOptions } from "../../host.ts";
import { chooseUI } from "../choose-ui.ts";
import type { CommandContext } from "../context.ts";
import { exitCodeOf } from "../failure.ts";
import type { Output } from "../output.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { type InspectAddress, openInspector } from "./dev-inspector.ts";
import { runSession } from "./dev-session.ts";
import { pathsOf, requirePlugins } from "./find-plugin.ts";

export interface DevOptions {
	/** Whether a process waits for the next reload. */
	warm: boolean;
	/** The plugin that a debugger is to look into. */
	inspect?: string;
	/** The same, and it waits for the debugger. */
	inspectBrk?: string;
	/** Where the debugger is waited for. */
	inspectAt?: InspectAddress;
}

/**
 * `brood dev`: runs plugins and lets them follow their files, until somebody ends it.
 *
 * @param paths plugins, also by their names; those of the places when there are none
 * @returns 0 when it was quit, or nobody reads its results any more; 130 after Ctrl-C
 * @throws BroodError `usage`; `plugin_not_found` for a name that no plugin has; `cancelled` on SIGTERM and SIGHUP
 */
export async function dev(context: CommandContext, paths: string[], own: DevOptions): Promise<number> {
	const { options, output } = context;
	const { inspect, inspectBrk, inspectAt = { hostname: "127.0.0.1" } } = own;
	const named = [...(options.plugin ?? []), ...(await pathsOf(paths, options))];
	const places = paths.length === 0 && options.places;
	const hosted = { ...options, places, ...(named.length === 0 ? {} : { plugin: named }) };
	const given = await hostOptions(hosted);
	const plugin = inspect ?? inspectBrk;
	await requirePlugins(hosted, [...(options.installFor ?? []), ...(plugin === undefined ? [] : [plugin])]);
	// Whoever types the answers may still end the program with Ctrl-C: nothing runs yet.
	const chosen = await chooseUI(context);
	const inspector =
		plugin === undefined ? undefined : await openInspector({ ...inspectAt, follow: inspectBrk !== undefined });
	const inspected: CreateHostOptions =
		plugin === undefined || inspector === undefined
			? {}
			: { inspect: { plugin, listen: inspector.listen, break: inspectBrk !== undefined } };
	const signals = watchSignals();
	try {
		const hosting = { ...given, ...inspected, warm: own.warm ? 1 : 0 };
		await runSession({ context, hosting, chosen, signals, inspector });
		if (!signals.signal.aborted) return 0;
	} catch (error) {
		// Whatever was given up says, the person knows why.
		if (!signals.signal.aborted) throw error;
	} finally {
		signals.release();
		await inspector?.close();
	}
	return afterSignal(signals.signal.reason, output);
}

/** Whoever presses Ctrl-C knows why it ends; of another signal they may not. @throws BroodError `cancelled` for such a one */
function afterSignal(reason: unknown, output: Output): number {
	if (!isBroodError(reason, "cancelled") || reason.exit?.signal !== "SIGINT") throw reason;
	// Nobody is waited for who takes no results.
	output.abandonResults();
	return exitCodeOf(reason);
}
