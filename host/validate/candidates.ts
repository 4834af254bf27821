import { readdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { isBroodError, withoutHint } from "../../runtime/errors.ts";
import { absolutePath } from "../base/paths.ts";
import { type AmpPlaces, discoverAmp } from "../sources/amp.ts";
import { findTwins, inspectEntry, isCandidate, isDeclarationFile, pluginSuffixes } from "../sources/candidate.ts";
import type { Discovery, SkippedCandidate } from "../spec.ts";
import { problemOf } from "./problem.ts";
import type { PluginProblem, ValidatedPlugin } from "./types.ts";

/** What is to be examined, and which of the paths are no plugins. */
export interface Found extends Discovery {
	unusable: ValidatedPlugin[];
}

/** Finds plugins like a host does; a path that is no plugin does not hide the others. */
export async function findCandidates(places: AmpPlaces): Promise<Found> {
	const usable: string[] = [];
	const unusable: ValidatedPlugin[] = [];
	const skipped: SkippedCandidate[] = [];
	for (const path of places.explicit) {
		try {
			await discoverAmp({ ...places, explicit: [path], places: false });
			usable.push(path);
		} catch (error) {
			if (path === "" || !isBroodError(error, "usage")) throw error;
			const message = withoutHint(error);
			unusable.push(unusablePlugin(absolutePath(path), message, error.hint));
			skipped.push(...(await refusedIn(absolutePath(path))));
		}
	}
	const found = await discoverAmp({ ...places, explicit: usable });
	return { plugins: found.plugins, skipped: [...found.skipped, ...skipped], unusable };
}

/** Why nothing in a folder is a plugin. */
async function refusedIn(folder: string): Promise<SkippedCandidate[]> {
	const names = await readdir(folder).catch(() => []);
	const twins = findTwins(names);
	const inspected = await Promise.all(names.sort().map((name) => inspectEntry(join(folder, name), twins)));
	return inspected.flatMap((one) => (isCandidate(one) ? [] : [one]));
}

/** Something in a place that looks like a plugin and is none is most likely a mistake; the rest is not. */
export function skippedProblem({ path, reason }: SkippedCandidate): ValidatedPlugin | undefined {
	const name = basename(path);
	const looksLikeOne = pluginSuffixes.includes(extname(name)) && !name.startsWith(".");
	if (!looksLikeOne || isDeclarationFile(name) || /\.test\.[^.]+$/.test(name)) return undefined;
	const plugin = unusablePlugin(path, `${path} is left out: ${reason}`, undefined);
	const problems = plugin.problems.map(
		(problem): PluginProblem => ({ ...problem, severity: "warning", code: "file_skipped" }),
	);
	return { ...plugin, ok: true, problems };
}

function unusablePlugin(path: string, message: string, hint: string | undefined): ValidatedPlugin {
	const name = basename(path, extname(path));
	const problems = [problemOf({ name }, "not_a_plugin", "discover", { message, hint, place: { file: path } })];
	const nothing = { commands: [], tools: [], skills: [], events: [], modes: [], links: [] };
	return { name, scope: "explicit", path, ok: false, loads: false, problems, ...nothing };
}
