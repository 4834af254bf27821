import type { Stdin } from "./arguments.ts";
import type { Output } from "./output.ts";
import type { ThreadChoice } from "./threads.ts";

/** The options that every command takes, as they were given. */
export interface GlobalOptions {
	/** Plugin paths, before all places. */
	plugin?: string[];
	/** Where the workspace is looked for. */
	cwd?: string;
	/** Whether the places of the project and the user are looked at. */
	places: boolean;
	/** A file with the answers to dialogs; `-` stands for stdin. */
	answers?: string;
	/** Milliseconds that a plugin has to become ready, fetching packages included. */
	readyTimeout?: number;
	/** Lets Bun fetch packages for every plugin. */
	install?: true;
	/** The plugins that Bun may fetch packages for, by name. */
	installFor?: string[];
	/** Leaves out what plugins print and log, but for warnings and errors. */
	quiet?: true;
}

/** What every command gets. */
export interface CommandContext {
	options: GlobalOptions;
	output: Output;
	stdin: Stdin;
	/** The threads that plugins see; none when absent. */
	threads?: ThreadChoice;
}
