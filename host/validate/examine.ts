import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { driftProblems, schemaProblems, staticProblems } from "./checks.ts";
import type { Loaded } from "./clashes.ts";
import { findingProblems, registeredPlaces } from "./findings.ts";
import { type DryLoad, type DryLoadParts, type DryWarning, loadDry } from "./load.ts";
import { lateModuleProblems, loadProblems } from "./load-problems.ts";
import { examineModules } from "./modules.ts";
import { problemOf } from "./problem.ts";
import type { PluginProblem } from "./types.ts";

export interface ExamineParts extends DryLoadParts {
	/** What was said of a plugin beside its log, by now. */
	warnings(spec: PluginSpec): string[];
}

/** One plugin, with all that is wrong with it by itself. */
export interface Examined {
	spec: PluginSpec;
	load: DryLoad;
	problems: PluginProblem[];
	/** What takes part in the names of all plugins; absent for one that does not load or is shadowed. */
	loaded?: Loaded;
}

/** Reads the sources of a plugin, loads it, and collects what is wrong. */
export async function examine(
	spec: PluginSpec,
	shadowedBy: PluginSpec | undefined,
	parts: ExamineParts,
): Promise<Examined> {
	const [load, modules, fromText] = await Promise.all([
		loadDry(spec, parts),
		examineModules(spec, formOf(spec, parts)),
		staticProblems(spec),
	]);
	const { capabilities, error, findings } = load;
	const places = registeredPlaces(spec, findings);
	const failed = error === undefined ? [] : await loadProblems(spec, error, modules, findings);
	const problems = [
		...fromText,
		...failed,
		...lateModuleProblems(spec, modules),
		...findingProblems(spec, findings),
		...(shadowedBy === undefined ? [] : [shadowed(spec, shadowedBy)]),
	];
	const around = parts.warnings(spec).map((message): DryWarning => ({ message, stage: "activate" }));
	const said = [...load.warnings, ...around];
	// What the plugin failed of is not told again as what brood said of it.
	const news = said.filter(({ message }) => !problems.some((problem) => message.startsWith(reasonOf(problem))));
	problems.push(...news.map((warning) => warned(spec, warning)));
	if (capabilities === undefined) return { spec, load, problems };
	problems.push(...(await schemaProblems(spec, capabilities.tool, places, parts.signal)));
	// What it did not come to register is no difference to its comments.
	if (error !== undefined) return { spec, load, problems };
	problems.push(...driftProblems(spec, capabilities, findings, places));
	return { spec, load, problems, ...(shadowedBy === undefined && { loaded: { spec, capabilities, places } }) };
}

function formOf(spec: PluginSpec, { launch }: ExamineParts): Pick<Launch, "form" | "install"> {
	try {
		return launch(spec);
	} catch {
		// The load itself says why it cannot be launched.
		return { form: "" };
	}
}

function reasonOf({ message, plugin }: PluginProblem): string {
	return message.replace(`Plugin "${plugin}" failed to load: `, "");
}

function warned(spec: PluginSpec, { message, stage }: DryWarning): PluginProblem {
	return problemOf(spec, "warned", stage, { severity: "warning", message, place: { file: spec.path } });
}

function shadowed(spec: PluginSpec, by: PluginSpec): PluginProblem {
	const message = `a host leaves it out: ${by.path} has the same name and comes first`;
	const place = { file: spec.path };
	return problemOf(spec, "shadowed", "discover", { severity: "warning", message, place, hint: "Rename one of them." });
}
