import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedder, noCache, onePieceFlags } from "./support/embedder.ts";

const root = join(import.meta.dir, "../..");

/** A compiled host, a bundled child and a plugin with everything around it that could act in a child. */
export interface LaunchBench extends AsyncDisposable {
	folder: string;
	plugin: string;
	/** Runs the host in a form and gives back the members of all lines that it printed. */
	run(form: Form, tool: string, more?: RunOptions): Promise<Record<string, unknown>>;
	/** Starts the host in a form without waiting for it. */
	start(form: Form, tool: string, more?: RunOptions): Bun.Subprocess<"ignore", "pipe", "pipe">;
}

export interface RunOptions {
	env?: Record<string, string>;
	/** Another plugin than the probe. */
	plugin?: string;
	/** Whether Bun may fetch packages; it may not when absent. */
	install?: "auto";
}

export type Form = "source" | "compiled" | "cached" | "be-bun";

export const forms: Form[] = ["source", "compiled", "cached", "be-bun"];

/** What makes a compiled host start its plugins in a form. */
export function cacheOf(form: Form, cache: string): Record<string, string> {
	return form === "compiled" ? { XDG_CACHE_HOME: noCache } : form === "cached" ? { XDG_CACHE_HOME: cache } : {};
}

/** Builds it all in a folder of its own. */
export async function createLaunchBench(): Promise<LaunchBench> {
	const folder = await mkdtemp(join(tmpdir(), "brood-launch-"));
	const plugin = await writePlugin(join(folder, "plugin"));
	await Bun.write(join(folder, "options-preload.ts"), "globalThis.optionsPreload = true;");
	const childSource = await bundleChild(folder);
	const [binary, cache] = [join(folder, "host"), join(folder, "cache")];
	const embedder = await createEmbedder(join(folder, "project"), ["test/fixtures/launch"]);
	await Promise.all([
		embedder.compile("test/fixtures/launch/host.ts", binary, onePieceFlags),
		embedder.fillCache(cache),
	]);

	function start(form: Form, tool: string, more: RunOptions = {}) {
		const program = form === "source" ? [process.execPath, join(root, "test/fixtures/launch/host.ts")] : [binary];
		return Bun.spawn([...program, form, more.plugin ?? plugin, childSource, tool, more.install ?? ""], {
			cwd: folder,
			env: { ...process.env, ...cacheOf(form, cache), ...more.env },
			stdin: "ignore",
			stdout: "pipe",
			stderr: "pipe",
		});
	}

	return {
		folder,
		plugin,
		start,
		async run(form, tool, more) {
			const host = start(form, tool, more);
			const [stdout, stderr] = await Promise.all([host.stdout.text(), host.stderr.text(), host.exited]);
			if (host.exitCode !== 0) throw new Error(`the host exited with ${host.exitCode}: ${stderr}`);
			return Object.assign(
				{},
				...stdout
					.trim()
					.split("\n")
					.map((line) => JSON.parse(line)),
			);
		},
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
	};
}

async function bundleChild(folder: string): Promise<string> {
	const built = await Bun.build({ entrypoints: [join(root, "child/entry.ts")], target: "bun", minify: true });
	const [output] = built.outputs;
	if (output === undefined) throw new Error("the child was not bundled");
	const path = join(folder, "child.js");
	await Bun.write(path, output);
	return path;
}

async function writePlugin(folder: string): Promise<string> {
	const probe = await Bun.file(join(root, "test/fixtures/launch/probe.ts")).text();
	const files: Record<string, string> = {
		"probe.ts": probe,
		"data.json": '{"value": "json"}',
		"lib/near.ts": 'export const near = "relative";',
		"paths/value.ts": 'export const aliased = "tsconfig path";',
		"tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@alias/*": ["./paths/*"]}}}',
		".env": "PROBE_ENV_FILE=read",
		"bunfig.toml": 'preload = ["./bunfig-preload.ts"]',
		"bunfig-preload.ts": "globalThis.bunfigPreload = true;",
		"forked.ts": 'process.send("the forked file ran");',
		"node_modules/by-main/package.json": '{"name": "by-main", "version": "1.0.0", "main": "./start.cjs"}',
		"node_modules/by-main/start.cjs": 'module.exports = "by main";',
		"node_modules/by-exports/package.json":
			'{"name": "by-exports", "version": "1.0.0", "type": "module", "exports": {".": "./a.js", "./deep": "./b.js"}}',
		"node_modules/by-exports/a.js": 'export const byExports = "by exports";',
		"node_modules/by-exports/b.js": 'export const deep = "by subpath";',
	};
	for (const [name, text] of Object.entries(files)) {
		await mkdir(join(folder, name, ".."), { recursive: true });
		await Bun.write(join(folder, name), text);
	}
	return join(folder, "probe.ts");
}
