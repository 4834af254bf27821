import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const program = join(import.meta.dir, "../../fixtures/bundle-mark.ts");

test.skipIf(process.platform !== "linux")(
	"a bundle that could not be marked as used for want of descriptors is marked at the next launch, once",
	async () => {
		const folder = mkdtempSync(join(tmpdir(), "brood-mark-"));
		try {
			const command = ["sh", "-c", 'ulimit -n 128; exec "$0" "$1" "$2"', process.execPath, program, folder];
			const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
			expect(JSON.parse(await child.stdout.text())).toEqual({ without: 0, after: 1, again: 1, replaced: 1 });
		} finally {
			rmSync(folder, { recursive: true });
		}
	},
);
