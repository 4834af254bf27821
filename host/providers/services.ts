import packageFacts from "../../package.json" with { type: "json" };
import { failure } from "../../runtime/errors.ts";
import { protocolVersion, type WireLimits } from "../../runtime/protocol.ts";
import type { SkillItem } from "../../runtime/records.ts";
import { createSettings } from "../base/settings.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { UIProvider } from "../contracts/providers.ts";
import type { HostServices, Spend, StatusService } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { platformSystem } from "./system.ts";

export interface ServiceParts {
	options: HostOptions;
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
	/** Dialogs, cleaned. */
	ui: UIProvider;
	status: StatusService;
	/** What children are told to keep to. */
	limits: WireLimits;
	readSkill(spec: PluginSpec, path: string, spend: Spend): Promise<SkillItem>;
}

/** What backends answer plugins with: the embedder's providers, and the defaults for those that it left out. */
export function createServices(parts: ServiceParts): HostServices {
	const { options, workspaceRoot, configHome, ui, status, readSkill } = parts;
	const { providers = {}, client } = options;
	const members = providers.members ?? {};
	const { lineBytesMax, writeQueueBytesMax, pendingCallsMax } = parts.limits;
	const system = providers.system ?? platformSystem();
	return {
		ui,
		system,
		status,
		readSkill,
		configuration: providers.configuration ?? createSettings({ workspaceRoot, configHome }),
		async member(subject, params, context) {
			const answer = members[subject];
			if (answer !== undefined) return answer(params, context);
			const hint = `The host can pass providers.members["${subject}"] to createHost.`;
			throw failure("provider_missing", { plugin: context.plugin, subject, hint });
		},
		clientInfo: ({ name, path, root, scope, kind }) => ({
			protocol: protocolVersion,
			client: { name: client?.name ?? packageFacts.name, version: client?.version ?? packageFacts.version },
			plugin: { name, path, root, scope, kind },
			workspaceRoot,
			ampURL: client?.url ?? "https://ampcode.com/",
			user: system.user ?? null,
			executor: { kind: "local" },
			activeThread: null,
			ui: ui.available,
			providers: Object.keys(members),
			codec: "ndjson",
			limits: {
				lineBytesMax: sent(lineBytesMax),
				writeQueueBytesMax: sent(writeQueueBytesMax),
				pendingCallsMax: sent(pendingCallsMax),
			},
		}),
	};
}

/** JSON has no infinity; a child that is told the largest whole number is held by nothing as well. */
function sent(bound: number): number {
	return Math.min(bound, Number.MAX_SAFE_INTEGER);
}
