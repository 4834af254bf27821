/**
 * Dialogs. The host draws them and answers; where it has nobody to ask, each call rejects with an error that
 * `amp.helpers.isPluginUINotAvailableError` recognises.
 */
export interface PluginUI {
	/** Shows a message; does not wait for anybody to read it. */
	notify(message: string): Promise<void>;
	/** Asks for a line of text; `undefined` when cancelled. */
	input(options?: InputOptions): Promise<string | undefined>;
	/** Asks to edit some fields; the edited text fields by name, `undefined` when cancelled. */
	confirm(options: ConfirmOptions & { fields: ConfirmField[] }): Promise<Record<string, string> | undefined>;
	/** Asks yes or no; `false` when cancelled. */
	confirm(options: ConfirmOptions): Promise<boolean>;
	/** Asks to choose one; `undefined` when cancelled. */
	select(options: SelectOptions): Promise<string | undefined>;
}

export interface InputOptions {
	title?: string;
	helpText?: string;
	initialValue?: string;
	submitButtonText?: string;
	/**
	 * The answer is not echoed, and brood puts `[secret]` in its place, and in that of `initialValue`, in logs, errors and
	 * traces of this plugin: a text of 3 to 5 characters where no letter or digit stands beside it, a longer one
	 * everywhere, also as JSON, URLs and base64 (plain and URL-safe) write it. Not masked are results of tools and
	 * answers of handlers, which arrive as they are, numbers, shorter texts, parts of the answer, and other encodings.
	 */
	secret?: boolean;
	/** A name for the asked value, for hosts that fill in known ones. */
	fieldName?: string;
	/** A host must not answer by itself. */
	requireHuman?: boolean;
}

export interface ConfirmOptions {
	title: string;
	message?: string;
	confirmButtonText?: string;
	requireHuman?: boolean;
}

export interface ConfirmField {
	/** `text` when absent; image fields are shown and left out of the answer. */
	type?: "text" | "image";
	name: string;
	label: string;
	/** The text to edit, or the URL of the image. */
	value: string;
	multiline?: boolean;
	optional?: boolean;
}

/** An option as other tools have them. */
export interface SelectOption {
	label: string;
	value?: string;
}

export interface SelectOptions {
	title: string;
	/** What can be chosen; of an object its `value` is shown and answered, or its `label` when it has no value. */
	options: readonly (string | SelectOption)[];
	/** Also accept a typed answer, which is trimmed. */
	allowOther?: boolean;
	message?: string;
	initialValue?: string;
	requireHuman?: boolean;
}
