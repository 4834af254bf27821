/** Path of Node, or null: on a machine that has only Bun, `bun run` puts itself on the path under this name. */
export function findNode(): string | null {
	const path = Bun.which("node");
	if (path === null) return null;
	const { stdout } = Bun.spawnSync([path, "-p", "typeof process.versions.bun"]);
	return stdout.toString().trim() === "undefined" ? path : null;
}
