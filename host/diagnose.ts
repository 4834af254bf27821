import { failure } from "../runtime/errors.ts";
import { withOverrides } from "../runtime/limits.ts";
import { findPlaces, type Places } from "./base/paths.ts";
import type { Finding } from "./contracts/findings.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { AskContext, Providers } from "./contracts/providers.ts";
import { createHost } from "./host.ts";

/** What a diagnosis looks at; what a host of this program would be made with is given alike. */
export interface DiagnoseOptions
	extends Pick<HostOptions, "cwd" | "plugins" | "places" | "limits" | "env" | "launch" | "enablement" | "install"> {
	/**
	 * Who answers plugins while they load. Of what is left out, settings are read and never written, no model is asked,
	 * nothing is opened, and no webhook receives anything.
	 */
	providers?: Providers;
	/** Whether each plugin is loaded once, to see whether it can be, and how fast; yes when absent. */
	load?: boolean;
	/**
	 * Whether old files that no running host uses are removed; no when absent. Nothing is changed then, but that a load
	 * keeps the code of children in the cache, as every host does.
	 */
	fix?: boolean;
	/** Gives the diagnosis up; plugins that run for it are stopped first. */
	signal?: AbortSignal;
}

/**
 * Looks at everything that plugins depend on: Bun, folders, places, permissions, settings, state, and how each loads.
 * Nothing is fetched unless `install` says so, and nothing runs on when it resolves.
 *
 * @returns what was found, check by check, what is in order included
 * @throws BroodError `usage` when a path in `plugins` is no plugin; the reason of `signal`
 */
export async function diagnose(options: DiagnoseOptions = {}): Promise<Finding[]> {
	const { load = true, fix = false, signal, ...hostOptions } = options;
	const { cwd, plugins = [], places = true, limits } = hostOptions;
	const { runChecks } = await import("./doctor/checks.ts");
	const found = findPlaces(cwd);
	const providers = { ...(await dryProviders(found)), ...hostOptions.providers };
	return await runChecks({
		places: found,
		explicit: plugins,
		usesPlaces: places,
		fix,
		environment: process.env,
		start: load ? (bare) => createHost({ ...hostOptions, providers, plugins: [...plugins, ...bare] }) : undefined,
		loadedMax: withOverrides(limits).load.diagnosedMax,
		signal,
	});
}

/** What does nothing that anybody could see later. */
async function dryProviders(places: Places): Promise<Providers> {
	const { dryConfiguration } = await import("./validate/services.ts");
	const hasAI = (process.env.BROOD_AI_URL ?? "") !== "";
	return {
		system: { open: async () => {} },
		configuration: dryConfiguration(places),
		// A server would be asked, and paid; and a running host would miss what webhooks took.
		...(hasAI ? { ai: { ask: refuse, generate: refuse } } : {}),
		webhooks: { open: async ({ key }) => ({ url: `http://127.0.0.1/doctor/${encodeURIComponent(key)}`, close() {} }) },
	};
}

async function refuse(_: unknown, { plugin }: AskContext): Promise<never> {
	const reason = "no model is asked while a plugin is only looked at";
	throw failure("provider_missing", { plugin, subject: "ai", reason, hint: "Ask it from a handler, not at the load." });
}
