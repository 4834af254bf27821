/** How a plugin lies on disk. */
export type Form = "file" | "directory";

/** What a new plugin consists of. */
export interface Scaffold {
	/** The name of the file that is the plugin. */
	plugin: string;
	/** The name of the file with its tests. */
	test: string;
	/** A tool that it registers, by a name that no other new plugin has. */
	tool: string;
	/** A command, likewise. */
	command: string;
	/** The text of each file by its name. */
	files: Record<string, string>;
}

/** Makes the texts of a new plugin out of a name that is a good one. */
export type Template = (name: string, form: Form) => Scaffold;
