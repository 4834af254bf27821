import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheHome } from "../backends/bundle-recall.ts";
import { currentOrigin } from "../backends/child-origin.ts";
import { type ConfigHome, findStateHome } from "../base/paths.ts";
import { type Finding, type FindingDetail, finding } from "./finding.ts";
import { whyNotWritable } from "./look.ts";

type Environment = Record<string, string | undefined>;

interface Folder {
	/** What it is for. */
	use: string;
	path: string | null;
	/** What does not work without it. */
	loss: string;
	/** How bad that is. */
	status: "warning" | "note";
	hint: string;
}

/** The folders that brood writes to: whether it can, and what is lost where it cannot. */
export async function checkFolders(configHome: ConfigHome, environment: Environment): Promise<Finding[]> {
	const folders = foldersOf(configHome, environment);
	const reasons = await Promise.all(folders.map(whyUnusable));
	const details = folders.map(({ use, path }, index): FindingDetail => {
		const reason = reasons[index];
		const text = `${use}: ${path ?? "none"}${reason === undefined ? "" : `, cannot be used: ${reason}`}`;
		return { text, use, path, writable: reason === undefined };
	});
	const lost = folders.flatMap(({ use, loss, status, hint }, index): Finding[] => {
		const reason = reasons[index];
		if (reason === undefined) return [];
		return [finding("folders", status, `The folder for ${use} cannot be written: ${reason}. ${loss}`, { hint })];
	});
	if (lost.length === 0)
		return [finding("folders", "ok", "Every folder that brood writes to can be used.", { details })];
	return lost;
}

function foldersOf({ path, reason }: ConfigHome, environment: Environment): Folder[] {
	const [cache, state] = [cacheHome(environment), findStateHome(environment)];
	const home = reason === undefined ? "" : ` ${reason}.`;
	const name = (variable: string) => `Make it writable, or set ${variable} to a folder that is.`;
	return [
		{
			use: "settings",
			path: path === null ? null : join(path, "brood"),
			loss: `Settings of the user cannot be changed.${home}`,
			status: "warning",
			hint: name("XDG_CONFIG_HOME"),
		},
		{
			use: "the cache",
			path: cache === undefined ? null : join(cache, "brood"),
			...lossOfCache(cache),
			hint: name("XDG_CACHE_HOME"),
		},
		{
			use: "state",
			path: state === null ? null : join(state, "brood"),
			loss: "What is to outlive a host, such as webhooks that wait, cannot be kept.",
			status: "warning",
			hint: name("XDG_STATE_HOME"),
		},
		{
			use: "temporary files",
			path: tmpdir(),
			loss: "Plugins and their subprocesses that need one fail.",
			status: "warning",
			hint: "Make it, or set TMPDIR to a folder that can be written.",
		},
	];
}

/** A cache that is only read, as in an image, serves as long as nothing new has to be kept. */
function lossOfCache(cache: string | undefined): Pick<Folder, "loss" | "status"> {
	if (cache !== undefined && currentOrigin()?.known(cache) !== undefined) {
		return {
			loss: "Plugins start from the bundle that lies there; another version of brood or Bun could not keep its own.",
			status: "note",
		};
	}
	return { loss: "Every plugin starts from the sources of brood, which takes about twice as long.", status: "warning" };
}

async function whyUnusable({ use, path }: Folder): Promise<string | undefined> {
	if (path === null) return "neither its variable nor HOME names an absolute path";
	// The others are made when they are needed.
	const isMissing = use === "temporary files" && !(await stat(path).catch(() => undefined));
	return isMissing ? `${path} does not exist` : await whyNotWritable(path);
}
