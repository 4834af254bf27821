import type { LimitOverrides } from "../../runtime/limits.ts";
import type { Frame } from "../../runtime/peer.ts";
import type { EnablementStore } from "./enablement.ts";
import type { Providers } from "./providers.ts";

/** What a program that embeds brood may decide. */
export interface HostOptions {
	/** Where the workspace is looked for; the working directory when absent. */
	cwd?: string;
	/** Plugin files, or directories of a plugin or of plugins; they come before every place. */
	plugins?: string[];
	/** Whether the places of the project and the user are looked at too; yes when absent. */
	places?: boolean;
	/** Who answers what plugins ask for. */
	providers?: Providers;
	/**
	 * Keeps which plugins were switched on and off; when absent the file of the user that `brood on` and `brood off` write,
	 * `$XDG_STATE_HOME/brood/plugins.json`. With `false` every plugin that is found starts, and nothing is kept.
	 */
	enablement?: EnablementStore | false;
	/** Other bounds than the defaults. */
	limits?: LimitOverrides;
	/** The environment of plugins; as in Amp, that of the host when absent. */
	env?: EnvironmentOption;
	launch?: LaunchOption;
	/** Which plugins may have packages fetched that they import and nobody installed; none when absent. */
	install?: InstallOption;
	/**
	 * So many processes wait for a plugin, each a Bun of some megabytes that is woken about once a second; none when absent.
	 * A plugin that is enabled, reloaded, or started again after a crash then loads in a fraction of the time. Each serves
	 * one plugin in its life and is replaced while no plugin starts. What needs another command is started as ever: the
	 * `custom` form of `launch`, and plugins that may have packages fetched.
	 */
	warm?: number;
	/** What it means for a tool call when a gate fails; it is rejected when absent. */
	toolCallFailure?: "reject" | "allow";
	/** Whether tool inputs are checked against their schema before the call; yes when absent. */
	checkInputs?: boolean;
	/** How the host calls itself to plugins. */
	client?: { name: string; version: string; url?: string };
	/** The plugin that a debugger is to look into; none when absent. */
	inspect?: InspectOption;
	/** Whether signals and the end of the program stop the plugins; yes when absent. */
	endWithProgram?: boolean;
	/** Sees every message on the wire of every plugin, with what is known to be secret as `[secret]`. */
	wire?: (plugin: string, frame: Frame) => void;
}

/** How a host wants its children made; the default fits both a source and a compiled host. */
export type LaunchOption =
	/** A compiled host runs itself as plain Bun with the text of `brood/child.js`. */
	| { form: "be-bun"; childSource: string }
	/** Another child, for tests: this command, followed by the plugin's path. */
	| { form: "custom"; command: string[] };

/**
 * Opens Bun's debugger in each process of one plugin, in none of another and in none that waits for a plugin. What stands
 * still at a breakpoint is not late: the plugin may take any time to become ready, to answer, and to finish calls after a
 * reload, and need not show that it lives. Where another command runs plugins, as with the `custom` form, nothing listens.
 */
export interface InspectOption {
	/** Its name. */
	plugin: string;
	/** Where the debugger of the next process listens, as `bun --inspect` takes it; while it is reloaded, two run at once. */
	listen(): string;
	/**
	 * Whether each process waits for a debugger, and stops at its first line; no when absent. `createHost` then resolves
	 * without this plugin, which is `starting` until a debugger has let it go on.
	 */
	break?: boolean;
}

/**
 * Which plugins may have packages fetched: all, none, or those named here by their names. Bun takes a package from
 * node_modules where it is there, else from its own cache, else from the registry that .npmrc and the plugin's
 * environment name, in the version of package.json and bun.lock; nothing is written to the plugin's folder. A compiled
 * host can do so where it starts plugins as plain Bun, and waits until it can.
 */
export type InstallOption = "auto" | "off" | Record<string, "auto" | "off">;

/** Which variables a plugin inherits: all of the host's, a short list, or exactly these. */
export type EnvironmentOption = "inherit" | "minimal" | Record<string, string>;
