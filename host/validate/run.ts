import { failure } from "../../runtime/errors.ts";
import { type Limits, withOverrides } from "../../runtime/limits.ts";
import { currentSurroundings, type LaunchSurroundings, planLaunch } from "../backends/launch.ts";
import { createWatchdog } from "../backends/watchdog.ts";
import { createGate } from "../base/gate.ts";
import { currentFolder, findConfigHome, findWorkspaceRoot } from "../base/paths.ts";
import { noCapabilities } from "../contracts/backend.ts";
import type { HostServices } from "../contracts/services.ts";
import { endWithProgram } from "../lifecycle/ending.ts";
import type { PluginSpec } from "../spec.ts";
import { findCandidates, skippedProblem } from "./candidates.ts";
import { clashProblems } from "./clashes.ts";
import { type Examined, type ExamineParts, examine } from "./examine.ts";
import { settleProblems } from "./problem.ts";
import { createDryServices } from "./services.ts";
import type { PluginProblem, ProblemCode, ValidatedPlugin, ValidateOptions, ValidationReport } from "./types.ts";

/** Does what `validatePlugins` promises. */
export async function runValidation(paths: readonly string[], options: ValidateOptions): Promise<ValidationReport> {
	if (process.platform === "win32") {
		throw failure("unsupported_platform", { subject: "Windows", hint: "Use Linux or macOS, or WSL." });
	}
	const limits = withOverrides(options.limits);
	const workspaceRoot = findWorkspaceRoot(options.cwd ?? currentFolder());
	const { path: configHome, reason: configHomeReason } = findConfigHome();
	const found = await findCandidates({
		workspaceRoot,
		configHome,
		configHomeReason,
		explicit: [...paths],
		places: paths.length === 0,
	});
	const surroundings = await currentSurroundings(options);
	const examiner = createExaminer({ options, limits, workspaceRoot, configHome, surroundings });
	const examined = await examiner.all(found.plugins);
	const clashes = clashProblems(examined.flatMap(({ loaded }) => loaded ?? []));
	const plugins = await Promise.all(examined.map((one) => finish(one, clashes)));
	const skipped = found.skipped.filter((candidate) => skippedProblem(candidate) === undefined);
	const suspicious = found.skipped.flatMap((candidate) => skippedProblem(candidate) ?? []);
	const all = [...plugins, ...suspicious, ...found.unusable];
	return { ok: all.every(({ ok }) => ok), plugins: all, skipped };
}

interface ExaminerParts {
	options: ValidateOptions;
	limits: Limits;
	workspaceRoot: string;
	configHome: string | null;
	surroundings: LaunchSurroundings;
}

function createExaminer({ options, limits, surroundings, ...places }: ExaminerParts) {
	const { signal } = options;
	const warnings = new Map<string, string[]>();
	const warn = (key: string, message: string) => warnings.set(key, [...(warnings.get(key) ?? []), message]);
	const services: HostServices = createDryServices({ options, limits, ...places, warn });
	const watchdog = createWatchdog({ problem: () => {} });
	const gate = createGate(Math.max(2, navigator.hardwareConcurrency), limits.load.startPlaceMs);
	const giveUp = new AbortController();
	const hurry = new AbortController();
	const launch = (spec: PluginSpec) => {
		const plan = planLaunch(spec, options, surroundings);
		// A child that knows its plugin imports it before it knows that it is to examine it.
		return plan.wire === "socket" ? planLaunch({ ...spec, path: "" }, options, surroundings) : plan;
	};
	const running = new Set<Promise<unknown>>();
	const parts: ExamineParts = {
		services,
		limits,
		watchdog,
		launch,
		signal: giveUp.signal,
		hurry: hurry.signal,
		warnings: ({ name, path }) => [name, path].flatMap((key) => warnings.get(key) ?? []),
	};

	return {
		/** Examines all of them, as many at once as there are processors. */
		async all(specs: readonly PluginSpec[]): Promise<Examined[]> {
			if (specs.length === 0) return [];
			signal?.throwIfAborted();
			const stop = () => giveUp.abort(failure("cancelled", { subject: "The validation" }));
			signal?.addEventListener("abort", stop, { once: true });
			const ending = {
				async stop() {
					stop();
					await Promise.allSettled(running);
				},
				kill: () => hurry.abort(),
			};
			const untie = options.endWithProgram === false ? () => {} : endWithProgram(ending);
			watchdog.start();
			try {
				const tasks = specs.map((spec) => {
					const shadowedBy = specs.find(({ name }) => name === spec.name);
					return gate.run(async () => {
						giveUp.signal.throwIfAborted();
						return await examine(spec, shadowedBy === spec ? undefined : shadowedBy, parts);
					});
				});
				for (const task of tasks) running.add(task);
				await Promise.allSettled(tasks);
				signal?.throwIfAborted();
				return await Promise.all(tasks);
			} finally {
				signal?.removeEventListener("abort", stop);
				watchdog.close();
				untie();
			}
		},
	};
}

async function finish(examined: Examined, clashes: PluginProblem[]): Promise<ValidatedPlugin> {
	const { spec, load, problems, loaded } = examined;
	const { name, path, scope } = spec;
	const taken = loaded === undefined ? [] : clashes.filter(({ plugin }) => plugin === name);
	const settled = await settleProblems([...problems, ...taken]);
	const own = load.capabilities ?? noCapabilities();
	return {
		name,
		scope,
		path,
		ok: settled.every(({ severity }) => severity !== "error"),
		loads: load.error === undefined && !settled.some(({ code }) => isUncaught(code)),
		problems: settled,
		commands: own.command,
		tools: own.tool,
		skills: own.skill,
		events: [...new Set(own.event.map((item) => item.name))],
		modes: own.mode,
		links: own.link,
	};
}

/** A host ends a plugin for it; here it was let go on, to find the rest. */
function isUncaught(code: ProblemCode): boolean {
	return code === "unhandled_rejection" || code === "uncaught_exception";
}
