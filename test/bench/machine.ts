import { release, totalmem } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { describeMachine as describeHere } from "../../host/devtools/machine.ts";
import { findNode } from "../process/support/node.ts";

export const machineSchema = z.strictObject({
	cpu: z.string(),
	cores: z.number(),
	memoryGB: z.number(),
	system: z.string(),
	bun: z.string(),
	node: z.string().nullable(),
});

/** Where figures were measured; absolute times mean nothing elsewhere. */
export type Machine = z.infer<typeof machineSchema>;

export function describeMachine(): Machine {
	const node = findNode();
	const { cpu, cores, bun } = describeHere();
	return {
		cpu,
		cores,
		memoryGB: Math.round(totalmem() / 2 ** 30),
		system: `${process.platform} ${release()} ${process.arch}`,
		bun,
		node: node === null ? null : Bun.spawnSync([node, "--version"]).stdout.toString().trim(),
	};
}

/** What was measured: the commit, with a sign when files differ from it; null without git. */
export function describeCommit(): string | null {
	const git = Bun.which("git");
	if (git === null) return null;
	const run = (...words: string[]) => Bun.spawnSync([git, ...words], { cwd: join(import.meta.dir, "../..") });
	const { exitCode, stdout } = run("rev-parse", "--short=12", "HEAD");
	if (exitCode !== 0) return null;
	// Saved results are no other code.
	const changed = run("status", "--porcelain", "--", ".", ":!test/bench/results", ":!README.md").stdout.length > 0;
	return `${stdout.toString().trim()}${changed ? " with changes" : ""}`;
}
