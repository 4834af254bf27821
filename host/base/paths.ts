import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { failure } from "../../runtime/errors.ts";
import type { Scope } from "../../runtime/protocol.ts";

/** Finds the top level of the git work tree that `cwd` lies in; outside of one it is `cwd` itself. */
export function findWorkspaceRoot(cwd: string): string {
	const start = absolutePath(cwd);
	for (let directory = start; ; directory = dirname(directory)) {
		// A linked work tree and a submodule have a file of that name.
		if (existsSync(join(directory, ".git"))) return directory;
		if (directory === dirname(directory)) return start;
	}
}

/** The working directory. @throws BroodError `usage` when it has been removed */
export function currentFolder(hint = "Change to another one, or name the workspace (cwd, --cwd)."): string {
	try {
		return process.cwd();
	} catch (error) {
		throw failure("usage", { reason: "The working directory does not exist any more", hint, cause: error });
	}
}

/** What a path means here. @throws BroodError `usage` for a relative one when the working directory has been removed */
export function absolutePath(path: string): string {
	// Bun would take another folder for the one that is gone.
	if (isAbsolute(path)) return resolve(path);
	return resolve(currentFolder(`Change to another one, or give ${path} as a path that begins with a slash.`), path);
}

/** Where a path really is; the path itself where nothing is. */
export function realPathOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

/** The directory that holds one folder a program for what a user configures, or why there is none. */
export type ConfigHome = { path: string; reason?: undefined } | { path: null; reason: string };

/** Finds `$XDG_CONFIG_HOME`, or else `~/.config`. */
export function findConfigHome(environment: Record<string, string | undefined> = process.env): ConfigHome {
	const configured = environment.XDG_CONFIG_HOME ?? "";
	// The XDG specification has a relative path ignored.
	if (isAbsolute(configured)) return { path: resolve(configured) };
	const home = environment.HOME ?? "";
	if (isAbsolute(home)) return { path: resolve(home, ".config") };
	const state = home === "" ? "not set" : "not an absolute path";
	return { path: null, reason: `HOME is ${state}, so the plugins and settings of the user are left out` };
}

/** Finds `$XDG_STATE_HOME`, or else `~/.local/state`: the directory that holds one folder a program for what it keeps. */
export function findStateHome(environment: Record<string, string | undefined> = process.env): string | null {
	const configured = environment.XDG_STATE_HOME ?? "";
	if (isAbsolute(configured)) return resolve(configured);
	const home = environment.HOME ?? "";
	return isAbsolute(home) ? resolve(home, ".local/state") : null;
}

/** Where the plugins, the settings and the saved state of a workspace and its user lie. */
export interface Places {
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
	/** Why the user has none. */
	configHomeReason: string | undefined;
	/** `null` when the user has none. */
	stateHome: string | null;
}

/** Finds them. @param cwd where the workspace is looked for @throws BroodError `usage` when the working directory is gone */
export function findPlaces(cwd?: string): Places {
	const { path: configHome, reason: configHomeReason } = findConfigHome();
	return {
		workspaceRoot: findWorkspaceRoot(cwd ?? currentFolder()),
		configHome,
		configHomeReason,
		stateHome: findStateHome(),
	};
}

/** A directory whose entries may be plugins. */
export interface PluginPlace {
	path: string;
	scope: Scope;
}

/** The places of amp plugins, the one that wins first; each may be missing on disk. */
export function pluginPlaces(workspaceRoot: string, configHome: string | null): PluginPlace[] {
	const project = [".brood", ".amp"].map((folder) => place(join(workspaceRoot, folder), "project"));
	if (configHome === null) return project;
	return [...project, ...["brood", "amp"].map((folder) => place(join(configHome, folder), "user"))];
}

function place(folder: string, scope: Scope): PluginPlace {
	return { path: join(folder, "plugins"), scope };
}
