import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createDesk, type Outcome } from "../cli/support.ts";
import { openRegistry, type PackageRegistry } from "../support/package-registry.ts";

const desk = createDesk();
let registry: PackageRegistry;
beforeEach(async () => {
	registry = await openRegistry({ "pad-of-nobody": { "2.0.0": { "index.js": 'exports.version = "2.0.0";' } } });
	await desk.write({
		".amp/plugins/pad.ts": tool("pad", "version", 'import { version } from "pad-of-nobody";'),
		".amp/plugins/other.ts": tool("other", "version", 'import { version } from "pad-of-nobody";'),
		".amp/plugins/later.ts": tool("later", '(await import("pad-of-nobody")).version'),
	});
});
afterEach(() => registry[Symbol.asyncDispose]());

function tool(name: string, expression: string, imports = ""): string {
	return `// A tool.\n${imports}
export default (amp) => {
	amp.registerTool({
		name: "${name}",
		description: "",
		inputSchema: { type: "object" },
		execute: async () => ${expression},
	});
	amp.registerCommand("${name}", { title: "T" }, async () => { await ${expression}; });
};
`;
}

function brood(...parameters: string[]): Promise<Outcome> {
	const cache = desk.home("packages");
	return desk.run(parameters, { env: { BUN_CONFIG_REGISTRY: registry.url, BUN_INSTALL_CACHE_DIR: cache } });
}

describe("a package that is missing", () => {
	test("is told by list, call and run with place, command and folder; no registry is asked", async () => {
		const plugins = desk.path(".amp/plugins");
		const [only, command] = [["-p", `${plugins}/pad.ts`, "--no-places"], `Run "bun add pad-of-nobody"`];
		for (const verb of [["list"], ["call", "pad", "{}"], ["run", "pad"]]) {
			const people = await brood(...only, ...verb);
			expect(people).toMatchObject({ exitCode: 4 });
			expect(people.stderr).toContain(
				`Plugin "pad" failed to load: Cannot find package 'pad-of-nobody' (${plugins}/pad.ts:2:25)`,
			);
			expect(people.stderr).toContain('> 2 | import { version } from "pad-of-nobody";');
			expect(people.stderr).toMatch(new RegExp(`hint: ${command}.* in ${plugins};`));
			const scripts = await brood(...only, ...verb, "--json");
			expect(scripts.errors).toMatchObject([
				{
					error: {
						code: "load_failed",
						plugin: "pad",
						message: expect.stringContaining("in stage import"),
						hint: expect.stringContaining(command),
					},
				},
			]);
		}
		const { plugins: listed } = JSON.parse((await brood("list", "--json", "--allow-failed")).stdout);
		expect(listed.map((one: { name: string; state: string; error?: object }) => [one.name, one.state])).toEqual([
			["later", "ready"],
			["other", "failed"],
			["pad", "failed"],
		]);
		expect(listed[2].error).toMatchObject({
			code: "load_failed",
			stage: "import",
			hint: expect.stringContaining(command),
		});
		expect(registry.requests).toEqual([]);
	});

	test("is told in the same way when a handler imports it", async () => {
		for (const verb of [
			["call", "later", "{}"],
			["run", "later"],
		]) {
			const { exitCode, stderr } = await brood(...verb);
			expect(exitCode).toBe(5);
			expect(stderr).toContain("Cannot find package 'pad-of-nobody'");
			expect(stderr).toContain(`execute: async () => (await import("pad-of-nobody"))`);
			expect(stderr).toMatch(new RegExp(`hint: Run "bun add pad-of-nobody".* in ${desk.path(".amp/plugins")}\\.`));
		}
		expect(registry.requests).toEqual([]);
	});
});

describe("the option --install", () => {
	test("lets every plugin of the command have its packages fetched", async () => {
		const { exitCode, stdout } = await brood("--install", "call", "pad", "{}");
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "2.0.0\n" });
		const list = await brood("list", "--install", "--json");
		const states = JSON.parse(list.stdout).plugins.map(({ state }: { state: string }) => state);
		expect({ exitCode: list.exitCode, states }).toEqual({ exitCode: 0, states: ["ready", "ready", "ready"] });
	});

	test("can be given for one plugin by its name", async () => {
		const { stdout, exitCode } = await brood("--install-for", "pad", "list", "--json");
		const states = JSON.parse(stdout).plugins.map((one: { name: string; state: string }) => [one.name, one.state]);
		expect({ exitCode, states }).toEqual({
			exitCode: 4,
			states: [
				["later", "ready"],
				["other", "failed"],
				["pad", "ready"],
			],
		});
		const unknown = await brood("--install-for", "pda", "list", "--json");
		expect(unknown).toMatchObject({ exitCode: 2, errors: [{ error: { code: "plugin_not_found", plugin: "pda" } }] });
		expect(unknown.errors[0]?.error.hint).toBe('Is it "pad"?');
	});

	test("counts its time where --ready-timeout says how long a load may take", async () => {
		registry.behave("hang");
		const only = ["-p", desk.path(".amp/plugins/pad.ts"), "--no-places", "--install", "--ready-timeout", "1200"];
		const { exitCode, stderr } = await brood(...only, "list");
		expect(exitCode).toBe(4);
		expect(stderr).toContain(
			"was not ready within 1200 ms: its import has not ended, and packages may still be on their way",
		);
		expect(registry.requests).toEqual(["/pad-of-nobody"]);
	});
});

test("bench measures the imports of a plugin that alone may have packages fetched", async () => {
	const path = desk.path(".amp/plugins/pad.ts");
	const words = ["bench", path, "--rounds", "1", "--no-places", "--json"];
	const { stdout, exitCode } = await brood("--install-for", "pad", ...words);
	expect(exitCode).toBe(0);
	expect(JSON.parse(stdout).plugins[0].imports).toMatchObject({ modules: [{ specifier: "pad-of-nobody" }] });
	// What one plugin may, the probe of another may not.
	const other = await brood("--install-for", "probe", ...words);
	expect(other.exitCode).toBe(4);
});
