import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const index = resolve(import.meta.dir, "../../../host/index.ts");

/** Tells how long it took to start and stop a plugin, and how long after that to end by itself. */
const program = `
import { createHost } from ${JSON.stringify(index)};
const begun = performance.now();
const host = await createHost({ plugins: [process.argv[2]], places: false });
await host.stop();
const stopped = performance.now();
process.on("exit", () => console.log(JSON.stringify([stopped - begun, performance.now() - stopped])));
`;

test("a program whose host has stopped ends by itself, and waits for no timer of it", async () => {
	const folder = mkdtempSync(join(tmpdir(), "brood-after-stop-"));
	try {
		await Bun.write(join(folder, "program.ts"), program);
		await Bun.write(join(folder, "plugin.ts"), "export default () => {};");
		const ratios: number[] = [];
		for (let repeat = 0; repeat < 3; repeat += 1) {
			const command = [process.execPath, join(folder, "program.ts"), join(folder, "plugin.ts")];
			const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
			const [life, rest] = JSON.parse(await child.stdout.text());
			ratios.push(rest / life);
		}
		// The shortest timer of a host's end is several times as long as a whole start.
		expect(Math.min(...ratios)).toBeLessThan(0.5);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
