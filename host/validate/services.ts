import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { AskContext, ConfigurationProvider } from "../contracts/providers.ts";
import type { HostServices } from "../contracts/services.ts";
import { createConfiguration } from "../providers/configuration.ts";
import { createServices } from "../providers/services.ts";
import { createStatusItems } from "../providers/status.ts";
import { readPluginSkill } from "../sources/skill.ts";
import { noUI } from "../ui/none.ts";

export interface DryServiceParts {
	options: Pick<HostOptions, "client">;
	workspaceRoot: string;
	configHome: string | null;
	limits: Limits;
	/** Hears what is odd about a plugin, by its name or path. */
	warn(key: string, message: string): void;
}

/**
 * What plugins are answered with while they are only examined: settings are read and never written, nothing is opened,
 * asked of a model or put on a screen.
 */
export function createDryServices(parts: DryServiceParts): HostServices {
	const { options, limits, warn, ...places } = parts;
	const services = createServices({
		...places,
		options: {
			...options,
			providers: {
				system: { open: async () => {} },
				configuration: dryConfiguration(places),
				webhooks: { open: async ({ key }) => ({ url: dryURL(key), close() {} }) },
			},
		},
		owner: (plugin) => ({
			use: async () => {
				throw failure("plugin_not_ready", { plugin, reason: "it is only examined" });
			},
			stops: 0,
			warn: (message) => warn(plugin, message),
			inform() {},
			learn() {},
		}),
		ui: noUI(),
		status: createStatusItems(limits.text),
		limits,
		readSkill: (spec, path, spend) => readPluginSkill(spec, path, (message) => warn(spec.path, message), spend),
	});
	return {
		...services,
		// A server that the environment names would be asked, and paid.
		ai: services.ai && { ask: unasked, generate: unasked },
		clientInfo: (spec) => ({ ...services.clientInfo(spec), validate: true }),
	};
}

/** Refuses to ask a model. @throws BroodError `provider_missing` */
export async function unasked(_: unknown, { plugin }: AskContext): Promise<never> {
	const reason = "no model is asked while a plugin is only examined";
	throw failure("provider_missing", {
		plugin,
		subject: "ai",
		reason,
		hint: "Ask it from a handler, not while the plugin loads.",
	});
}

/** Nothing listens there. */
export function dryURL(key: string): string {
	return `http://127.0.0.1/validation/${encodeURIComponent(key)}`;
}

/** The settings as they are; what a plugin changes is gone with its process. */
export function dryConfiguration(places: Pick<DryServiceParts, "workspaceRoot" | "configHome">): ConfigurationProvider {
	const files = createConfiguration(places);
	const changes = new Map<string, Map<string, JsonObject[string] | undefined>>();
	const changesOf = (plugin: string) => {
		const own = changes.get(plugin) ?? new Map();
		changes.set(plugin, own);
		return own;
	};
	return {
		async get(context) {
			const settings = { ...(await files.get(context, (work) => work())) };
			for (const [key, value] of changesOf(context.plugin)) {
				if (value === undefined) delete settings[key];
				else settings[key] = value;
			}
			return settings;
		},
		async update(partial, _target, { plugin }) {
			for (const [key, value] of Object.entries(partial)) changesOf(plugin).set(key, value);
		},
		async delete(key, _target, { plugin }) {
			changesOf(plugin).set(key, undefined);
		},
		subscribe: () => ({ unsubscribe() {} }),
	};
}
