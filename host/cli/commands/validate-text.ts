import { cleanLine, cleanText } from "../../ui/clean.ts";
import type { PluginProblem, ValidatedPlugin, ValidationReport } from "../../validate/types.ts";
import { shownName } from "../screen-text.ts";
import type { Paint } from "../style.ts";

interface TextOptions {
	paint: Paint;
	/** Whether a warning is a failure. */
	strict: boolean;
}

/** A report for people: plugin by plugin, and one line about all of them. */
export function describeReport({ plugins, skipped }: ValidationReport, { paint, strict }: TextOptions): string {
	const groups = plugins.map((plugin) => describePlugin(plugin, paint, strict));
	const left = skipped.map(({ path, reason }) => paint("dim", `no plugin: ${line(path)}: ${line(reason)}`));
	if (left.length > 0) groups.push(left.join("\n"));
	return [...groups, describeSum(plugins, paint, strict)].join("\n\n");
}

function describePlugin(plugin: ValidatedPlugin, paint: Paint, strict: boolean): string {
	const { name, path, problems } = plugin;
	const good = isLeftOut(plugin) ? paint("yellow", "-") : paint("green", "✓");
	const mark = isBad(plugin, strict) ? paint("red", "✗") : good;
	const head = `${mark} ${paint("bold", shownName(name))} ${paint("dim", line(path))}`;
	const registers = describeRegistered(plugin);
	return [
		registers === "" ? head : `${head}\n  ${paint("dim", "registers")} ${registers}`,
		...problems.map((problem) => describeProblem(problem, paint)),
	].join("\n\n");
}

function describeProblem(
	{ severity, code, stage, message, file, line: row, frame, hint }: PluginProblem,
	paint: Paint,
) {
	const colour = severity === "error" ? "red" : "yellow";
	const tag = paint("dim", `[${code}, ${stage}]`);
	const lines = [`  ${paint(colour, `${severity}:`)} ${cleanText(message, textCharsMax)} ${tag}`];
	if (frame !== undefined) lines.push("", frame.replace(/^(?=.)/gm, "    "), "");
	else if (file !== undefined && !message.includes(file))
		lines.push(`    ${line(row === undefined ? file : `${file}:${row}`)}`);
	if (hint !== undefined) lines.push(`    ${paint("cyan", "hint:")} ${line(hint)}`);
	return lines.join("\n").trimEnd();
}

function describeRegistered({ tools, commands, events, skills, modes, links }: ValidatedPlugin): string {
	const groups: [what: string, names: string[]][] = [
		["tools", tools.map(({ name }) => name)],
		["commands", commands.map(({ id }) => id)],
		["events", events],
		["skills", skills.map(({ name }) => name)],
		["modes", modes.map(({ key }) => key)],
		["links", links.map(({ id }) => id)],
	];
	const told = groups.filter(([, names]) => names.length > 0);
	return told.map(([what, names]) => `${what} ${names.map(shownName).join(", ")}`).join(" · ");
}

function describeSum(plugins: readonly ValidatedPlugin[], paint: Paint, strict: boolean): string {
	if (plugins.length === 0) return "No plugin was found. Name a path, or put one into .brood/plugins.";
	const problems = plugins.flatMap((plugin) => plugin.problems);
	const errors = problems.filter(({ severity }) => severity === "error").length;
	const warnings = problems.length - errors;
	const bad = plugins.filter((plugin) => isBad(plugin, strict)).length;
	const verdict = bad === 0 ? paint("green", "valid") : paint("red", `${bad} not valid`);
	const found = [count(errors, "error"), count(warnings, "warning")].join(", ");
	// What a host leaves out is told of, and is none of its plugins.
	const kept = plugins.filter((plugin) => !isLeftOut(plugin)).length;
	return `${count(kept, "plugin")}: ${verdict}; ${found}.`;
}

/** A file in a place that looks like a plugin, and is none. */
function isLeftOut({ problems }: ValidatedPlugin): boolean {
	return problems.some(({ code }) => code === "file_skipped");
}

function isBad({ ok, problems }: ValidatedPlugin, strict: boolean): boolean {
	return !ok || (strict && problems.length > 0);
}

function count(number: number, what: string): string {
	return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function line(text: string): string {
	return cleanLine(text, textCharsMax);
}

// Plugin text may hold anything; neither paths nor messages are longer in earnest.
const textCharsMax = 4_096;
