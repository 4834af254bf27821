import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeChildSources } from "./child-sources.ts";

/**
 * Builds what the package carries beside its sources: declarations, the child as one text for hosts that start it as plain
 * Bun, and its sources as one file for those that are compiled. Runs before `bun pm pack` and `bun publish`.
 */
const root = join(import.meta.dir, "../..");
const dist = join(root, "dist");

await rm(dist, { recursive: true, force: true });
await buildTypes();
await buildChild();
await writeChildSources(root, dist);

async function buildTypes(): Promise<void> {
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	const flags = ["--project", "test/pack/tsconfig.json", "--outDir", join(dist, "types")];
	const built = Bun.spawn([process.execPath, compiler, ...flags], { cwd: root, stdout: "inherit", stderr: "inherit" });
	if ((await built.exited) !== 0) process.exit(1);
}

async function buildChild(): Promise<void> {
	const built = await Bun.build({ entrypoints: [join(root, "child/entry.ts")], target: "bun", minify: true });
	const [output] = built.outputs;
	if (output === undefined) throw new Error("the child was not bundled");
	await Bun.write(join(dist, "child.js"), output);
}
