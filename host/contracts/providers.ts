import type { User } from "../../runtime/protocol.ts";
import type { AgentsProvider } from "./agents.ts";
import type { AIProvider } from "./ai.ts";
import type { AskContext } from "./ask-context.ts";
import type { AttachmentsProvider } from "./attachments.ts";
import type { ConfigurationProvider } from "./configuration.ts";
import type { ExecutorProvider } from "./executor.ts";
import type { ThreadsProvider } from "./threads.ts";
import type { WebhooksProvider } from "./webhooks.ts";

export type * from "./agents.ts";
export type * from "./ai.ts";
export type { AskContext } from "./ask-context.ts";
export type * from "./attachments.ts";
export type * from "./configuration.ts";
export type * from "./executor.ts";
export type * from "./threads.ts";
export type * from "./webhooks.ts";

/** What a host answers plugins with. Each member may be left out; what needs it then fails with `provider_missing`. */
export interface Providers {
	ui?: UIProvider;
	system?: SystemProvider;
	/** When absent, the machine of the person, which nobody has to keep alive. */
	executor?: ExecutorProvider;
	/** When absent, the settings files of the workspace and the user. */
	configuration?: ConfigurationProvider;
	/** When absent, a server that speaks OpenAI's protocol, where the variable BROOD_AI_URL names one. */
	ai?: AIProvider;
	attachments?: AttachmentsProvider;
	agents?: AgentsProvider;
	/** When absent, a store in memory, which is `host.threads`. */
	threads?: ThreadsProvider;
	/** When absent, a listener on 127.0.0.1 with a queue in a file of the user: `loopbackWebhooks()`. */
	webhooks?: WebhooksProvider;
}

/**
 * Draws dialogs. Text arrives cleaned: no control characters, at most `limits.text.uiTextCharsMax` characters.
 * A method that cannot ask rejects with `ui_not_available`; `undefined` means that the person cancelled.
 */
export interface UIProvider {
	/** Whether somebody is there to answer; told to plugins as they start. */
	readonly available: boolean;
	notify(request: NotifyRequest, context: AskContext): Promise<void>;
	input(request: InputRequest, context: AskContext): Promise<string | undefined>;
	confirm(request: ConfirmRequest, context: AskContext): Promise<boolean | undefined>;
	/** A confirm dialog with fields: the edited text fields by name. */
	form(request: FormRequest, context: AskContext): Promise<Record<string, string> | undefined>;
	select(request: SelectRequest, context: AskContext): Promise<string | undefined>;
}

export interface NotifyRequest {
	message: string;
}

export interface InputRequest {
	title?: string;
	helpText?: string;
	initialValue?: string;
	submitButtonText?: string;
	/**
	 * The answer must not be shown. brood puts `[secret]` in its place, and in that of `initialValue`, in the log, the
	 * errors and the trace of the plugin: a text of 3 to 5 characters where no letter or digit stands beside it, a longer
	 * one everywhere, also as JSON, URLs and base64 (plain and URL-safe) write it. Not masked are results of tools and
	 * answers of handlers, which arrive as they are, numbers, shorter texts, parts of the answer, and other encodings.
	 */
	secret?: boolean;
	/** What the plugin calls the value, for a host that keeps known ones. */
	fieldName?: string;
	/** Only a person may answer: no default, rule or remembered answer of the host. */
	requireHuman?: boolean;
}

export interface ConfirmRequest {
	title: string;
	message?: string;
	confirmButtonText?: string;
	/** As in an input. */
	requireHuman?: boolean;
}

export interface FormRequest extends ConfirmRequest {
	fields: FormField[];
}

export interface FormField {
	/** Image fields are shown, never edited. */
	type: "text" | "image";
	name: string;
	label: string;
	value: string;
	multiline?: boolean;
	optional?: boolean;
}

export interface SelectRequest {
	title: string;
	/** No two are equal; empty only with allowOther. */
	options: string[];
	/** Whether a typed answer is allowed beside the options. */
	allowOther?: boolean;
	message?: string;
	/** One of the options, or absent. */
	initialValue?: string;
	/** As in an input. */
	requireHuman?: boolean;
}

/** The machine that the host runs on. */
export interface SystemProvider {
	/** Opens a URL for the person. */
	open(url: string, context: AskContext): Promise<void>;
	user?: User;
}
