import { type Items, type Kind, kinds } from "../../runtime/records.ts";
import type { Capabilities } from "../contracts/backend.ts";
import { createRegistry, keyOf } from "../registry.ts";
import type { PluginSpec } from "../spec.ts";
import { type Place, problemOf } from "./problem.ts";
import type { PluginProblem } from "./types.ts";

/** A plugin that loaded, with what it registered and where. */
export interface Loaded {
	spec: PluginSpec;
	capabilities: Capabilities;
	places: ReadonlyMap<string, Place>;
}

/** What plugins take from each other, and what differs only by case; each is told of the plugin that comes later. */
export function clashProblems(loaded: readonly Loaded[]): PluginProblem[] {
	return [...takenProblems(loaded), ...caseProblems(loaded)];
}

/** Asks a registry that nobody else sees, so that the rules are those of a host. */
function takenProblems(loaded: readonly Loaded[]): PluginProblem[] {
	const registry = createRegistry();
	for (const { spec, capabilities } of loaded) registry.publish({ plugin: spec.name, rank: spec.rank }, capabilities);
	return loaded.flatMap(({ spec, capabilities, places }) =>
		kinds.flatMap((kind) =>
			itemsOf(capabilities, kind).flatMap((item) => {
				const key = keyOf(kind, spec.name, item);
				const { plugin: holder, refused } = registry.why(kind, key);
				if (holder === null || !refused.some(({ plugin }) => plugin === spec.name)) return [];
				const path = loaded.find(({ spec: other }) => other.name === holder)?.spec.path;
				const message = `${kind} "${key}" belongs to plugin "${holder}" (${path}), which comes first, and is left out here`;
				const place = places.get(`${kind} ${key}`) ?? { file: spec.path };
				return [
					problemOf(spec, "name_taken", "fetch", { severity: "warning", message, place, hint: "Rename one of them." }),
				];
			}),
		),
	);
}

/** Whoever reads two such names takes one for the other, and so do models. */
function caseProblems(loaded: readonly Loaded[]): PluginProblem[] {
	const first = new Map<string, { name: string; plugin: string }>();
	const look = (
		what: string,
		name: string,
		spec: PluginSpec,
		place: Place | undefined,
		scope = "",
	): PluginProblem[] => {
		const id = `${scope} ${what} ${name.toLowerCase()}`;
		const known = first.get(id);
		if (known === undefined) first.set(id, { name, plugin: spec.name });
		if (known === undefined || known.name === name) return [];
		const owner = what === "plugin" || known.plugin === spec.name ? "" : ` of plugin "${known.plugin}"`;
		const message = `${what} "${name}" differs from "${known.name}"${owner} only by case`;
		const hint = "Rename one of them.";
		return [
			problemOf(spec, "case_clash", "fetch", {
				severity: "warning",
				message,
				place: place ?? { file: spec.path },
				hint,
			}),
		];
	};
	return loaded.flatMap(({ spec, capabilities, places }) => [
		...look("plugin", spec.name, spec, undefined),
		...capabilities.tool.flatMap(({ name }) => look("tool", name, spec, places.get(`tool ${name}`))),
		...capabilities.command.flatMap(({ id }) => look("command", id, spec, places.get(`command ${id}`), spec.name)),
		...capabilities.link.flatMap(({ id }) => look("link", id, spec, places.get(`link ${id}`), spec.name)),
	]);
}

function itemsOf(capabilities: Capabilities, kind: Kind): Items[Kind][] {
	return capabilities[kind];
}
