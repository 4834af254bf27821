import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "./support/tree.ts";

test("there is no file, export or dependency that nothing uses", () => {
	const { exitCode, output } = runKnip(root);
	if (exitCode !== 0) throw new Error(`knip ended with ${exitCode}:\n${output}`);
}, 60_000);

test("the gate sees an export that nothing uses", async () => {
	const folder = await mkdtemp(join(tmpdir(), "brood-knip-"));
	try {
		await Bun.write(join(folder, "package.json"), '{ "name": "planted" }');
		await Bun.write(join(folder, "knip.json"), '{ "entry": ["index.ts"], "project": ["*.ts"] }');
		await Bun.write(join(folder, "index.ts"), 'import { used } from "./part.ts";\nused();\n');
		await Bun.write(join(folder, "part.ts"), "export const used = () => {};\nexport const forgotten = 1;\n");
		const { exitCode, output } = runKnip(folder);
		expect(exitCode).toBe(1);
		expect(output).toContain("forgotten");
		expect(output).not.toMatch(/\bused\b/);
		await Bun.write(join(folder, "part.ts"), "export const used = () => {};\n");
		expect(runKnip(folder).exitCode).toBe(0);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}, 60_000);

function runKnip(cwd: string): { exitCode: number; output: string } {
	const knip = resolve(root, "node_modules/knip/bin/knip-bun.js");
	const options = ["--no-progress", "--no-config-hints"];
	const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, knip, ...options], {
		cwd,
		env: { ...process.env, NO_COLOR: "1" },
	});
	return { exitCode, output: `${stdout}${stderr}`.trim() };
}
