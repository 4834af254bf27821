import { join } from "node:path";
import { BroodError, failure, messageOf } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { stat } from "../base/files.ts";
import { type JsonFileFault, parseJsonFile } from "../base/json-file.ts";
import { describeFileError, isMissing, readTextFile } from "../base/text-file.ts";
import type { EnablementStore } from "../contracts/enablement.ts";
import type { PluginKey } from "../spec.ts";

/** The default store: one file for all workspaces of the user, which `brood on` and `brood off` write. */
export interface FileEnablement extends EnablementStore {
	/** `null` where the user has no place for it; nothing is then kept. */
	readonly path: string | null;
	/** All that was switched and is not as it would be anyway. @throws BroodError `invalid_state` */
	list(): Promise<SavedEnablement[]>;
}

/** What was kept of one plugin. */
export interface SavedEnablement extends PluginKey {
	enabled: boolean;
}

/** @param stateHome the directory that holds one folder a program for what it keeps, `null` when the user has none */
export function fileEnablement(stateHome: string | null): FileEnablement {
	const path = stateHome === null ? null : join(stateHome, "brood", "plugins.json");

	async function list(): Promise<SavedEnablement[]> {
		const text = path === null ? undefined : await readText(path);
		return path === null || text === undefined ? [] : parse(path, text).flatMap(({ saved }) => saved ?? []);
	}

	return {
		path,
		list,
		async read(plugins) {
			const saved = await list();
			return plugins.map((plugin) => saved.findLast((entry) => isSame(entry, plugin))?.enabled);
		},
		async write(plugins, enabled) {
			if (path === null) {
				const reason = "neither XDG_STATE_HOME nor HOME names an absolute path";
				throw failure("invalid_state", { subject: "of this user", reason });
			}
			try {
				const { changeFile } = await import("../base/change-file.ts");
				await changeFile(path, limits.text.documentBytesMax, (text) => switched(path, text, plugins, enabled));
			} catch (error) {
				if (error instanceof BroodError) throw error;
				throw failure("invalid_state", {
					subject: path,
					reason: `it cannot be written: ${messageOf(error)}`,
					cause: error,
				});
			}
		},
	};
}

// A later version that keeps something else in another way counts on.
const version = 1;

/** An entry as it stands in the file, and what it says; `saved` is absent where a later version wrote what this one does not know. */
interface Entry {
	written: Json;
	saved?: SavedEnablement;
}

/** The text with these plugins on or off, or undefined when that is what it says already. */
function switched(path: string, text: string | undefined, plugins: readonly PluginKey[], enabled: boolean) {
	const entries = text === undefined ? [] : parse(path, text);
	const find = (plugin: PluginKey) => entries.findLast(({ saved }) => saved !== undefined && isSame(saved, plugin));
	const changing = plugins.filter(
		(plugin) => (find(plugin)?.saved?.enabled ?? isOnByItself[plugin.system]) !== enabled,
	);
	if (changing.length === 0) return undefined;
	const kept = entries.filter(({ saved }) => !changing.some((plugin) => saved !== undefined && isSame(saved, plugin)));
	const added = changing.filter(({ system }) => enabled !== isOnByItself[system]);
	const after = [...kept.map(({ written }) => written), ...added.map((plugin) => entryOf(plugin, enabled))];
	return `${JSON.stringify({ version, plugins: after }, null, "\t")}\n`;
}

/** What need not be kept. */
const isOnByItself: Record<PluginKey["system"], boolean> = { amp: true, external: false, package: true };

function entryOf({ system, scope, directory, name }: PluginKey, enabled: boolean): JsonObject {
	return { system, scope, directory, name, enabled };
}

function isSame(one: PluginKey, other: PluginKey): boolean {
	return (
		one.name === other.name &&
		one.directory === other.directory &&
		one.scope === other.scope &&
		one.system === other.system
	);
}

async function readText(path: string): Promise<string | undefined> {
	if (await isOutOfReach(path)) return undefined;
	const file = await readTextFile(path, limits.text.documentBytesMax).catch((error: unknown) => {
		if (isMissing(error)) return undefined;
		throw unusable(path, describeFileError(error), error);
	});
	if (file?.cut) throw unusable(path, `it is larger than ${limits.text.documentBytesMax} bytes`);
	return file?.text;
}

/** Whether this user could not have kept anything there: a service may have the home of somebody else. */
async function isOutOfReach(path: string): Promise<boolean> {
	return await stat(path).then(
		() => false,
		(error: unknown) =>
			error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM"),
	);
}

function parse(path: string, text: string): Entry[] {
	const content = parseJsonFile(path, text.replace(/^\ufeff/, ""), (fault) =>
		unusable(path, { ...fault, reason: `it is no JSON: ${fault.reason}` }),
	);
	if (!isObject(content)) throw unusable(path, "it must hold a JSON object");
	if (content.version !== version) {
		throw unusable(path, `its version is ${JSON.stringify(content.version)}, and this brood knows ${version}`);
	}
	if (!Array.isArray(content.plugins)) throw unusable(path, "its member plugins must be an array");
	return content.plugins.map((written) => ({ written, ...parseEntry(written) }));
}

function parseEntry(written: Json): Pick<Entry, "saved"> {
	if (!isObject(written)) return {};
	const { system, scope, directory, name, enabled } = written;
	if (system !== "amp" && system !== "external" && system !== "package") return {};
	if (scope !== "project" && scope !== "user") return {};
	if (typeof directory !== "string" || typeof name !== "string" || typeof enabled !== "boolean") return {};
	return { saved: { system, scope, directory, name, enabled } };
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unusable(path: string, fault: string | JsonFileFault, cause?: unknown): BroodError {
	const facts = typeof fault === "string" ? { reason: fault } : fault;
	const hint = "Repair it, or remove it: all plugins are then as if none had been switched on or off.";
	return failure("invalid_state", { subject: path, ...facts, hint, cause });
}
