import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBundle } from "../backends/bundle-recall.ts";
import { bundleFolder } from "../backends/child-bundle.ts";
import { findConfigHome, type Places, pluginPlaces } from "../base/paths.ts";
import { layerPaths } from "../base/settings.ts";
import { describeFileError } from "../base/text-file.ts";
import { fileEnablement } from "../providers/enablement-file.ts";
import { discoverAmp } from "../sources/amp.ts";
import type { Discovery } from "../spec.ts";
import { checkCache } from "./cache.ts";
import { checkEnvironmentFiles, checkVariables } from "./environment.ts";
import { count, type Finding, finding } from "./finding.ts";
import { checkFolders } from "./folders.ts";
import { checkLeftovers } from "./leftovers.ts";
import { checkLoads, checkPackages, type DiagnosedHost, describeNoHost, type Loaded, loadOnce } from "./load.ts";
import { isThere } from "./look.ts";
import { checkPermissions } from "./permissions.ts";
import { checkAmber, checkPlaces, checkShadowed, checkSkipped } from "./places.ts";
import { checkBun, checkPlatform, type Surroundings } from "./program.ts";
import { checkSettings } from "./settings.ts";
import { checkSpeed } from "./speed.ts";
import { checkState } from "./state.ts";

/** What a diagnosis looks at, and what it may do. */
export interface DiagnosisParts {
	places: Places;
	/** Paths that were named; before all places. */
	explicit: string[];
	/** Whether the places of the project and the user are looked at. */
	usesPlaces: boolean;
	fix: boolean;
	environment: Record<string, string | undefined>;
	/** Starts a host with these plugins beside all others; undefined when nothing is to be loaded. */
	start: ((bare: string[]) => Promise<DiagnosedHost>) | undefined;
	loadedMax: number;
	signal: AbortSignal | undefined;
}

/** All checks, in the order in which people read them. @throws BroodError `usage` when a named path is no plugin */
export async function runChecks(parts: DiagnosisParts): Promise<Finding[]> {
	const { places, explicit, usesPlaces, environment, fix, signal } = parts;
	const { workspaceRoot, configHome } = places;
	const searched = usesPlaces ? pluginPlaces(workspaceRoot, configHome) : [];
	const discovery = await discoverAmp({ ...places, explicit, places: usesPlaces });
	const files = settingsFiles(places);
	const untouched = [
		await check("folders", () => checkFolders(findConfigHome(environment), environment)),
		checkVariables(environment),
		await check("files", () => checkWorkspaceFiles(workspaceRoot, discovery)),
		await check("places", () => checkPlaces(searched, discovery)),
		await check("skipped", () => checkSkipped(searched, discovery)),
		checkShadowed(discovery),
		await check("amber", () => checkAmber(workspaceRoot, configHome, environment)),
		await check("permissions", () =>
			checkPermissions([
				...searched.map(({ path }) => path),
				...filesThatRun(discovery),
				...files,
				...cacheOf(environment),
			]),
		),
		await check("settings", () => checkSettings(places)),
		await check("state", () => checkState(environment)),
	];
	signal?.throwIfAborted();
	const { loaded, findings } = await load(parts, discovery);
	const surroundings = surroundingsOf(loaded);
	return [
		checkBun(surroundings),
		checkPlatform(surroundings),
		...untouched,
		await check("leftovers", () => checkLeftovers(files, fix)),
		await check("cache", () => checkCache(environment, fix)),
		findings,
	].flat();
}

/** Whatever keeps one check from looking, the others look. */
async function check(name: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
	try {
		return await look();
	} catch (error) {
		return [finding(name, "problem", `This could not be looked at: ${describeFileError(error)}.`)];
	}
}

async function checkWorkspaceFiles(workspaceRoot: string, discovery: Discovery): Promise<Finding[]> {
	return checkEnvironmentFiles(await environmentFiles(workspaceRoot, discovery), process.execArgv, process.cwd());
}

/** Loads everything once and says how that went. */
async function load(
	{ start, loadedMax, signal }: DiagnosisParts,
	{ plugins }: Discovery,
): Promise<{ loaded?: Loaded; findings: Finding[] }> {
	if (start === undefined) {
		return { findings: [finding("plugins", "note", "No plugin was loaded, as was asked for.")] };
	}
	const names = new Set(plugins.map(({ name }) => name)).size;
	if (names > loadedMax) {
		const message = `No plugin was loaded: ${count(names, "plugin")} are more than ${loadedMax}, and each is a process.`;
		const hint = "Name some of them with -p, together with --no-places.";
		return { findings: [finding("plugins", "warning", message, { hint })] };
	}
	try {
		const loaded = await loadOnce(start, signal);
		return { loaded, findings: [...checkLoads(loaded), ...checkPackages(loaded), ...checkSpeed(loaded)] };
	} catch (error) {
		signal?.throwIfAborted();
		return { findings: describeNoHost(error) };
	}
}

function surroundingsOf(loaded: Loaded | undefined): Surroundings {
	const processes = [...(loaded?.bare ?? []), ...(loaded?.plugins ?? [])].flatMap(({ process: facts }) => facts ?? []);
	return {
		bun: Bun.version,
		execPath: process.execPath,
		platform: process.platform,
		childRuntimes: processes.map(({ runtimeVersion }) => runtimeVersion),
		guards: processes.map(({ guard }) => guard),
		hasShell: existsSync("/bin/sh"),
	};
}

/** Files that brood, and a host that was killed, writes to. */
function settingsFiles(places: Places): string[] {
	const saved = fileEnablement(places.stateHome).path;
	return [...layerPaths(places), ...(saved === null ? [] : [saved])];
}

/** Files and folders of plugins, where one that everybody may change would run as this user. */
function filesThatRun({ plugins }: Discovery): string[] {
	return plugins.flatMap(({ path, root, kind }) => (kind === "directory" ? [root, path] : [path]));
}

function cacheOf(environment: Record<string, string | undefined>): string[] {
	try {
		const folder = bundleFolder(environment);
		if (folder === undefined) return [];
		return [dirname(folder), folder, ...(readBundle(folder) ?? []).map((name) => join(folder, name))];
	} catch {
		return [];
	}
}

/** What Bun would read for a program of its own in the workspace, and in the folders of plugins. */
async function environmentFiles(workspaceRoot: string, { plugins }: Discovery): Promise<string[]> {
	const folders = [...new Set([workspaceRoot, ...plugins.map(({ root }) => root)])];
	const paths = folders.flatMap((folder) => readByBun.map((name) => join(folder, name)));
	const present = await Promise.all(paths.map(isThere));
	return paths.filter((_, index) => present[index]);
}

const readByBun = [".env", ".env.local", ".env.development", ".env.production", ".env.test", "bunfig.toml"];
