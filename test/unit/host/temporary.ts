import { afterEach, beforeEach } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of its own for each test of a file, removed after it. */
export function temporaryFolder() {
	let root = "";
	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "brood-unit-")));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));
	const place = (path: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		return join(root, path);
	};
	return {
		path: (...parts: string[]) => join(root, ...parts),
		/** Writes a file and the folders above it. */
		file(path: string, content: string | Uint8Array = "export default () => {}\n") {
			writeFileSync(place(path), content);
			return join(root, path);
		},
		folder(path: string) {
			mkdirSync(join(root, path), { recursive: true });
			return join(root, path);
		},
		link(path: string, target: string) {
			symlinkSync(target, place(path));
			return join(root, path);
		},
		fifo(path: string) {
			const { exitCode } = Bun.spawnSync(["mkfifo", place(path)]);
			if (exitCode !== 0) throw new Error(`mkfifo failed for ${path}`);
			return join(root, path);
		},
	};
}
