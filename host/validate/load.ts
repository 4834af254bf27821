import { type BroodError, failure, isBroodError, messageOf, type Stage } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { ValidationFinding } from "../../runtime/protocol-validation.ts";
import { createRedactor } from "../../runtime/redact.ts";
import { createAmpBackend } from "../backends/amp.ts";
import { parseParams } from "../backends/door.ts";
import { explainFailed } from "../backends/load-failure.ts";
import { redactedBackend } from "../backends/redacted.ts";
import { secretVariables } from "../backends/secret-variables.ts";
import type { Watchdog } from "../backends/watchdog.ts";
import { systemClock } from "../base/clock.ts";
import type { Backend, BackendLog, Capabilities } from "../contracts/backend.ts";
import type { HostServices, Launch } from "../contracts/services.ts";
import { terminate } from "../lifecycle/terminate.ts";
import type { PluginSpec } from "../spec.ts";

export interface DryLoadParts {
	services: HostServices;
	limits: Limits;
	watchdog: Watchdog;
	/** Says how the plugin's process is started. @throws BroodError `launch_failed` */
	launch(spec: PluginSpec): Launch;
	/** Gives the load up. */
	signal: AbortSignal;
	/** Kills instead of stopping. */
	hurry: AbortSignal;
}

/** How a plugin loaded, and all that was told of it meanwhile. */
export interface DryLoad {
	/** What it registered, also before its default export failed; absent when it came to none. */
	capabilities?: Capabilities;
	error?: BroodError;
	findings: ValidationFinding[];
	/** What brood had to say about it, and whether that was before it was told to stop. */
	warnings: DryWarning[];
}

export interface DryWarning {
	message: string;
	stage: Extract<Stage, "activate" | "stop">;
}

/** Loads a plugin in a process of its own, publishes nothing, and ends the process the way that a host does. */
export async function loadDry(spec: PluginSpec, parts: DryLoadParts): Promise<DryLoad> {
	const { limits, signal, hurry } = parts;
	const redactor = createRedactor();
	const told: unknown[] = [];
	const warnings: DryWarning[] = [];
	let stage: DryWarning["stage"] = "activate";
	const warn = (message: string) => warnings.push({ message: redactor.text(message), stage });
	const stopping = () => {
		stage = "stop";
	};
	const backend = createAmpBackend({
		...parts,
		spec,
		clock: systemClock,
		launch() {
			const plan = parts.launch(spec);
			secretVariables(plan.env).forEach(redactor.learn);
			return plan;
		},
		events: {
			fact() {},
			changed() {},
			responsive() {},
			loadedMore() {},
			log: (entry) => isWarning(entry) && warn(entry.message),
		},
		examined: (finding) => told.push(redactor.value(finding)),
	});
	const redacted = redactedBackend(backend, redactor, limits.text.stderrTailBytesMax);
	const loaded = await startAndEnd(redacted, { limits, signal, hurry, warn, stopping });
	const findings = await Promise.all(told.map((finding) => parseParams("validation.found", finding)));
	const failed = findings.find(({ code }) => code === "failed");
	if (failed === undefined) return { ...loaded, findings, warnings };
	const error = await explainFailed(spec, { stage: "activate", error: failed.error, positions: [] });
	return { ...loaded, error, findings, warnings };
}

type Ending = Pick<DryLoadParts, "limits" | "signal" | "hurry"> & {
	warn(message: string): void;
	/** Is told that the end begins. */
	stopping(): void;
};

async function startAndEnd(backend: Backend, { limits, signal, hurry, warn, stopping }: Ending) {
	let outcome: Pick<DryLoad, "capabilities" | "error">;
	try {
		outcome = { capabilities: await backend.start(signal) };
	} catch (error) {
		outcome = { error: isBroodError(error) ? error : failure("internal", { reason: messageOf(error), cause: error }) };
	}
	const graceful = outcome.error === undefined;
	stopping();
	// One that did not load may be stuck for good: no word of it is worth waiting for.
	await terminate(backend, { graceful, limits: limits.stop, hurry, problem: (text) => graceful && warn(text) });
	return outcome;
}

/** The plugin's own logger knows no warnings: these are brood's. */
function isWarning({ source, level }: BackendLog): boolean {
	return source !== "output" && (level === "warn" || (source === "host" && level === "error"));
}
