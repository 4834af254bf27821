import type { SourcePosition } from "./errors.ts";
import type { WireError } from "./wire-error.ts";

export interface StageParams {
	stage: "import" | "activate";
	/** The child's clock as the stage begins. */
	ms: number;
}

export interface FailedParams {
	stage: "client.info" | "import" | "activate";
	error: WireError;
	positions: SourcePosition[];
	/** What could not be found, when the load failed on an import. */
	missing?: MissingModule;
	/** The member of the API that was meant, when one was called that does not exist. */
	meant?: string;
}

export interface MissingModule {
	/** As the import names it. */
	specifier: string;
	/** The file that imports it; empty where Bun tells none. */
	referrer: string;
	/** Why it could not be fetched, in Bun's words. */
	note?: string;
}

/** The child's clock, in milliseconds since it started, at each step of the load. */
export interface ReadyTimings {
	imported: number;
	activated: number;
	registered: number;
	ready: number;
}

/** The files that a plugin has loaded from disk, those of packages left out; absolute, with links followed. */
export interface ModuleList {
	/** Grows with each file that is loaded. */
	revision: number;
	modules: string[];
}
