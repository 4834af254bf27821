import { BroodError, failure } from "../../../runtime/errors.ts";
import type { PluginProblem, ProblemCode, ValidatedPlugin, ValidationReport } from "../../validate/types.ts";
import { validatePlugins } from "../../validate/validate.ts";
import type { CommandContext } from "../context.ts";
import { exitCodeOf } from "../failure.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { pathsOf } from "./find-plugin.ts";
import { describeReport } from "./validate-text.ts";

export interface ValidateCommandOptions {
	/** Whether warnings fail too. */
	strict?: boolean;
}

/**
 * `brood validate`: all that is wrong with plugins, at once.
 *
 * @param paths beside those of -p, also names of plugins; all places when there are none
 * @returns 4 when a plugin does not load, else 2 when a path is no plugin, else 3 when something else is wrong
 * @throws BroodError likewise, where a program reads the result; `plugin_not_found` for a name that no plugin has; `cancelled` on SIGINT, SIGTERM and SIGHUP
 */
export async function validate(
	context: CommandContext,
	paths: readonly string[],
	{ strict = false }: ValidateCommandOptions,
): Promise<number> {
	const { output, options } = context;
	const { plugins: named = [], places: _, ...given } = await hostOptions(options);
	const { signal, release } = watchSignals();
	try {
		const report = await validatePlugins([...named, ...(await pathsOf(paths, options))], { ...given, signal });
		const verdict = judge(report, strict);
		if (!output.json) {
			output.result(describeReport(report, { paint: output.paint.result, strict }));
			return verdict === undefined ? 0 : exitCodeOf(verdict);
		}
		output.result(JSON.stringify(recordOf(report)));
		if (verdict !== undefined) throw verdict;
		return 0;
	} finally {
		release();
	}
}

/** What a script has to know first; undefined when all is well. */
function judge({ plugins }: ValidationReport, strict: boolean): BroodError | undefined {
	const all = plugins.flatMap(({ problems, loads }) => problems.map((problem) => ({ ...problem, loads })));
	const errors = all.filter(({ severity }) => severity === "error");
	const unloaded = errors.filter(({ loads, code }) => !loads && code !== "not_a_plugin");
	// What was refused before the load failed is not why it failed.
	const decisive = unloaded.find(({ code }) => !partial.has(code)) ?? unloaded[0];
	if (decisive !== undefined) return errorOf("load_failed", decisive);
	const foreign = errors.find(({ code }) => code === "not_a_plugin");
	if (foreign !== undefined) return failure("usage", { reason: foreign.message, hint: foreign.hint });
	const [first] = strict ? all : errors;
	return first === undefined ? undefined : errorOf("invalid_plugin", first);
}

const partial: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
	"invalid_registration",
	"invalid_skill",
	"invalid_schema",
]);

function errorOf(code: "load_failed" | "invalid_plugin", { plugin, message, stage, hint }: PluginProblem): BroodError {
	// Some name the plugin already.
	if (!message.startsWith("Plugin ")) return failure(code, { plugin, stage, reason: message, hint });
	const text = hint === undefined ? `${message}.` : `${message}. ${hint}`;
	return new BroodError(code, text, { plugin, stage, hint });
}

/** The report as programs read it; every item has a `name`, commands an `id` and `title`, events are their name. */
function recordOf({ ok, plugins, skipped }: ValidationReport) {
	return { ok, plugins: plugins.map(pluginRecord), skipped };
}

function pluginRecord({ problems, modes, links, ...plugin }: ValidatedPlugin) {
	return {
		...plugin,
		// The frame repeats the source for people.
		problems: problems.map(({ frame: _, ...problem }) => problem),
		modes: modes.map((mode) => ({ name: mode.key, ...mode })),
		links: links.map((link) => ({ name: link.id, ...link })),
	};
}
