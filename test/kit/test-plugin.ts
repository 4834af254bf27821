import type { LogEntry } from "../../host/base/log.ts";
import type { Calls } from "../../host/calls/calls.ts";
import type { Host } from "../../host/host.ts";
import type { PluginSnapshot } from "../../host/plugin.ts";
import type { UIRecord } from "../../host/ui/recording.ts";
import { failure } from "../../runtime/errors.ts";
import type { TapFrame } from "../../runtime/tap.ts";
import { callSite, fromCaller } from "./call-site.ts";
import type { TestClock } from "./clock.ts";
import { checkTestOptions, pathOf, type TestPluginOptions } from "./options.ts";
import { locatePlugin } from "./plugin-path.ts";
import type { TestSettings } from "./settings.ts";
import { claimProcess, startSpareSoon } from "./spares.ts";
import { startTestHost, type TestHost } from "./test-host.ts";
import { createVerdict, type Verdict } from "./verdict.ts";

/**
 * A plugin that runs, for a test to use. Its disposal stops it, removes what was made for it, and lets the test fail for
 * what nobody was told of: at its end, so that no other failure of it is hidden. Where no test runs that has loaded the
 * plugin, as in `afterAll`, the disposal rejects; where tests run at once, the run fails.
 */
export interface TestedPlugin extends AsyncDisposable, Pick<Calls, "emit" | "turn"> {
	/** As a host finds it in a place of plugins: that of the folder, where the file is an index. */
	readonly name: string;
	/** As `host.tools.call`: what the plugin answers is in the result, and a call that could not be made rejects. */
	readonly tools: Pick<Calls["tools"], "call">;
	readonly commands: Pick<Calls["commands"], "run">;
	/** What it has registered now. */
	readonly registrations: Registrations;
	/** Its dialogs and messages so far, each with how it was answered. */
	readonly ui: readonly UIRecord[];
	readonly settings: TestSettings;
	/** Lines of its log so far: what it printed, what its logger was given, what brood says about it. */
	readonly logs: readonly LogEntry[];
	/** The last messages on its wire, secrets left out. */
	readonly frames: readonly TapFrame[];
	/** Its time. @throws BroodError `usage` when the test gave it none by the option `clock` */
	readonly clock: TestClock;
	/** The host around it, for what stands in no member above; its threads are in `host.threads`. */
	readonly host: Host;
}

export type Registrations = Pick<
	PluginSnapshot,
	"commands" | "tools" | "skills" | "events" | "modes" | "links" | "statusItems"
>;

/**
 * Loads a plugin for a test: nothing that is installed on this machine is seen, no settings of the user are read, and
 * nobody but the test answers.
 *
 * @param plugin its file or directory; a path is relative to the working directory, so that a test beside it rather gives
 * `new URL("./hello.ts", import.meta.url)` or `import.meta.resolve("./hello.ts")`
 * @throws BroodError when it does not load, with the stage and a code frame, and `usage` for what is no plugin or option
 *
 * @example
 * ```ts
 * test("greets", async () => {
 * 	await using plugin = await testPlugin(new URL("./hello.ts", import.meta.url), { isolation: "graph" });
 * 	expect((await plugin.tools.call("hello", { name: "Ada" })).text).toBe("Hello, Ada!");
 * });
 * ```
 */
export function testPlugin(plugin: string | URL, options: TestPluginOptions = {}): Promise<TestedPlugin> {
	const site = callSite();
	return site.settle(load(plugin, options, createVerdict(site)));
}

async function load(plugin: string | URL, options: TestPluginOptions, verdict: Verdict): Promise<TestedPlugin> {
	checkTestOptions(options);
	const path = await locatePlugin(pathOf(plugin));
	if (options.isolation === "graph") {
		graphs ??= await import("./graph-claim.ts");
		const { claimGraph, clockOf } = graphs;
		const clock = clockOf(options);
		return testedPlugin(await startTestHost(path, options, async () => claimGraph(clock), clock), clock, verdict);
	}
	const tested = await startTestHost(path, options, () => claimProcess(options.env));
	startSpareSoon();
	return testedPlugin(tested, undefined, verdict);
}

/** Loaded when it is needed: a process needs nothing of it. */
let graphs: typeof import("./graph-claim.ts") | undefined;

/** An agent goes on without a plugin that is away; a test of its gates must not. @throws BroodError `plugin_not_ready` */
async function whileServing<Result>({ host, name }: TestHost, task: () => Promise<Result>): Promise<Result> {
	const { state, error } = host.plugins.get(name);
	if (state === "ready" || state === "unresponsive") return task();
	const cause = error === undefined ? {} : { cause: error };
	throw failure("plugin_not_ready", { plugin: name, reason: `its state is ${state}`, ...cause });
}

const noClock = 'This plugin has the real time; give testPlugin { isolation: "graph", clock: true }';

function testedPlugin(tested: TestHost, clock: TestClock | undefined, verdict: Verdict): TestedPlugin {
	const { host, name, strictness, ui, settings, logs, tap } = tested;
	const during = <Given extends unknown[], Result>(task: (...given: Given) => Promise<Result>) =>
		fromCaller((...given: Given) => strictness.during(() => task(...given)));
	const own = clock && { now: clock.now, advance: fromCaller(clock.advance) };
	let stopping: Promise<void> | undefined;
	return {
		...{ name, host, ui, settings, logs },
		tools: { call: during(host.tools.call) },
		commands: { run: during(host.commands.run) },
		emit: during((...given: Parameters<Host["emit"]>) => whileServing(tested, () => host.emit(...given))),
		turn: during((...given: Parameters<Host["turn"]>) =>
			whileServing(tested, async () => strictness.played(name, await host.turn(...given))),
		),
		get registrations() {
			const { commands, tools, skills, events, modes, links, statusItems } = host.plugins.get(name);
			return { commands, tools, skills, events, modes, links, statusItems };
		},
		get frames() {
			return tap.frames();
		},
		get clock() {
			if (own === undefined) throw callSite().place(failure("usage", { reason: noClock }));
			return own;
		},
		[Symbol.asyncDispose]() {
			stopping ??= tested.stop().then(verdict.conclude);
			return stopping;
		},
	};
}
