import { setImmediate } from "node:timers/promises";
import { messageOf } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { ValidationFinding } from "../../runtime/protocol-validation.ts";
import type { ToolItem } from "../../runtime/records.ts";
import { readImportSettings, type SettingsFault } from "../base/import-settings.ts";
import { findDrift } from "../base/mode-drift.ts";
import { compileSchema, ignoredParts, isLargeSchema } from "../base/schema-check.ts";
import { readTextFile } from "../base/text-file.ts";
import type { Capabilities } from "../contracts/backend.ts";
import { readNotes } from "../sources/static.ts";
import type { PluginSpec } from "../spec.ts";
import { type Place, problemOf } from "./problem.ts";
import type { PluginProblem } from "./types.ts";

/** What cannot be read: a description of the wrong form or a comment in the plugin file, and a tsconfig beside it. */
export async function staticProblems(spec: PluginSpec): Promise<PluginProblem[]> {
	const source = await readTextFile(spec.path, limits.text.headBytesMax).catch(() => undefined);
	const { notes } = readNotes(source?.text ?? "");
	const settings = await readImportSettings(spec.root);
	const unread = settings?.fault === undefined ? [] : [unreadSettings(spec, settings.fault)];
	const ignored = notes.map(({ about, line, message }) => {
		const code = about === "description" ? "description_ignored" : about === "mode" ? "mode_comment_ignored" : "warned";
		const place = { file: spec.path, ...(line === undefined ? {} : { line }) };
		return problemOf(spec, code, "discover", { severity: "warning", message, place });
	});
	return [...unread, ...ignored];
}

function unreadSettings(spec: PluginSpec, { path, reason, line, column }: SettingsFault): PluginProblem {
	const message = `${path} cannot be read: ${reason}`;
	const place = { file: path, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
	const hint = "The plugin is loaded without its settings: imports that its paths give a meaning lead nowhere.";
	return problemOf(spec, "warned", "import", { severity: "warning", message, place, hint });
}

/** Where mode comments and registered modes differ; a mode that was refused is told of already. */
export function driftProblems(
	spec: PluginSpec,
	capabilities: Capabilities,
	findings: readonly ValidationFinding[],
	places: ReadonlyMap<string, Place>,
): PluginProblem[] {
	const refused = findings.filter(({ kind, code }) => kind === "mode" && (code === "refused" || code === "spoilt"));
	const isRefused = (key: string) => refused.some((finding) => finding.key?.toLowerCase() === key.toLowerCase());
	const drifts = findDrift(spec, capabilities.mode).filter(({ key }) => !isRefused(key));
	return drifts.map(({ kind, key, line, message, comment }) => {
		const registered = kind === "mode_not_announced" ? places.get(`mode ${key}`) : undefined;
		const place = registered ?? { file: spec.path, line };
		const hint = comment === undefined ? "Register it, or remove the comment." : hints[kind](comment);
		return problemOf(spec, kind, "fetch", { severity: "warning", message, place, hint });
	});
}

const hints = {
	mode_not_registered: (comment: string) => comment,
	mode_label_differs: (comment: string) => `Write ${comment}`,
	mode_not_announced: (comment: string) => `Add ${comment}`,
};

/** Schemas of tools that cannot be compiled, say nothing of what they seem to say, or are not checked at all. */
export async function schemaProblems(
	spec: PluginSpec,
	tools: readonly ToolItem[],
	places: ReadonlyMap<string, Place>,
	signal: AbortSignal,
): Promise<PluginProblem[]> {
	const problems: PluginProblem[] = [];
	for (const tool of tools) {
		problems.push(...(await schemaProblemsOf(spec, tool, places.get(`tool ${tool.name}`))));
		// Thousands of them in one go would keep signals and the other plugins from being heard.
		await setImmediate();
		signal.throwIfAborted();
	}
	return problems;
}

async function schemaProblemsOf(
	spec: PluginSpec,
	{ name, inputSchema }: ToolItem,
	place: Place | undefined,
): Promise<PluginProblem[]> {
	const warn = (message: string, hint: string) =>
		problemOf(spec, "schema_part_ignored", "fetch", { severity: "warning", message, place, hint });
	if (isLargeSchema(inputSchema)) {
		return [warn(`the inputs of tool "${name}" are not checked: its schema is too large`, "Make it smaller.")];
	}
	const reason = await whyNotCompiled(inputSchema);
	if (reason !== undefined) {
		const message = `the input schema of tool "${name}" cannot be used: ${reason}`;
		const hint = "Every call of the tool fails until that is mended; see json-schema.org, draft 2020-12.";
		return [problemOf(spec, "invalid_schema", "fetch", { message, place, hint })];
	}
	return oddParts(inputSchema).map(([what, hint]) => warn(`the input schema of tool "${name}" ${what}`, hint));
}

async function whyNotCompiled(schema: ToolItem["inputSchema"]): Promise<string | undefined> {
	try {
		await compileSchema(schema, (reason) => new Error(reason));
		return undefined;
	} catch (error) {
		return messageOf(error);
	}
}

function oddParts(schema: ToolItem["inputSchema"]): [what: string, hint: string][] {
	const odd: [string, string][] = [];
	const ignored = ignoredParts(schema);
	if (ignored.length > 0) odd.push([`has parts that are not checked: ${ignored.join(", ")}`, "Check them in execute."]);
	const { properties, required } = schema;
	const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : undefined;
	const absent = Array.isArray(required) ? required.filter((name) => !names?.includes(String(name))) : [];
	if (names !== undefined && absent.length > 0) {
		const hint = "Every input must have it all the same: add it to properties, or correct its name.";
		odd.push([`requires ${absent.join(", ")}, which properties does not have`, hint]);
	}
	return odd;
}
