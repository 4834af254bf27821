import type { Stage } from "../../runtime/errors.ts";
import type { Scope } from "../../runtime/protocol.ts";
import type { CommandItem, EventName, LinkItem, ModeItem, SkillItem, ToolItem } from "../../runtime/records.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { SkippedCandidate } from "../spec.ts";

/** How plugins are examined: like a host would load them. */
export interface ValidateOptions
	extends Pick<HostOptions, "cwd" | "env" | "install" | "launch" | "limits" | "client" | "endWithProgram"> {
	/** Gives up: every process is ended, and `validatePlugins` rejects with the signal's reason. */
	signal?: AbortSignal;
}

/** What is wrong with a plugin, for programs to branch on. */
export type ProblemCode =
	// The path is no plugin.
	| "not_a_plugin"
	// The plugin does not load.
	| "syntax_error"
	| "missing_package"
	| "missing_file"
	| "no_default_export"
	| "load_failed"
	| "launch_failed"
	| "ready_timeout"
	| "exited_before_ready"
	| "incompatible_protocol"
	| "unhandled_rejection"
	| "uncaught_exception"
	// It loads, and part of it does not work.
	| "invalid_registration"
	| "invalid_skill"
	| "invalid_schema"
	// It works, and most likely not as meant.
	| "unknown_event"
	| "odd_registration"
	| "duplicate_registration"
	| "name_taken"
	| "case_clash"
	| "mode_not_registered"
	| "mode_not_announced"
	| "mode_label_differs"
	| "mode_comment_ignored"
	| "description_ignored"
	| "schema_part_ignored"
	| "file_skipped"
	| "shadowed"
	| "warned";

export interface PluginProblem {
	/** An error keeps the plugin, or a part of it, from working. */
	severity: "error" | "warning";
	code: ProblemCode;
	plugin: string;
	/** When in its life a host would see it; `discover` is before anything of it runs. */
	stage: Stage;
	/** What is wrong, in one sentence. */
	message: string;
	/** Absolute path. */
	file?: string;
	/** Counts from 1, as the column does. */
	line?: number;
	column?: number;
	/** What to do next, in one sentence. */
	hint?: string;
	/** Code frame, ready to print. */
	frame?: string;
}

/** One plugin, and all that is wrong with it. */
export interface ValidatedPlugin {
	name: string;
	scope: Scope;
	path: string;
	/** Whether it has no error; it may have warnings. */
	ok: boolean;
	/** Whether it loads, refused registrations apart; one that it does not catch keeps it from loading in a host. */
	loads: boolean;
	/** Errors first, then by stage, file and line. */
	problems: PluginProblem[];
	/** What it has registered, refused ones left out. */
	commands: CommandItem[];
	tools: ToolItem[];
	skills: SkillItem[];
	events: EventName[];
	modes: ModeItem[];
	links: LinkItem[];
}

/** What came out of examining plugins. */
export interface ValidationReport {
	/** Whether no plugin has an error. */
	ok: boolean;
	/** In rank order; a path that is no plugin stands behind them, with the reason as its problem. */
	plugins: ValidatedPlugin[];
	/** What lies in a folder of plugins and is no plugin, with the reason. */
	skipped: SkippedCandidate[];
}
