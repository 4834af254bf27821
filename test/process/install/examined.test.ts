import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDesk, type Outcome } from "../cli/support.ts";
import { openRegistry, type PackageRegistry } from "../support/package-registry.ts";

const desk = createDesk();
let registry: PackageRegistry;
beforeEach(async () => {
	registry = await openRegistry({
		"pad-of-nobody": { "2.0.0": { "index.js": 'exports.version = "2.0.0";' } },
		"broken-of-nobody": {
			"1.0.0": {
				"package.json": '{ "name": "broken-of-nobody", "version": "1.0.0" }',
				"index.js": "exports.part = require('./part.node');",
				"part.node": "no library",
			},
		},
	});
	await desk.write({
		"pad.ts": 'import { version } from "pad-of-nobody";\nexport default () => version;\n',
		"later.ts": 'export default (amp) => amp.onDispose(() => import("pad-of-nobody"));\n',
		"broken-of-nobody.ts": 'import * as it from "broken-of-nobody";\nexport default () => it;\n',
	});
});
afterEach(() => registry[Symbol.asyncDispose]());

function brood(...parameters: string[]): Promise<Outcome> {
	const cache = desk.home("packages");
	return desk.run(parameters, { env: { BUN_CONFIG_REGISTRY: registry.url, BUN_INSTALL_CACHE_DIR: cache } });
}

/** What validate --install finds wrong with one plugin. */
async function problemsOf(path: string, ...more: string[]) {
	const { stdout } = await brood("validate", path, "--install", "--json", ...more);
	return JSON.parse(stdout).plugins[0].problems;
}

describe("with --install, validate", () => {
	test("finds nothing wrong with a package that can be fetched, at the load or later", async () => {
		expect(await problemsOf("pad.ts")).toEqual([]);
		expect(await problemsOf("later.ts")).toEqual([]);
		const without = await brood("validate", "pad.ts", "later.ts", "--json");
		const codes = JSON.parse(without.stdout).plugins.map(
			({ problems }: { problems: { code: string }[] }) => problems[0]?.code,
		);
		expect(codes).toEqual(["missing_package", "missing_package"]);
	});

	test("says why a package could not be fetched", async () => {
		registry.behave(500);
		expect(await problemsOf("pad.ts")).toMatchObject([
			{
				code: "missing_package",
				message: expect.stringContaining("- 500"),
				hint: expect.stringMatching(/^Try again when the registry answers/),
				line: 1,
				column: 25,
			},
		]);
	});

	test("tells a registry that never answers from a package that is not there", async () => {
		registry.behave("hang");
		expect(await problemsOf("pad.ts", "--ready-timeout", "1500")).toMatchObject([
			{ code: "ready_timeout", message: expect.stringContaining("packages may still be on their way") },
		]);
	});

	test("tells what is wrong in a package that was fetched, also where the plugin has its name", async () => {
		const [problem, ...others] = await problemsOf("broken-of-nobody.ts");
		expect(problem).toMatchObject({ code: "load_failed", message: expect.stringContaining("part.node") });
		expect(others).toEqual([]);
	});
});

test("doctor fetches packages with --install, and nothing without", async () => {
	const without = await brood("-p", "pad.ts", "--no-places", "doctor");
	expect({ exitCode: without.exitCode, requests: registry.requests }).toEqual({ exitCode: 4, requests: [] });
	const { exitCode, stdout } = await brood("-p", "pad.ts", "--no-places", "--install", "doctor");
	expect(stdout).toContain("1 plugin loaded.");
	expect(exitCode).toBe(0);
	expect(registry.requests).toContain("/pad-of-nobody");
});
