import type { Limits } from "../../runtime/limits.ts";
import type { Backend } from "../contracts/backend.ts";
import type { InspectOption } from "../contracts/options.ts";

/** What Bun is to be told so that its debugger looks into a launch; nothing for other plugins and where no Bun is told. */
export function inspectFlags(form: string, plugin: string, inspect: InspectOption | undefined): string[] {
	if (inspect?.plugin !== plugin || form === "custom" || form === "graph") return [];
	return [`${inspect.break ? "--inspect-brk" : "--inspect"}=${inspect.listen()}`];
}

/** Whether a plugin does not start before somebody attaches a debugger. */
export function waitsForDebugger(plugin: string, inspect: InspectOption | undefined): boolean {
	return inspect?.break === true && inspect.plugin === plugin;
}

/** The limits of a plugin that may stand still for any time. Only its stop keeps its time. */
export function patientLimits({ load, liveness, stop, ...limits }: Limits): Limits {
	return {
		...limits,
		load: { ...load, readyMs: endless },
		liveness: { ...liveness, pingEveryMs: endless },
		stop: { ...stop, drainMs: endless },
	};
}

/** A backend whose calls have no limits either, whatever time whoever makes them gives. */
export function patientBackend(backend: Backend): Backend {
	return {
		get pid() {
			return backend.pid;
		},
		exited: backend.exited,
		facts: () => backend.facts(),
		start: (signal) => backend.start(signal),
		call: (call, { signal }) => backend.call(call, { signal }),
		emit: (event, { signal }) => backend.emit(event, { signal }),
		links: (text, { signal }) => backend.links(text, { signal }),
		modules: () => backend.modules(),
		dispose: (signal) => backend.dispose(signal),
		kill: (signal, why) => backend.kill(signal, why),
	};
}

const endless = Number.POSITIVE_INFINITY;
