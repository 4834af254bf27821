import type { Limits } from "../../runtime/limits.ts";
import type { Redactor } from "../../runtime/redact.ts";
import { systemClock } from "../base/clock.ts";
import type { Backend, BackendEvents } from "../contracts/backend.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { HostServices } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { createAmpBackend } from "./amp.ts";
import { withColdFallback } from "./cold-fallback.ts";
import { patientBackend, patientLimits } from "./inspected.ts";
import type { LaunchSurroundings } from "./launch.ts";
import { launchesOf, observerOf } from "./plugin-launch.ts";
import { redactedBackend } from "./redacted.ts";
import type { Spares } from "./spares.ts";
import type { Watchdog } from "./watchdog.ts";

export interface PluginBackendParts {
	options: Pick<HostOptions, "launch" | "env" | "install" | "inspect" | "wire">;
	surroundings: LaunchSurroundings;
	watchdog: Watchdog;
	services: HostServices;
	spares: Spares;
	/** Knows the secrets of the plugin, over all its launches. */
	redactor: Redactor;
	/** Those of the host. */
	limits: Limits;
}

/** How the processes of one plugin are made, and the limits that it has. */
export interface PluginBackends {
	limits: Limits;
	/** Makes the backend of one launch. */
	create(events: BackendEvents): Backend;
}

/** Settles how one plugin of a host is run. */
export function backendsOf(spec: PluginSpec, parts: PluginBackendParts): PluginBackends {
	const { options, surroundings, redactor, watchdog, services } = parts;
	const isPatient = options.inspect?.plugin === spec.name;
	const limits = isPatient ? patientLimits(parts.limits) : parts.limits;
	const launch = launchesOf(spec, parts);
	return {
		limits,
		create(events) {
			const { spawn } = surroundings;
			const common = { spec, launch, spawn, events, watchdog, services, limits };
			const observe = observerOf(spec.name, options.wire, redactor);
			const backend = withColdFallback((mayTakeSpare) => {
				const spares = mayTakeSpare ? parts.spares : undefined;
				return createAmpBackend({ ...common, spares, clock: systemClock, observe });
			});
			const { stderrTailBytesMax } = limits.text;
			return redactedBackend(isPatient ? patientBackend(backend) : backend, redactor, stderrTailBytesMax);
		},
	};
}
