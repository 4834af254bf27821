import { describe, expect } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSources, root } from "../house/support/tree.ts";
import { example, runToEnd } from "./examples-support.ts";

describe("the example", () => {
	example(
		"testing/",
		"has tests of plugins that pass, each of them, and leave nothing behind",
		async () => {
			const folder = mkdtempSync(join(tmpdir(), "brood-examples-"));
			const command = [process.execPath, "test", "./examples/testing"];
			const { exitCode, errors } = await runToEnd(command, root, { TMPDIR: folder });
			const left = readdirSync(folder);
			rmSync(folder, { recursive: true });
			const tests = [...readSources("examples/testing/*.test.ts").values()].join("").match(/^test\(/gm) ?? [];
			expect(tests.length).toBeGreaterThan(5);
			expect({ exitCode, left, passed: /^ *(\d+) pass$/m.exec(errors)?.[1] }).toEqual({
				exitCode: 0,
				left: [],
				passed: String(tests.length),
			});
		},
		30_000,
	);
});
