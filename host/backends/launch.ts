import { failure } from "../../runtime/errors.ts";
import { childSwitch, childSwitchInstalled, childVariables, socketWireFlag } from "../../runtime/protocol.ts";
import type { EnvironmentOption, InspectOption, InstallOption, LaunchOption } from "../contracts/options.ts";
import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { openBundle } from "./child-bundle.ts";
import { currentOrigin } from "./child-origin.ts";
import { inspectFlags } from "./inspected.ts";
import { installOf, mayInstall } from "./install.ts";
import type { spawnChild } from "./process.ts";

/** What decides about the form, apart from the options. */
export interface LaunchSurroundings {
	execPath: string;
	/** Whether this program was compiled to one binary. */
	compiled: boolean;
	/** Whether `brood/child` was imported first, so that this program can become a child. */
	switchInstalled: boolean;
	/** What plain Bun runs to be a child; empty where there is no such file, or not yet. Asked at each launch. */
	readonly childEntry: string;
	/** Hears that a child ended without a word, which may be because of its entry. */
	suspect?: () => void;
	/** Resolves when `childEntry` does not wait for anything; at once when absent. */
	settled?: () => Promise<void>;
	environment: Record<string, string | undefined>;
	/** Makes children that are no processes; with the test kit alone. */
	spawn?: typeof spawnChild;
}

/** The options of a host that decide how it makes children. */
export interface LaunchOptions {
	launch?: LaunchOption | undefined;
	env?: EnvironmentOption | undefined;
	install?: InstallOption | undefined;
	inspect?: InspectOption | undefined;
}

// Children get nothing from files that happen to lie in the plugin's folder, and end with the host.
const bunFlags = ["--no-orphans", "--no-env-file", "--config=/dev/null"];

// By itself Bun fetches nothing where any node_modules is near, be it the project's, which knows nothing of the plugin.
const installFlag = "--install=fallback";

// They would act in the child before it could drop them: a preload runs first.
const droppedVariables = /^(?:BUN_OPTIONS|BUN_BE_BUN|BUN_INSPECT.*)$/;

const minimalVariables = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TERM", "TZ", "TMPDIR"];

/**
 * The one place that decides how a host re-executes itself.
 * @throws BroodError `launch_failed` when a compiled program did not import `brood/child`
 */
export function planLaunch(
	spec: Pick<PluginSpec, "name" | "path" | "root">,
	options: LaunchOptions,
	surroundings: LaunchSurroundings,
): Launch {
	const { execPath, compiled, switchInstalled, spawn } = surroundings;
	const { launch } = options;
	const childEntry = launch === undefined ? surroundings.childEntry : "";
	const inherited = inheritedEnvironment(options.env ?? "inherit", surroundings.environment);
	const env = launch?.form === "custom" || spawn !== undefined ? inherited : withChildVariables(inherited);
	const asItself = !compiled ? "source" : childEntry === "" ? "compiled" : "cached";
	const form = spawn !== undefined ? "graph" : (launch?.form ?? asItself);
	const install = installOf(form, mayInstall(options.install, spec.name));
	const debugFlags = inspectFlags(form, spec.name, options.inspect);
	const asBun = [execPath, ...bunFlags, ...debugFlags, install === "auto" ? installFlag : "--no-install"];
	const common = { form, ...(install === undefined ? {} : { install }), cwd: spec.root, env, wire: "socket" as const };
	if (launch?.form === "custom") return { ...common, command: [...launch.command, spec.path], wire: "stdio" };
	if (launch?.form === "be-bun") {
		const command = [...asBun, "-e", launch.childSource, spec.path, socketWireFlag];
		return { ...common, command, env: { ...env, BUN_BE_BUN: "1" } };
	}
	if (form !== "compiled") {
		const { suspect } = surroundings;
		const command = [...asBun, childEntry, spec.path, socketWireFlag];
		const asProgram = compiled ? { env: { ...env, BUN_BE_BUN: "1" } } : {};
		return { ...common, command, ...asProgram, ...(suspect === undefined ? {} : { mute: suspect }) };
	}
	if (!switchInstalled) {
		throw failure("launch_failed", {
			plugin: spec.name,
			stage: "spawn",
			reason: "this compiled program cannot become a child",
			hint: 'Import "brood/child" before anything else in the program that embeds the host.',
		});
	}
	// Flags would become arguments of the program, so they travel as a variable, and "/" holds no .env or bunfig; the
	// child changes to the folder itself.
	const command = [execPath, childSwitch, spec.path, socketWireFlag, spec.root];
	return { ...common, command, cwd: "/", env: { ...env, BUN_OPTIONS: ["--no-orphans", ...debugFlags].join(" ") } };
}

/**
 * How to start a child that waits for a plugin; undefined where none can wait: another command may not know how to, and
 * Bun looks for what it may fetch in the folder where it was started.
 * @throws BroodError `launch_failed` as `planLaunch` does
 */
export function planSpare(options: LaunchOptions, surroundings: LaunchSurroundings) {
	const launch = planLaunch({ name: "", path: "", root: "/" }, options, surroundings);
	return launch.wire === "socket" && launch.install !== "auto" ? launch : undefined;
}

/** Whether a child that was started without a plugin is what this launch would start: all but plugin and folder are equal. */
export function fitsSpare(spare: Launch, launch: Launch): boolean {
	return (
		launch.wire === spare.wire &&
		launch.install === spare.install &&
		Bun.deepEquals(beforePlugin(launch.command), beforePlugin(spare.command)) &&
		Bun.deepEquals(launch.env, spare.env)
	);
}

function beforePlugin(command: string[]): string[] {
	return command.slice(0, command.lastIndexOf(socketWireFlag) - 1);
}

/**
 * The program that runs now, with what it can make children of. A compiled one runs itself as plain Bun with a bundle that
 * it has built in the user's cache, since as itself it would load the whole program in each child.
 *
 * @param options of the host; the bundle is waited for where a plugin may have packages fetched, which only plain Bun can
 */
export async function currentSurroundings(options: LaunchOptions = {}): Promise<LaunchSurroundings> {
	const origin = options.launch === undefined ? currentOrigin() : undefined;
	const bundle = origin === undefined ? undefined : await openBundle(process.env, origin);
	if (options.install !== undefined && options.install !== "off") await bundle?.settled();
	return {
		execPath: process.execPath,
		compiled: Bun.isStandaloneExecutable,
		switchInstalled: childSwitchInstalled in globalThis,
		get childEntry() {
			return bundle?.entry() ?? "";
		},
		suspect: () => bundle?.suspect(),
		settled: async () => bundle?.settled(),
		environment: process.env,
	};
}

/** What somebody else has settled stays. */
function withChildVariables(env: Record<string, string>): Record<string, string> {
	// Where it never looks for garbage there is nothing to set.
	const { BUN_GC_TIMER_INTERVAL, ...others } = childVariables;
	return { ...others, ...("BUN_GC_TIMER_DISABLE" in env ? {} : { BUN_GC_TIMER_INTERVAL }), ...env };
}

function inheritedEnvironment(
	option: EnvironmentOption,
	environment: Record<string, string | undefined>,
): Record<string, string> {
	const source =
		option === "inherit"
			? environment
			: option === "minimal"
				? Object.fromEntries(minimalVariables.map((name) => [name, environment[name]]))
				: option;
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(source)) {
		if (value !== undefined && !droppedVariables.test(name)) kept[name] = value;
	}
	return kept;
}
