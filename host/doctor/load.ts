import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BroodError, isBroodError, messageOf, withoutHint } from "../../runtime/errors.ts";
import { headlineOf, type PluginSnapshot } from "../plugin.ts";
import { count, type Finding, type FindingDetail, finding, quote } from "./finding.ts";

/** What of a host the diagnosis needs. */
export interface DiagnosedHost {
	plugins: { list(): PluginSnapshot[] };
	stop(): Promise<void>;
}

/** How every plugin was after it had been loaded once, and some that do nothing beside them. */
export interface Loaded {
	plugins: PluginSnapshot[];
	/** Loaded in the same run, by the same host; empty where they could not be written. */
	bare: PluginSnapshot[];
}

/**
 * Starts a host with everything that a person's host would have, and stops it again.
 *
 * @throws what `start` throws, or the reason of `signal`
 */
export async function loadOnce(
	start: (bare: string[]) => Promise<DiagnosedHost>,
	signal: AbortSignal | undefined,
): Promise<Loaded> {
	const folder = await writeBare();
	try {
		signal?.throwIfAborted();
		const host = await start(folder === undefined ? [] : [folder]);
		try {
			const all = host.plugins.list();
			const isBare = ({ path }: PluginSnapshot) => folder !== undefined && path.startsWith(folder);
			signal?.throwIfAborted();
			return { plugins: all.filter((plugin) => !isBare(plugin)), bare: all.filter(isBare) };
		} finally {
			await host.stop();
		}
	} finally {
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	}
}

// One alone could have had a bad moment.
const bareCount = 3;

/** How the folder is called that a diagnosis makes among the temporary files. */
export const barePrefix = "brood-doctor-";

/** Undefined where there is no place for temporary files. */
async function writeBare(): Promise<string | undefined> {
	try {
		const folder = await mkdtemp(join(tmpdir(), barePrefix));
		for (let index = 1; index <= bareCount; index += 1) {
			await Bun.write(join(folder, `brood-doctor-bare-${index}.ts`), "export default () => {};\n");
		}
		return folder;
	} catch {
		return undefined;
	}
}

/** Says that no host could be made at all. */
export function describeNoHost(error: unknown): Finding[] {
	const { message, hint } = isBroodError(error) ? error.toJSON() : { message: messageOf(error), hint: undefined };
	return [finding("plugins", "problem", `No plugin was loaded. ${message}`, hint === undefined ? {} : { hint })];
}

/** Plugins that failed, each with why and how to hear everything that is wrong with it. */
export function checkLoads({ plugins }: Loaded): Finding[] {
	const all = plugins.flatMap(({ name, path, state, error }) => {
		return error !== undefined && broken.has(state) ? [{ name, path, state, error }] : [];
	});
	const unknown = all.filter(({ error }) => error.code === "invalid_state");
	const failed = all.filter((one) => !unknown.includes(one));
	const findings = failed.map(({ name, path, state, error }) =>
		finding("plugins", "problem", headlineOf({ message: withoutHint(error) }), {
			hint: `See all that is wrong with it: brood validate ${quote(path)}`,
			details: [describeFailure(name, path, state, error)],
		}),
	);
	if (unknown.length > 0) findings.push(describeUnknown(unknown));
	if (findings.length > 0) return findings;
	const loaded = plugins.filter(({ state }) => state === "ready").length;
	const others = plugins.filter(({ state }) => state === "disabled").length;
	const rest = others === 0 ? "" : `, ${others} switched off`;
	return [finding("plugins", "ok", `${count(loaded, "plugin")} loaded${rest}.`)];
}

/** Plugins that wait for one file to be mended, which has a finding of its own. */
function describeUnknown(plugins: Failed[]): Finding {
	const message = `${count(plugins.length, "plugin")} not loaded: the file that says what is switched off cannot be used.`;
	const details = plugins.map(({ name, path, state, error: { code } }) => {
		return { text: path, plugin: name, path, state, code, stage: null };
	});
	return finding("plugins", "problem", message, { hint: "See the finding about that file.", details });
}

interface Failed extends Pick<PluginSnapshot, "name" | "path" | "state"> {
	error: BroodError;
}

// Disabled with an error is what could not be found out to be on.
const broken = new Set<string>(["failed", "incompatible", "rejected", "disabled"]);

function describeFailure(plugin: string, path: string, state: string, error: BroodError): FindingDetail {
	const { code, stage = null, positions: [position] = [] } = error.toJSON();
	const place = position === undefined ? path : `${position.file}:${position.line}:${position.column}`;
	return { text: stage === null ? place : `${place}, in stage ${stage}`, plugin, path, state, code, stage };
}

/** Packages that plugins import and nobody has installed. */
export function checkPackages({ plugins }: Loaded): Finding[] {
	const details = plugins.flatMap(({ name, path, error }): FindingDetail[] => {
		const missing = error === undefined ? undefined : missingPackage(error.message);
		if (missing === undefined) return [];
		return [
			{
				text: `${name} needs ${missing}${error?.hint === undefined ? "" : `: ${error.hint}`}`,
				plugin: name,
				path,
				package: missing,
			},
		];
	});
	if (details.length === 0) return [finding("packages", "ok", "No plugin misses a package.")];
	const message = `${count(details.length, "plugin")} ${details.length === 1 ? "misses" : "miss"} a package.`;
	return [finding("packages", "problem", message, { hint: "Add each with bun add, in the plugin's folder.", details })];
}

/** The package that an error of an import is about, if it is about one. */
export function missingPackage(message: string): string | undefined {
	const [, specifier = ""] = /\bCannot find (?:package|module) ["']([^"']+)["']/i.exec(message) ?? [];
	if (specifier === "" || /^[./]|^(?:node|bun|file):/.test(specifier)) return undefined;
	return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
