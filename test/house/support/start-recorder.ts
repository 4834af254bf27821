/** Preloaded into a real child by child-start.test.ts: notes each module that is asked for and each stream touched. */
import { appendFileSync } from "node:fs";

const file = process.env.BROOD_TEST_RECORD;
if (file === undefined) throw new Error("BROOD_TEST_RECORD must name the file to write to");

function note(kind: "module" | "stream", name: string, by: string): void {
	appendFileSync(file ?? "", `${JSON.stringify({ kind, name, by })}\n`);
}

Bun.plugin({
	name: "start-recorder",
	setup(build) {
		build.onResolve({ filter: /.*/ }, ({ path, importer }) => {
			note("module", path, importer);
			return undefined;
		});
	},
});

for (const name of ["stdin", "stdout", "stderr"] as const) {
	Object.defineProperty(process, name, {
		configurable: true,
		get() {
			note("stream", name, new Error("touched here").stack ?? "");
			return undefined;
		},
	});
}
