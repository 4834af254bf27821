import { cp } from "node:fs/promises";
import { join } from "node:path";
import { buildChild } from "../../host/backends/child-build.ts";

const root = join(import.meta.dir, "../..");

/**
 * Bundles a child as hosts do, but with its wire on stdin and stdout and nothing that keeps the plugin from them: what the
 * separation costs is the difference. Gives the command that runs it.
 */
export async function buildUnguarded(folder: string): Promise<string[]> {
	const sources = join(folder, "unguarded-sources");
	for (const name of ["child", "runtime", "package.json"]) {
		await cp(join(root, name), join(sources, name), { recursive: true });
	}
	await replace("socket.ts", join(sources, "child"));
	await replace("launch.ts", join(sources, "child"));
	const outdir = join(folder, "unguarded");
	const [entry = ""] = await buildChild(join(sources, "child/entry.ts"), outdir);
	// The flags of any child.
	const flags = ["--no-orphans", "--no-env-file", "--config=/dev/null", "--no-install"];
	return [process.execPath, ...flags, join(outdir, entry)];
}

async function replace(name: string, folder: string): Promise<void> {
	const text = await Bun.file(join(import.meta.dir, "children/unguarded", name)).text();
	await Bun.write(join(folder, name), text.replaceAll("../../../../", "../"));
}
