import type { Logger, Subscription } from "./common.ts";
import type { PluginThread } from "./threads.ts";
import type { PluginUI } from "./ui.ts";

/** A function that an agent may call. */
export interface ToolDefinition<Input = Record<string, unknown>> {
	/** Letters, digits, `_` and `-`, at most 128 characters. */
	name: string;
	title?: string;
	/** What a transcript shows while calls of this tool run, and after. */
	transcriptGroup?: { active: string; complete: string };
	description: string;
	/** A JSON Schema of type object; the host checks each input against it. */
	inputSchema: ToolInputSchema;
	execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}

/** A JSON Schema whose root is an object. */
export interface ToolInputSchema {
	type: "object";
	properties?: Record<string, unknown>;
	required?: readonly string[];
	[keyword: string]: unknown;
}

/** Text, blocks, or nothing; any other JSON value becomes text of its JSON. */
// biome-ignore lint/suspicious/noConfusingVoidType: a tool may end without a return
export type ToolOutput = string | ToolContentBlock[] | object | number | boolean | null | undefined | void;

export type ToolContentBlock =
	| { type: "text"; text: string }
	| { type: "image"; mimeType: string; data: string }
	| { type: "image"; mimeType: string; url: string };

export interface ToolContext {
	ui: PluginUI;
	logger: Logger;
	/** The thread that the tool was called in. */
	thread: PluginThread;
	/**
	 * Aborts when the caller gives up, the time is over or the plugin is being stopped. Its `reason` is an error with the
	 * name `TimeoutError` or `AbortError`. The call has been given up then, or is about to be: what is still returned is
	 * dropped unless the plugin is being stopped, and nothing is killed because of it.
	 */
	signal: AbortSignal;
}

/** An entry of the command palette. */
export interface CommandDefinition {
	title: string;
	/** The plugin's name when absent. */
	category?: string;
	description?: string;
	/** Enabled when absent. */
	availability?: CommandAvailability;
}

export type CommandAvailability = { type: "enabled" } | { type: "disabled"; reason: string } | { type: "hidden" };

export interface CommandSubscription extends Subscription {
	setAvailability(availability: CommandAvailability): void;
}
