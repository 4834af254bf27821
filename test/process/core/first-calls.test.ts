import { expect, test } from "bun:test";
import { join } from "node:path";
import { createBench } from "../support/host.ts";

const bench = createBench();
const program = join(import.meta.dir, "../../fixtures/core/first-calls-program.ts");

/** The files of packages that a host has loaded once it is ready, and after the first call of each of its tools. */
async function loadedAfter(schemas: Record<string, object>): Promise<Record<string, string[]>> {
	const plugin = bench.write(
		"one",
		`export default (amp) => {
	for (const [name, schema] of Object.entries(${JSON.stringify(schemas)})) {
		amp.registerTool({ name, description: "", inputSchema: { type: "object", ...schema }, execute: () => "" });
	}
};`,
	);
	const child = Bun.spawn([process.execPath, program, plugin], { stdout: "pipe", stderr: "inherit" });
	return JSON.parse(await child.stdout.text());
}

test("a call loads no package where its schema is plain and its input fits", async () => {
	const properties = { n: { type: "integer", minimum: 0 } };
	const loaded = await loadedAfter({
		strict: { properties, required: ["n"], additionalProperties: false },
		referring: { properties: { n: { $ref: "#/$defs/n" } }, $defs: properties },
	});
	expect(loaded).toEqual({ ready: [], strict: [], referring: [] });
});

test("a call by another schema loads the validator of its draft alone", async () => {
	const {
		ready,
		newer = [],
		older = [],
	} = await loadedAfter({
		newer: { not: { required: ["other"] } },
		older: { not: { required: ["other"] }, $schema: "http://json-schema.org/draft-07/schema#" },
	});
	expect(ready).toEqual([]);
	expect(newer).toContain("ajv/dist/2020.js");
	expect(newer).not.toContain("ajv/dist/ajv.js");
	expect(older).toContain("ajv/dist/ajv.js");
});
