import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createDesk } from "./support.ts";

const desk = createDesk();
const compiler = resolve(import.meta.dir, "../../../node_modules/typescript/bin/tsc");
const plugin = `import type { PluginAPI } from "brood/plugin";
export default (amp: PluginAPI): void => {
	amp.on("tool.call", ({ tool }) => (tool === "no" ? { action: "reject-and-continue", message: tool } : undefined));
};
`;

function compile(): string {
	const command = [process.execPath, compiler, "--pretty", "false", "--noEmit", "--project", desk.path("plugins")];
	const { stdout, stderr } = Bun.spawnSync(command, { cwd: desk.path() });
	return stdout.toString() + stderr.toString();
}

test.each([
	["begin with a byte order mark", '\ufeff{ "include": ["src"] }\n'],
	["have Windows line ends", '{\r\n  // why\r\n  "include": ["src"],\r\n}\r\n'],
	["exclude declarations", '{ "exclude": ["**/*.d.ts"] }\n'],
	["include all and exclude declarations", '{ "include": ["**/*.ts"], "exclude": ["*.d.ts", "node_modules"] }\n'],
	["name no types", '{ "compilerOptions": { "types": [], "typeRoots": [] }, "include": ["src"] }\n'],
	["resolve like Node", '{ "compilerOptions": { "module": "node16", "strict": true }, "include": ["src"] }\n'],
	[
		"are as strict as can be",
		JSON.stringify({
			compilerOptions: {
				module: "preserve",
				strict: true,
				skipLibCheck: false,
				declaration: true,
				erasableSyntaxOnly: true,
				exactOptionalPropertyTypes: true,
				isolatedDeclarations: true,
				isolatedModules: true,
				noPropertyAccessFromIndexSignature: true,
				noUncheckedIndexedAccess: true,
				verbatimModuleSyntax: true,
			},
			include: ["src"],
		}),
	],
	["send all imports elsewhere", '{ "compilerOptions": { "paths": { "*": ["./vendor/*"] } }, "include": ["src"] }\n'],
	["build a part", '{ "compilerOptions": { "composite": true, "outDir": "out" }, "include": ["src"] }\n'],
])("after types, plugins compile by settings that %s; what was said of them is true", async (_, settings) => {
	await desk.write({ "plugins/src/a.ts": plugin, "plugins/tsconfig.json": settings });
	const { exitCode, stdout } = await desk.run(["types", "plugins"]);
	expect({ exitCode, stdout }).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("updated  plugins/tsc") });
	expect(compile()).toBe("");
	expect((await desk.run(["types", "plugins", "--check"])).exitCode).toBe(0);
	const after = readFileSync(desk.path("plugins/tsconfig.json"), "utf8");
	expect(after.startsWith("\ufeff")).toBe(settings.startsWith("\ufeff"));
	expect(after.replaceAll("\r\n", "").includes("\n")).toBe(settings.replaceAll("\r\n", "").includes("\n"));
});

test.each([
	["[]", "it cannot be read: it is no object"],
	[
		'{ "files": [], "references": [{ "path": "src" }] }',
		'it only names other projects: add "brood-plugin.d.ts" to the "files" of the one with the plugins',
	],
])(
	"settings that see no declaration whatever is added are left, and a person is told: %p",
	async (settings, advice) => {
		await desk.write({ "plugins/src/a.ts": plugin, "plugins/tsconfig.json": settings });
		const { exitCode, stdout } = await desk.run(["types", "plugins"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(advice) });
		expect(readFileSync(desk.path("plugins/tsconfig.json"), "utf8")).toBe(settings);
	},
);
