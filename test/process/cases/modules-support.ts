import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { Bench, Running } from "../support/host.ts";

/** Files on disk for one host, at real paths; several may lie beside each other. */
export interface Site {
	path(...parts: string[]): string;
	/** Copies a case, or one file of it, to a path; the copy is called like the last part. */
	copy(name: string, path: string): string;
	/** Writes files and the folders above them. */
	write(files: Record<string, string>): void;
	/** Makes a link; the target is relative to the folder of the link, or absolute. */
	link(path: string, target: string): void;
	/** Starts a host over paths of this site. The workspace is the site itself unless `cwd` says otherwise. */
	start(plugins: string[], options?: CreateHostOptions): Promise<Running>;
	/** What plugins wrote to the file that CASE_LOG names, oldest first. */
	written(): Record<string, unknown>[];
	/** The environment of the plugins: that of the test, and CASE_LOG. */
	environment(): Record<string, string>;
}

const cases = join(import.meta.dir, "../../fixtures/cases");

/** Makes the folder of a site below the shared folder of the bench. */
export function createSite(bench: Bench, name = "site"): Site {
	const root = bench.path(name);
	const log = bench.path(`${name}.log`);
	mkdirSync(join(root, ".git"), { recursive: true });
	const place = (path: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		return join(root, path);
	};
	const environment = () => {
		const known = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
		return { ...Object.fromEntries(known), CASE_LOG: log };
	};
	return {
		path: (...parts) => join(root, ...parts),
		copy(source, path) {
			cpSync(join(cases, source), place(path), { recursive: true });
			return join(root, path);
		},
		write(files) {
			for (const [path, text] of Object.entries(files)) writeFileSync(place(path), text);
		},
		link: (path, target) => symlinkSync(target, place(path)),
		start: (plugins, options = {}) =>
			bench.start({}, { plugins: plugins.map((path) => join(root, path)), cwd: root, env: environment(), ...options }),
		written: () => (existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).map(parse) : []),
		environment,
	};
}

/** A plugin with one tool, named like its file, that gives back the value of an expression. */
export function toolPlugin(name: string, expression: string, imports = ""): string {
	return `${imports}
export default (amp) => {
	amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: async () => ${expression} });
};
`;
}

/** The names of what a host found and can run, with their states. */
export function statesByName({ host }: Running): Record<string, string> {
	return Object.fromEntries(host.plugins.list().map(({ name, state }) => [name, state]));
}

/** What was skipped, by the last part of its path. */
export function skippedByName({ host }: Running): Record<string, string> {
	return Object.fromEntries(host.skipped.map(({ path, reason }) => [basename(path), reason]));
}

function parse(line: string): Record<string, unknown> {
	const value: unknown = JSON.parse(line);
	return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { value };
}
