import { fileURLToPath } from "node:url";
import {
	anObject,
	aSwitch,
	aText,
	checkOptions,
	isObject,
	type OptionKind,
	oneOf,
	refuse,
} from "../../host/base/options.ts";
import type { Providers, UIProvider } from "../../host/contracts/providers.ts";
import type { ScriptedAnswer } from "../../host/ui/scripted.ts";
import type { LimitOverrides } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";

/**
 * What a test gives a plugin. Its places for a user's configuration, data, state and cache (`XDG_…_HOME`) are new, empty,
 * and removed with it. Of a provider it gives the members that the plugin needs. What is left out, and a plugin asks for
 * all the same, fails the test; see `strict`.
 */
export interface TestPluginOptions extends Omit<PartialProviders, "ui" | "configuration"> {
	/** Answers to dialogs, in order, all of which must be asked for; or what draws them, such as `scriptedUI([…])` of brood. */
	ui?: ScriptedAnswer[] | Partial<UIProvider>;
	/** The settings of the user; none when absent. */
	settings?: JsonObject;
	/**
	 * Where the plugin runs. `process`, which is what it means when absent: in a process of its own, as with any host.
	 * `graph`: in this program, in a `Bun.ModuleGraph`, in a fraction of the time. Nothing keeps it apart there: a plugin
	 * shares memory, the global object, the modules of Bun and Node, the working directory and the event loop with the
	 * test, one that never lets go of the loop hangs the test, and one that calls `process.exit` from `node:process` ends
	 * it. Its own are `process`, `Bun` and `console` as global names, its modules, its timers and what it opens. Under
	 * `bun test --isolate`, which `--parallel` means too, Bun reads a file once in a run: a test that writes a plugin anew
	 * needs `process`.
	 */
	isolation?: "process" | "graph";
	/**
	 * A clock that stands still until `plugin.clock` moves it, from now on or from that time: `setTimeout`, `setInterval`,
	 * `Date`, `performance.now` and `Bun.sleep` as the plugin's modules name them. With the isolation `graph` alone; the
	 * modules of Node and `AbortSignal.timeout` keep the real time.
	 */
	clock?: true | Date | number;
	/**
	 * Whether what does not agree with what the test gave fails the test: a member of the API that needs what is not there,
	 * by its name, an answer that does not fit, a turn in which something fails or is not as its script expects, and answers
	 * that are left. What the test was doing then rejects, or else the test fails when it ends. Yes when absent; otherwise
	 * only the plugin hears of it, and a turn has it in its outcome.
	 */
	strict?: boolean;
	/** Where the workspace is looked for; the working directory when absent. */
	cwd?: string;
	/** Variables of the plugin's environment beside those of this program. */
	env?: Record<string, string>;
	/** Other bounds than those of a host. */
	limits?: LimitOverrides;
}

/** Providers of which a test writes what its plugin needs. */
type PartialProviders = { [Name in keyof Providers]?: Partial<NonNullable<Providers[Name]>> };

/** @throws BroodError `usage` for what is no option, or could have no effect */
export function checkTestOptions(options: TestPluginOptions): void {
	checkOptions("testPlugin", options, kinds);
	const { clock, isolation } = options;
	if (clock === undefined || isolation === "graph") return;
	refuse('A process has its own time: the option "clock" of testPlugin needs isolation: "graph"');
}

/** The path of a plugin that is given as one, or as the URL of a file. @throws BroodError `usage` */
export function pathOf(plugin: string | URL): string {
	const given: unknown = plugin;
	if (typeof given !== "string" && !(given instanceof URL)) refuse("testPlugin takes the path of a plugin, or its URL");
	try {
		return given instanceof URL || given.startsWith("file:") ? fileURLToPath(given) : given;
	} catch {
		return refuse(`testPlugin takes the path of a plugin, or the URL of a file, not ${String(given)}`);
	}
}

const kinds: Record<keyof TestPluginOptions, OptionKind> = {
	ui: { what: "a list of answers, or what draws dialogs", is: (value) => Array.isArray(value) || isObject(value) },
	settings: anObject,
	isolation: oneOf("process", "graph"),
	clock: {
		what: "true, a Date or a time in milliseconds",
		is: (value) => value === true || Number.isFinite(value instanceof Date ? value.getTime() : value),
	},
	strict: aSwitch,
	cwd: aText,
	env: anObject,
	limits: anObject,
	system: anObject,
	executor: anObject,
	ai: anObject,
	attachments: anObject,
	agents: anObject,
	threads: anObject,
	webhooks: anObject,
};
