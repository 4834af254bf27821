import type { CreateHostOptions } from "../../host.ts";
import { chooseUI } from "../choose-ui.ts";
import type { CommandContext } from "../context.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { type InspectAddress, openInspector } from "./dev-inspector.ts";
import { runSession } from "./dev-session.ts";

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
 * @param paths plugins; those of the places when there are none
 * @throws BroodError `usage`; `cancelled` on SIGINT, SIGTERM and SIGHUP
 */
export async function dev(context: CommandContext, paths: string[], own: DevOptions): Promise<number> {
	const { options } = context;
	const { inspect, inspectBrk, inspectAt = { hostname: "127.0.0.1" } } = own;
	const named = [...(options.plugin ?? []), ...paths];
	const places = paths.length === 0 && options.places;
	const given = await hostOptions({ ...options, places, ...(named.length === 0 ? {} : { plugin: named }) });
	// Whoever types the answers may still end the program with Ctrl-C: nothing runs yet.
	const chosen = await chooseUI(context);
	const plugin = inspect ?? inspectBrk;
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
		signals.signal.throwIfAborted();
		return 0;
	} catch (error) {
		// Whatever was given up says, the person knows why.
		signals.signal.throwIfAborted();
		throw error;
	} finally {
		signals.release();
		await inspector?.close();
	}
}
