import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

export type Form = "source" | "compiled" | "be-bun";

export const forms: Form[] = ["source", "compiled", "be-bun"];

/** Builds it all in a folder of its own. */
export async function createLaunchBench(): Promise<LaunchBench> {
	const folder = await mkdtemp(join(tmpdir(), "brood-launch-"));
	const plugin = await writePlugin(join(folder, "plugin"));
	await Bun.write(join(folder, "options-preload.ts"), "globalThis.optionsPreload = true;");
	const childSource = await bundleChild(folder);
	const binary = await compileHost(folder);

	function start(form: Form, tool: string, more: RunOptions = {}) {
		const program = form === "source" ? [process.execPath, join(root, "test/fixtures/launch/host.ts")] : [binary];
		return Bun.spawn([...program, form, more.plugin ?? plugin, childSource, tool, more.install ?? ""], {
			cwd: folder,
			env: { ...process.env, ...more.env },
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

/** The build line of the README. */
export const compileFlags = [
	"--compile",
	"--bytecode",
	"--format=esm",
	"--compile-autoload-package-json",
	"--compile-autoload-tsconfig",
];

async function compileHost(folder: string): Promise<string> {
	const binary = join(folder, "host");
	const entry = join(root, "test/fixtures/launch/host.ts");
	const build = Bun.spawn([process.execPath, "build", ...compileFlags, entry, "--outfile", binary], {
		cwd: root,
		stdout: "pipe",
		stderr: "pipe",
	});
	if ((await build.exited) !== 0) throw new Error(await build.stderr.text());
	return binary;
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
