import { cp } from "node:fs/promises";
import { join } from "node:path";
import { buildChild } from "../../host/backends/child-build.ts";

const root = join(import.meta.dir, "../..");

/** What becomes of stdin and stdout, which are the wire: they stay where they are, or are moved away from the plugin. */
type Standard = "open" | "moved";

/**
 * Bundles a child as hosts do, but one whose wire is its stdin and stdout and that knows its plugin from the start, as a
 * child with a socket does; two of them differ in the guard alone. Gives the command that runs it.
 */
export async function buildStandardChild(standard: Standard, folder: string): Promise<string[]> {
	const sources = join(folder, `${standard}-sources`);
	for (const name of ["child", "runtime", "package.json"]) {
		await cp(join(root, name), join(sources, name), { recursive: true });
	}
	await replace("socket.ts", `${standard}.ts`, join(sources, "child"));
	await replace("launch.ts", "launch.ts", join(sources, "child"));
	const outdir = join(folder, standard);
	const [entry = ""] = await buildChild(join(sources, "child/entry.ts"), outdir);
	// The flags of any child.
	const flags = ["--no-orphans", "--no-env-file", "--config=/dev/null", "--no-install"];
	return [process.execPath, ...flags, join(outdir, entry)];
}

async function replace(name: string, by: string, folder: string): Promise<void> {
	const text = await Bun.file(join(import.meta.dir, "children/standard", by)).text();
	await Bun.write(join(folder, name), text.replaceAll("../../../../child/", "./").replaceAll("../../../../", "../"));
}
