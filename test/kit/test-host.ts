import type { Ahead } from "../../host/backends/ahead.ts";
import type { LogEntry } from "../../host/base/log.ts";
import type { Providers, UIProvider } from "../../host/contracts/providers.ts";
import { type CreateHostOptions, createHostIn, type Host } from "../../host/host.ts";
import { checkHost } from "../../host/host-options.ts";
import { recordingUI, type UIRecord } from "../../host/ui/recording.ts";
import { scriptedUI } from "../../host/ui/scripted.ts";
import { type BroodError, failure } from "../../runtime/errors.ts";
import { createTap, type Tap } from "../../runtime/tap.ts";
import type { GraphClock } from "./clock.ts";
import { environmentIn, removeHome } from "./home.ts";
import type { TestPluginOptions } from "./options.ts";
import { completeProvider } from "./partial-providers.ts";
import type { PluginPath } from "./plugin-path.ts";
import { memorySettings, type TestSettings } from "./settings.ts";
import type { Claim } from "./spares.ts";
import { createStrictness, type GivenByTest, lenient, type Strictness } from "./strict.ts";
import { watch } from "./watched.ts";

/** A host around one plugin that answers with what a test gave, and keeps what happens. */
export interface TestHost {
	host: Host;
	/** Of the plugin. */
	name: string;
	ui: UIRecord[];
	settings: TestSettings;
	logs: LogEntry[];
	tap: Tap;
	strictness: Strictness;
	/** Stops it, and says what the test is to fail for: what the plugin asked for and nobody was told of, answers that are left. */
	stop(): Promise<BroodError | undefined>;
}

/**
 * Starts it.
 *
 * @param claim takes what it starts in, once it is known that it can
 * @throws BroodError of a plugin that does not load, or `usage`; nothing is then left
 */
export async function startTestHost(
	{ plugin: path, file }: PluginPath,
	options: TestPluginOptions,
	claim: () => Promise<Claim>,
	clock?: GraphClock,
): Promise<TestHost> {
	const { ui: given = [], settings: own = {}, strict = true } = options;
	const { provider: inner, left } = answering(given);
	const { ui, record } = recordingUI(inner);
	const { settings, provider } = memorySettings(own);
	let host: Host | undefined;
	const hasThreads = () => options.threads !== undefined || (host?.threads?.list() ?? []).length > 0;
	const strictness = strict ? createStrictness({ left, hasThreads }) : lenient;
	const tap = createTap({
		each(frame) {
			strictness.observe(frame);
			clock?.observe(frame);
		},
	});
	const logs: LogEntry[] = [];
	const common = hostOptions(path, options, { ...providersOf(options), ui, configuration: provider });
	checkHost(common);
	const { home, surroundings, ahead } = await claim();
	// Before it is loaded: what is saved meanwhile counts as well. What a graph loads Bun watches by itself.
	const watching = options.isolation === "graph" ? undefined : watch(file);
	const stop = async () => {
		await Promise.all([host?.stop(), watching]);
		await dropUnused(ahead);
		removeHome(home);
	};
	try {
		const wire: CreateHostOptions["wire"] = (_, frame) => tap.observe(frame);
		const observe: CreateHostOptions["observe"] = (event) => void (event.type === "log" && logs.push(event.entry));
		const env = environmentIn(home, options.env);
		host = await createHostIn(surroundings, { ...common, env, wire, observe }, ahead);
		const name = readyPlugin(host, path);
		strictness.check();
		return {
			...{ host, name, ui: record, settings, logs, tap, strictness },
			async stop() {
				await stop();
				return strictness.finish(name);
			},
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** What answers dialogs, and what is left of it where it is a list. */
function answering(given: NonNullable<TestPluginOptions["ui"]>): { provider: UIProvider; left: GivenByTest["left"] } {
	if (!Array.isArray(given)) return { provider: completeProvider("ui", given), left: undefined };
	const script = scriptedUI(given, { source: "the option ui of testPlugin" });
	return { provider: script, left: () => script.left };
}

/** Ends a process that the host was not even made for. */
async function dropUnused(ahead: Ahead | undefined): Promise<void> {
	const spare = ahead?.adopt();
	spare?.child.kill("SIGKILL");
	await spare?.child.exited;
}

function hostOptions(path: string, { cwd, limits }: TestPluginOptions, providers: Providers): CreateHostOptions {
	return {
		...{ plugins: [path], places: false, enablement: false, providers },
		...(cwd === undefined ? {} : { cwd }),
		// Before a test is given up, which would tell less.
		limits: { ...limits, load: { readyMs: testReadyMs, ...limits?.load } },
	};
}

/** `bun test` gives a test five seconds. */
const testReadyMs = 4_000;

/** What the test gave; in the place of what this machine would answer with otherwise, something that refuses to. */
function providersOf({ system, executor, ai, attachments, agents, threads, webhooks }: TestPluginOptions): Providers {
	return {
		...(executor && { executor: completeProvider("executor", executor) }),
		...(attachments && { attachments: completeProvider("attachments", attachments) }),
		...(agents && { agents: completeProvider("agents", agents) }),
		...(threads && { threads: completeProvider("threads", threads) }),
		system: completeProvider("system", system),
		ai: completeProvider("ai", ai),
		webhooks: completeProvider("webhooks", webhooks),
	};
}

/** @throws BroodError why it is not ready, or `usage` where there is not one plugin alone */
function readyPlugin(host: Host, path: string): string {
	const plugins = host.plugins.list();
	const [plugin, ...others] = plugins;
	if (plugin === undefined || others.length > 0) {
		const names = plugins.length === 0 ? "none" : plugins.map(({ name }) => name).join(", ");
		throw failure("usage", { reason: `testPlugin loads one plugin, and ${path} holds ${names}` });
	}
	if (plugin.state !== "ready") throw plugin.error ?? failure("plugin_not_ready", { plugin: plugin.name });
	return plugin.name;
}
