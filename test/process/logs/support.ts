import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { Bench } from "../support/host.ts";

const cases = join(import.meta.dir, "../../fixtures/cases");

/** Starts a host with a copy of what a case feeds; where the plugin writes its own log is set for it. */
export async function startCase(bench: Bench, name: string, options: CreateHostOptions = {}) {
	const folder = dirname(bench.write("unused.txt", ""));
	const log = bench.path("case.log");
	mkdirSync(folder, { recursive: true });
	cpSync(join(cases, name), folder, { recursive: true });
	const env = { ...process.env, CASE_LOG: log } as Record<string, string>;
	const running = await bench.start({}, { env, ...options });
	/** What the plugin has written, a value a line. */
	const written = () => {
		const lines = readFileSync(log, "utf8").trimEnd().split("\n");
		return lines.map((line): unknown => JSON.parse(line));
	};
	return { ...running, folder, written };
}

/** The contents of every file below a folder, by path. */
export function filesBelow(folder: string): Map<string, string> {
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
	const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
	return new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

/** All that an error holds, as text: its own members, its causes and what it lists. */
export function errorTexts(error: unknown, depth = 0): string {
	if (!(error instanceof Error) || depth > 8) return JSON.stringify(error) ?? "";
	const members = Object.getOwnPropertyNames(error).map((key): unknown => Reflect.get(error, key));
	return members
		.flatMap((member) => (Array.isArray(member) ? member : [member]))
		.map((member) => (typeof member === "string" ? member : errorTexts(member, depth + 1)))
		.join("\n");
}

/** Where a word stands in a text that is too long to be shown. */
export function around(text: string, word: string): string[] {
	const parts = text.split(word).slice(0, -1);
	return parts.map((before) => `${before.slice(-80)}${word}`);
}
