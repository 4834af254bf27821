import { childEntry } from "../../host/backends/child-origin.ts";
import type { LogEntry } from "../../host/base/log.ts";
import { refuse } from "../../host/base/options.ts";
import type { Calls } from "../../host/calls/calls.ts";
import type { Host } from "../../host/host.ts";
import type { PluginSnapshot } from "../../host/plugin.ts";
import type { UIRecord } from "../../host/ui/recording.ts";
import { failure } from "../../runtime/errors.ts";
import type { TapFrame } from "../../runtime/tap.ts";
import { createGraphClock, type GraphClock, type TestClock } from "./clock.ts";
import { startGraph } from "./graph-child.ts";
import { newHome } from "./home.ts";
import { checkTestOptions, pathOf, type TestPluginOptions } from "./options.ts";
import type { TestSettings } from "./settings.ts";
import { type Claim, claimProcess, startSpareSoon } from "./spares.ts";
import { startTestHost, type TestHost } from "./test-host.ts";

/** A plugin that runs, for a test to use. Its disposal stops it and removes what was made for it. */
export interface TestedPlugin extends AsyncDisposable, Pick<Calls, "emit" | "turn"> {
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
export async function testPlugin(plugin: string | URL, options: TestPluginOptions = {}): Promise<TestedPlugin> {
	checkTestOptions(options);
	const path = pathOf(plugin);
	const { isolation, clock: start } = options;
	if (isolation !== "graph") {
		const tested = await startTestHost(path, options, () => claimProcess(options.env));
		startSpareSoon();
		return testedPlugin(tested, undefined);
	}
	const clock = start === undefined ? undefined : createGraphClock(Number(start === true ? Date.now() : start));
	return testedPlugin(await startTestHost(path, options, async () => claimGraph(clock), clock), clock);
}

function claimGraph(clock: GraphClock | undefined): Claim {
	return {
		home: newHome(),
		surroundings: {
			...{ execPath: process.execPath, compiled: false, switchInstalled: false, childEntry, environment: process.env },
			spawn: (spawned) => startGraph(spawned, clock),
		},
	};
}

/** An agent goes on without a plugin that is away; a test of its gates must not. @throws BroodError `plugin_not_ready` */
async function whileServing<Result>({ host, name }: TestHost, task: () => Promise<Result>): Promise<Result> {
	const { state, error } = host.plugins.get(name);
	if (state === "ready" || state === "unresponsive") return task();
	const cause = error === undefined ? {} : { cause: error };
	throw failure("plugin_not_ready", { plugin: name, reason: `its state is ${state}`, ...cause });
}

function testedPlugin(tested: TestHost, clock: TestClock | undefined): TestedPlugin {
	const { host, name, strictness, ui, settings, logs, tap } = tested;
	const { during } = strictness;
	let stopping: Promise<void> | undefined;
	return {
		...{ name, host, ui, settings, logs },
		tools: { call: (...given) => during(() => host.tools.call(...given)) },
		commands: { run: (...given) => during(() => host.commands.run(...given)) },
		emit: (...given) => during(() => whileServing(tested, () => host.emit(...given))),
		turn: (...given) => during(() => whileServing(tested, () => host.turn(...given))),
		get registrations() {
			const { commands, tools, skills, events, modes, links, statusItems } = host.plugins.get(name);
			return { commands, tools, skills, events, modes, links, statusItems };
		},
		get frames() {
			return tap.frames();
		},
		get clock() {
			return clock ?? refuse('This plugin has the real time; give testPlugin { isolation: "graph", clock: true }');
		},
		[Symbol.asyncDispose]() {
			stopping ??= tested.stop();
			return stopping;
		},
	};
}
