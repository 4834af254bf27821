import { constants } from "node:fs";
import { access, readdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { PluginPlace } from "../base/paths.ts";
import type { Discovery, PluginSpec, SkippedCandidate } from "../spec.ts";
import { count, type Finding, type FindingDetail, finding } from "./finding.ts";
import { isThere } from "./look.ts";

/** What was searched for plugins, and what lay there and does not run. */
export async function checkPlaces(places: PluginPlace[], { plugins, skipped }: Discovery): Promise<Finding[]> {
	const searched = await Promise.all(places.map((place) => describePlace(place, plugins, skipped)));
	const named = plugins.filter(({ scope }) => scope === "explicit");
	const details: FindingDetail[] = [
		...(named.length === 0 ? [] : [{ text: `named: ${count(named.length, "plugin")}`, plugins: named.length }]),
		...searched.map(describeSearch),
	];
	const blind = searched.filter(({ reason }) => reason !== undefined);
	if (blind.length > 0) {
		const message = `${blind.length === 1 ? "A place" : `${blind.length} places`} of plugins cannot be read, so what is there is left out.`;
		return [finding("places", "problem", message, { hint: "Make each a folder that you may read.", details })];
	}
	if (plugins.length === 0) {
		const hint = "Put one into .brood/plugins, or name it with -p.";
		return [finding("places", "note", "No plugin was found.", { hint, details })];
	}
	return [finding("places", "ok", `${count(plugins.length, "plugin")} found.`, { details })];
}

interface Searched extends PluginPlace {
	exists: boolean;
	plugins: number;
	/** Why nothing could be looked for. */
	reason?: string;
}

async function describePlace(
	place: PluginPlace,
	plugins: PluginSpec[],
	skipped: SkippedCandidate[],
): Promise<Searched> {
	const reason = skipped
		.find(({ path }) => path === place.path)
		?.reason.replace(/^no plugins are looked for here: /, "");
	return {
		...place,
		exists: await isThere(place.path),
		plugins: plugins.filter((plugin) => placeOf(plugin) === place.path).length,
		...(reason === undefined ? {} : { reason }),
	};
}

function describeSearch({ path, scope, exists, plugins, reason }: Searched): FindingDetail {
	const said = reason ?? (exists ? count(plugins, "plugin") : "does not exist");
	return {
		text: `${path}: ${said}`,
		path,
		scope,
		exists,
		readable: exists && reason === undefined,
		plugins,
		...(reason === undefined ? {} : { reason }),
	};
}

/** The place that a plugin lies in. */
function placeOf({ kind, path, root }: PluginSpec): string {
	return dirname(kind === "directory" ? root : path);
}

/** What lies in a place and is no plugin: what cannot be read apart from what is left out by its name. */
export async function checkSkipped(places: PluginPlace[], { skipped }: Discovery): Promise<Finding[]> {
	const known = new Set([...places.map(({ path }) => path), "~/.config"]);
	const others = skipped.filter(({ path }) => !known.has(path));
	const readable = await Promise.all(others.map(({ path }) => isHidden(path) || isReadable(path)));
	const [unreadable, left] = [
		others.filter((_, index) => !readable[index]),
		others.filter((_, index) => readable[index]),
	];
	const findings: Finding[] = [];
	if (unreadable.length > 0) {
		const message = `${count(unreadable.length, "entry", "entries")} of a plugin place cannot be read.`;
		const hint = "Make it readable, or remove it.";
		findings.push(finding("skipped", "problem", message, { hint, details: describeSkipped(unreadable) }));
	}
	if (left.length > 0) {
		const message = `${count(left.length, "entry", "entries")} of the places ${left.length === 1 ? "is" : "are"} no plugin.`;
		findings.push(finding("skipped", "note", message, { details: describeSkipped(left) }));
	}
	return findings.length > 0 ? findings : [finding("skipped", "ok", "Nothing else lies in the places.")];
}

function describeSkipped(skipped: SkippedCandidate[]): FindingDetail[] {
	return skipped.map(({ path, reason }) => ({ text: `${path}: ${reason}`, path, reason }));
}

function isHidden(path: string): boolean {
	return basename(path).startsWith(".");
}

async function isReadable(path: string): Promise<boolean> {
	return await access(path, constants.R_OK).then(
		() => true,
		() => false,
	);
}

/** Plugins that do not run because another one has their name. */
export function checkShadowed({ plugins }: Discovery): Finding[] {
	const first = new Map<string, PluginSpec>();
	const details: FindingDetail[] = [];
	for (const plugin of plugins) {
		const winner = first.get(plugin.name);
		if (winner === undefined) first.set(plugin.name, plugin);
		else {
			const { name, path } = plugin;
			details.push({ text: `${path}: ${winner.path} comes first`, plugin: name, path, by: winner.path });
		}
	}
	if (details.length === 0) return [finding("shadowed", "ok", "No two plugins have one name.")];
	const message = `${count(details.length, "plugin")} ${details.length === 1 ? "does" : "do"} not run, since another one of that name comes first.`;
	return [finding("shadowed", "note", message, { hint: "Rename one of each, or remove it.", details })];
}

/** Plugins in the places of amber, the host whose external plugins brood's are modelled on. */
export async function checkAmber(
	workspaceRoot: string,
	configHome: string | null,
	environment: Record<string, string | undefined>,
): Promise<Finding[]> {
	const { HOME = "", XDG_DATA_DIRS } = environment;
	const shared = (XDG_DATA_DIRS || "/usr/local/share:/usr/share").split(":").filter(isAbsolute);
	const homes = [configHome, isAbsolute(HOME) ? join(HOME, ".config") : null, ...shared];
	const roots = homes.flatMap((home) => (home === null ? [] : [join(home, "amber/plugins")]));
	const places = new Set([...roots, join(workspaceRoot, ".amber/plugins")]);
	const found = await Promise.all([...places].map(manifestsIn));
	const details = found.flat().map((path) => ({ text: path, path }));
	if (details.length === 0) return [finding("amber", "ok", "The places of amber hold no plugin.")];
	const message = `The places of amber hold ${count(details.length, "plugin")}, which brood does not load.`;
	return [finding("amber", "note", message, { details })];
}

/** The folders that hold a manifest. */
async function manifestsIn(place: string): Promise<string[]> {
	const names = (await readdir(place).catch(() => [])).filter((name) => !name.startsWith(".")).sort();
	const folders = names.map((name) => join(place, name));
	const has = await Promise.all(folders.map((folder) => isThere(join(folder, "manifest.json"))));
	return folders.filter((_, index) => has[index]);
}
