import { readdirSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { failure, messageOf } from "../../runtime/errors.ts";
import type { Scope } from "../../runtime/protocol.ts";
import { lstat, readdir, stat } from "../base/files.ts";
import { createGate } from "../base/gate.ts";
import { absolutePath, pluginPlaces } from "../base/paths.ts";
import { describeFileError, describeFileType, isAbsent } from "../base/text-file.ts";
import { compareRank, type Discovery, type PluginSpec, type SkippedCandidate } from "../spec.ts";
import {
	type Candidate,
	findTwins,
	type Inspected,
	inspectDirectory,
	inspectEntry,
	inspectFile,
	isCandidate,
	isDeclarationFile,
	noIndex,
	pluginSuffixes,
	type Twins,
} from "./candidate.ts";

export interface AmpPlaces {
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
	/** Why the user has none; told as something that was skipped. */
	configHomeReason?: string | undefined;
	/** Plugin files, plugin directories or directories of plugins, before all places; relative to the working directory. */
	explicit: string[];
	/** Whether the places of the project and the user are looked at; yes when absent. */
	places?: boolean;
	/** Whether an explicit path that is no plugin is skipped instead of refused. */
	lenient?: boolean;
}

/**
 * Finds amp plugins: what was named explicitly, then the project's places, then the user's.
 * Several of one name are all returned; a file that two paths lead to is returned once. Nothing of them is run.
 *
 * @throws BroodError `usage` when an explicit path is no plugin and holds none
 */
export async function discoverAmp(options: AmpPlaces): Promise<Discovery> {
	const { workspaceRoot, configHome, configHomeReason, explicit, lenient = false } = options;
	const inspect = lenient ? inspectIfThere : inspectExplicit;
	// An embedder may pass on what a person typed; an empty path would name the working directory.
	if (!Array.isArray(explicit) || !explicit.every((path) => typeof path === "string" && path !== "")) {
		throw failure("usage", { reason: "plugins is a list of paths, none of them empty", stage: "discover" });
	}
	const isWanted = options.places !== false;
	const places = isWanted ? pluginPlaces(workspaceRoot, configHome) : [];
	const left = isWanted && configHomeReason !== undefined ? [{ path: "~/.config", reason: configHomeReason }] : [];
	// Even with one explicit path, or none, a place keeps its number.
	const first = Math.max(1, explicit.length);
	const twinsOf = lookBeside();
	const found = await Promise.all([
		...explicit.map(async (path, place) => rankAll(await inspect(absolutePath(path), twinsOf), place, "explicit")),
		...places.map(async ({ path, scope }, index) => rankAll(await inspectPlace(path), first + index, scope)),
	]);
	const { plugins, skipped } = settle(found.flat());
	return { plugins, skipped: [...skipped, ...left] };
}

interface Ranked {
	inspected: Inspected;
	place: number;
	scope: Scope;
}

function rankAll(inspected: Inspected[], place: number, scope: Scope): Ranked[] {
	return inspected.map((one) => ({ inspected: one, place, scope }));
}

// Each holds two files open at most, and many systems allow a process 256.
const inspecting = createGate(32, Number.POSITIVE_INFINITY);

async function inspectPlace(path: string): Promise<Inspected[]> {
	try {
		const entries = (await readdir(path)).sort();
		const twins = findTwins(entries);
		return await Promise.all(entries.map((name) => inspecting.run(() => inspectEntry(join(path, name), twins))));
	} catch (error) {
		const reason = await describePlaceError(path, error);
		// Most people have plugins in one place or two.
		return reason === undefined ? [] : [{ path, reason: `no plugins are looked for here: ${reason}` }];
	}
}

/** Why a place cannot be read; undefined where there is none. */
async function describePlaceError(path: string, error: unknown): Promise<string | undefined> {
	const facts = await stat(path).catch(() => undefined);
	if (facts !== undefined && !facts.isDirectory()) return `it is ${describeFileType(facts)}, not a directory`;
	const link = facts === undefined ? await describeDeadLink(path, error) : undefined;
	return link ?? (isAbsent(error) ? undefined : describeFileError(error));
}

/** That a link is to blame for a path that leads nowhere, when one is. */
async function describeDeadLink(path: string, error: unknown): Promise<string | undefined> {
	const link = await deadLinkOn(path);
	if (link === undefined) return undefined;
	return `${link === path ? "it" : link} is a link that leads nowhere: ${describeFileError(error)}`;
}

/** The link because of which a path leads nowhere, when it is one. */
async function deadLinkOn(path: string): Promise<string | undefined> {
	const facts = await lstat(path).catch(() => undefined);
	if (facts === undefined) return path === dirname(path) ? undefined : await deadLinkOn(dirname(path));
	if (!facts.isSymbolicLink()) return undefined;
	return await stat(path).then(
		() => undefined,
		() => path,
	);
}

const expectation = `Give a plugin file (${[...pluginSuffixes, ".cjs"].join(", ")}), a directory with an index.ts, or a directory of plugins.`;

async function inspectExplicit(path: string, twinsOf: TwinsOf): Promise<Inspected[]> {
	const facts = await statExplicit(path);
	if (facts.isDirectory()) return await inspectExplicitDirectory(path);
	if (!facts.isFile()) throw unusable(path, `it is ${describeFileType(facts)}, not a file or directory`);
	if (isDeclarationFile(path)) throw unusable(path, "a declaration file has nothing to run");
	if (![...pluginSuffixes, ".cjs"].includes(extname(path)))
		throw unusable(path, "its name does not end like a plugin's");
	const inspected = await inspecting.run(() => inspectFile(path, twinsOf(path)));
	if (!isCandidate(inspected)) throw unusable(path, inspected.reason);
	return [inspected];
}

async function inspectIfThere(path: string, twinsOf: TwinsOf): Promise<Inspected[]> {
	return inspectExplicit(path, twinsOf).catch((error: unknown) => [{ path, reason: messageOf(error) }]);
}

async function statExplicit(path: string): Promise<Stats> {
	try {
		return statSync(path);
	} catch (error) {
		throw unusable(path, (await describeDeadLink(path, error)) ?? describeFileError(error));
	}
}

/** Finds the twins in the folder of a file. */
type TwinsOf = (path: string) => Twins;

/** Looks into each folder once, however many of its files are named. */
function lookBeside(): TwinsOf {
	const known = new Map<string, Twins>();
	return (path) => {
		const folder = dirname(path);
		const twins = known.get(folder) ?? findTwins(namesBeside(path));
		known.set(folder, twins);
		return twins;
	};
}

/** The names in the folder of a file; its own alone where they may not be read. */
function namesBeside(path: string): string[] {
	try {
		return readdirSync(dirname(path));
	} catch {
		return [basename(path)];
	}
}

async function inspectExplicitDirectory(path: string): Promise<Inspected[]> {
	const inspected = await inspecting.run(() => inspectDirectory(path));
	if (isCandidate(inspected)) return [inspected];
	if (inspected.reason !== noIndex) {
		throw unusable(path, inspected.path === path ? inspected.reason : `${inspected.path}: ${inspected.reason}`);
	}
	const entries = await inspectPlace(path);
	if (!entries.some(isCandidate)) throw unusable(path, "it is a directory without index.ts, and no plugin lies in it");
	return entries;
}

function unusable(path: string, reason: string) {
	return failure("usage", { reason: `${path} is no plugin: ${reason}`, stage: "discover", hint: expectation });
}

/** Orders what was found and leaves out what would run the same file, or show the same name, twice. */
function settle(found: Ranked[]): Discovery {
	const skipped: SkippedCandidate[] = [];
	const candidates: { candidate: Candidate; spec: PluginSpec }[] = [];
	for (const { inspected, place, scope } of found) {
		if (isCandidate(inspected)) candidates.push({ candidate: inspected, spec: specify(inspected, place, scope) });
		else skipped.push(inspected);
	}
	candidates.sort((a, b) => compareRank(a.spec.rank, b.spec.rank) || a.candidate.order - b.candidate.order);
	const plugins: PluginSpec[] = [];
	const usedByFile = new Map<string, PluginSpec>();
	const usedByName = new Map<string, PluginSpec>();
	for (const { candidate, spec } of candidates) {
		// On a screen, and in the file system of a Mac, the two ways to write "é" are one.
		const shownName = spec.name.normalize("NFC");
		const sameFile = usedByFile.get(candidate.realPath);
		const sameName = usedByName.get(shownName);
		if (sameFile !== undefined) {
			skipped.push({ path: spec.path, reason: `it is the same file as ${sameFile.path}, which comes first` });
		} else if (sameName !== undefined && sameName.name !== spec.name) {
			skipped.push({
				path: spec.path,
				reason: `its name cannot be told from that of ${sameName.path}, which comes first`,
			});
		} else {
			plugins.push(spec);
			if (sameName !== undefined) continue;
			usedByName.set(shownName, spec);
			// A shadowed plugin does not run, so its file may still run under another name.
			usedByFile.set(candidate.realPath, spec);
		}
	}
	return { plugins, skipped };
}

function specify(candidate: Candidate, place: number, scope: Scope): PluginSpec {
	const { realPath: _, order: __, ...facts } = candidate;
	// Amp plugins come after the built-in, the package and the external ones.
	return { ...facts, system: "amp", scope, rank: [3, place, candidate.name] };
}
