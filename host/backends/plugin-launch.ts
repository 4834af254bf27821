import type { Frame } from "../../runtime/peer.ts";
import type { Redactor } from "../../runtime/redact.ts";
import { withholdSecrets } from "../../runtime/tap.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { type LaunchSurroundings, planLaunch } from "./launch.ts";
import { secretVariables } from "./secret-variables.ts";
import type { Watchdog } from "./watchdog.ts";

export interface PluginLaunchParts {
	options: Pick<HostOptions, "launch" | "env" | "install" | "inspect">;
	surroundings: LaunchSurroundings;
	watchdog: Watchdog;
	/** Learns the secrets in the environment of each launch. */
	redactor: Redactor;
}

/** Plans the launches of one plugin; the watchdog runs from the first one on. @throws BroodError as `planLaunch` does */
export function launchesOf(
	spec: PluginSpec,
	{ options, surroundings, watchdog, redactor }: PluginLaunchParts,
): () => Launch {
	const { launch, env, install, inspect } = options;
	return () => {
		// Where nothing runs, it does not either.
		if (surroundings.spawn === undefined) watchdog.start();
		const plan = planLaunch(spec, { launch, env, install, inspect }, surroundings);
		secretVariables(plan.env).forEach(redactor.learn);
		return plan;
	};
}

/** Shows somebody the messages of one plugin without its secrets; undefined where nobody looks. */
export function observerOf(
	plugin: string,
	wire: ((plugin: string, frame: Frame) => void) | undefined,
	redactor: Redactor,
): ((frame: Frame) => void) | undefined {
	if (wire === undefined) return undefined;
	const withheld = withholdSecrets(redactor);
	return (frame) => wire(plugin, withheld(frame));
}
