import { type BroodError, failure, isBroodError } from "../../runtime/errors.ts";
import type { LimitOverrides } from "../../runtime/limits.ts";
import { findPlaces } from "../base/paths.ts";
import type { EnvironmentOption, InstallOption, LaunchOption } from "../contracts/options.ts";
import type { Providers } from "../contracts/providers.ts";
import { createHost } from "../host.ts";
import type { PluginSnapshot } from "../plugin.ts";
import type { PluginSpec } from "../spec.ts";
import { dryConfiguration, dryURL, unasked } from "../validate/services.ts";
import { type StageTimes, splitStart } from "./stages.ts";

/** How plugins are started to be measured; the defaults are those of a host. */
export interface StartOptions {
	/** Where the workspace is looked for. */
	cwd?: string;
	limits?: LimitOverrides;
	install?: InstallOption;
	launch?: LaunchOption;
	env?: EnvironmentOption;
}

/** What became of one start. */
export type StartOutcome =
	| { times: StageTimes; error?: undefined }
	| { error: BroodError; state: PluginSnapshot["state"]; times?: undefined };

/**
 * Starts one plugin in a process of its own, the way that every host does, and stops it again. While it loads it is
 * answered by what changes nothing: settings are read and never written, no model is asked, nothing is opened.
 */
export async function startOnce(
	spec: Pick<PluginSpec, "kind" | "path" | "root">,
	options: StartOptions,
): Promise<StartOutcome> {
	try {
		await using host = await createHost({
			...options,
			plugins: [spec.kind === "directory" ? spec.root : spec.path],
			places: false,
			enablement: false,
			providers: dryProviders(options.cwd),
		});
		const [plugin] = host.plugins.list();
		if (plugin === undefined) throw new Error(`${spec.path} is no plugin any more`);
		const { error, state, facts } = plugin;
		if (error !== undefined) return { error, state };
		if (state === "ready") return { times: splitStart(facts) };
		return { error: failure("plugin_not_ready", { plugin: plugin.name, reason: `its state is ${state}` }), state };
	} catch (error) {
		if (isBroodError(error)) return { error, state: "failed" };
		throw error;
	}
}

function dryProviders(cwd: string | undefined): Providers {
	return {
		system: { open: async () => {} },
		configuration: dryConfiguration(findPlaces(cwd)),
		ai: { ask: unasked, generate: unasked },
		webhooks: { open: async ({ key }) => ({ url: dryURL(key), close() {} }) },
	};
}
