import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { root } from "../../house/support/tree.ts";

const fixtures = join(root, "test/fixtures/plugins");

/** The folder of the samples. */
export const samplesFolder = join(fixtures, "samples");

/** The names of all samples, sorted; a folder without an index among them is none. */
export function listSamples(): string[] {
	const names = readdirSync(samplesFolder).filter((name) => sampleEntry(samplesFolder, parse(name).name) !== undefined);
	return [...new Set(names.map((name) => parse(name).name))].sort();
}

/** The file or folder of a sample in a folder of them. */
export function sampleEntry(folder: string, name: string): string | undefined {
	const entries = [`${name}.ts`, `${name}.js`, name];
	const found = entries.find((entry) =>
		parse(entry).ext === "" ? isDirectoryPlugin(join(folder, entry)) : existsSync(join(folder, entry)),
	);
	return found === undefined ? undefined : join(folder, found);
}

/** Makes a workspace as a person has one: plugins in .amp/plugins, and around them what some of these look for. */
export function layOutWorkspace(workspace: string): void {
	const amp = join(workspace, ".amp");
	mkdirSync(join(workspace, ".git"), { recursive: true });
	// A link stays a link that leads to the copy.
	cpSync(fixtures, amp, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== samplesFolder });
	cpSync(samplesFolder, join(amp, "plugins"), { recursive: true, verbatimSymlinks: true });
	// Installed, so that it is in no repository.
	const installed = join(amp, "plugins/npm-package/node_modules/left-of-pad");
	mkdirSync(installed, { recursive: true });
	writeFileSync(join(installed, "package.json"), '{ "name": "left-of-pad", "main": "main.js" }');
	writeFileSync(join(installed, "main.js"), 'exports.pad = (text) => text.padStart(8, "-");');
}

function isDirectoryPlugin(path: string): boolean {
	return ["index.ts", "index.js"].some((index) => existsSync(join(path, index)));
}
