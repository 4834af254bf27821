import { isBroodError } from "../runtime/errors.ts";
import { filePathOf, resolvePath } from "./helpers-path.ts";
import { filesEditedBySed } from "./helpers-sed.ts";
import type { URI } from "./types/common.ts";
import type { Helpers, ToolCall, ToolCallWithResult, ToolResult } from "./types/plugin-api.ts";
import { fileURI } from "./uri.ts";

/**
 * Makes `amp.helpers`: pure functions over what events and messages carry. They take any value and never throw.
 *
 * @param workspaceRoot absolute path that relative paths start from; without one they are left out
 */
export function createHelpers(workspaceRoot: string | null): Helpers {
	return {
		/** The command of a `Bash` or `shell_command` call and the folder it asks for, or null for any other call. */
		shellCommandFromToolCall: (call: unknown) => attempt(() => shellCommandOf(call), null),
		/** Pairs each tool use with its final result, in the order of the results; what has no partner is left out. */
		toolCallsInMessages: (messages: unknown) => attempt(() => pairToolCalls(messages), []),
		/** The files that a call, or the call of a result, changes as far as its input tells; null when it tells none. */
		filesModifiedByToolCall: (callOrResult: unknown) =>
			attempt(() => filesModifiedBy(callOrResult, workspaceRoot), null),
		/** The path that a file URI names, given as text or as an object; a plain path comes back as it is. */
		filePathFromURI: (uri: unknown) => attempt(() => filePathOf(uri), ""),
		/** Whether a dialog failed because this host has nobody to ask. */
		isPluginUINotAvailableError: (error: unknown) => attempt(() => isUINotAvailable(error), false),
	};
}

interface ShellCommand {
	command: string;
	dir?: string;
}

/** Answers with the fallback where a foreign object throws when it is read. */
function attempt<Value>(read: () => Value, fallback: Value): Value {
	try {
		return read();
	} catch {
		return fallback;
	}
}

function shellCommandOf(call: unknown): ShellCommand | null {
	const { input } = fields(call);
	switch (toolOf(call)) {
		case "Bash":
			return shellCommand(fields(input).cmd, fields(input).cwd);
		case "shell_command":
			return shellCommand(fields(input).command, fields(input).workdir);
		default:
			return null;
	}
}

function shellCommand(command: unknown, dir: unknown): ShellCommand | null {
	if (typeof command !== "string") return null;
	return typeof dir === "string" ? { command, dir } : { command };
}

function filesModifiedBy(callOrResult: unknown, workspaceRoot: string | null): URI[] | null {
	const input = fields(fields(callOrResult).input);
	let files: (string | undefined)[] = [];
	switch (toolOf(callOrResult)) {
		case "edit_file":
		case "create_file":
			files = [resolvePath(workspaceRoot, textIn(input, "path") ?? textIn(input, "file_path") ?? "")];
			break;
		case "apply_patch":
			files = pathsInPatch(textIn(input, "patchText") ?? "").map((path) => resolvePath(workspaceRoot, path));
			break;
		default: {
			const shell = shellCommandOf(callOrResult);
			if (shell === null) return null;
			const folder =
				shell.dir === undefined || shell.dir === "" ? workspaceRoot : (resolvePath(workspaceRoot, shell.dir) ?? null);
			files = filesEditedBySed(shell.command, folder);
		}
	}
	const known = new Set(files.filter((file) => file !== undefined));
	return known.size === 0 ? null : [...known].map(fileURI);
}

function pathsInPatch(patch: string): string[] {
	const headings = patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm);
	return [...headings].map(([, path = ""]) => path.trim());
}

function pairToolCalls(messages: unknown): ToolCallWithResult[] {
	const blocks = list(messages)
		.flatMap((message) => list(fields(message).content))
		.map(fields);
	const calls = new Map<unknown, ToolCall>();
	for (const { type, id, name, input } of blocks) {
		if (type !== "tool_use" || typeof id !== "string" || typeof name !== "string") continue;
		calls.set(id, { toolUseID: id, tool: name, input: fields(input) });
	}
	const pairs = new Map<ToolCall, ToolResult>();
	for (const { type, toolUseID, status, output, error } of blocks) {
		const call = calls.get(toolUseID);
		if (type !== "tool_result" || call === undefined || pairs.has(call)) continue;
		if (status !== "done" && status !== "error" && status !== "cancelled") continue;
		pairs.set(call, {
			...call,
			status,
			...(output === undefined ? {} : { output }),
			...(typeof error === "string" ? { error } : {}),
		});
	}
	return [...pairs].map(([call, result]) => ({ call, result }));
}

const uiNotAvailableName = "PluginUINotAvailableError";
const uiNotAvailableCode = "ui_not_available";

function isUINotAvailable(error: unknown): boolean {
	if (isBroodError(error, uiNotAvailableCode)) return true;
	// Another copy of the API, or a plain object from a foreign wire, has only its name and code.
	const { name, code } = fields(error);
	return name === uiNotAvailableName || code === uiNotAvailableCode;
}

/** The name of the tool, which an event calls `tool` and a message block `name`. */
function toolOf(call: unknown): unknown {
	const { tool, name } = fields(call);
	return tool ?? name;
}

function textIn(input: Record<string, unknown>, key: string): string | undefined {
	const value = input[key];
	return typeof value === "string" ? value : undefined;
}

function fields(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
	return Array.isArray(value) ? value : [];
}
