import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { publint } from "publint";
import packageFacts from "../../package.json" with { type: "json" };
import { compileFlags } from "../process/support/embedder.ts";
import { findNode } from "../process/support/node.ts";

/** The package as its users get it: packed, unpacked into another project, its dependencies beside it. */
const root = join(import.meta.dir, "../..");
let project: string;

beforeAll(async () => {
	project = await mkdtemp(join(tmpdir(), "brood-package-"));
	const modules = join(project, "node_modules");
	await mkdir(modules);
	await run([process.execPath, "pm", "pack", "--destination", project, "--quiet"], root);
	const [archive = ""] = (await readdir(project)).filter((name) => name.endsWith(".tgz"));
	await run(["tar", "-xzf", archive], project);
	await run(["mv", "package", "node_modules/brood"], project);
	// Every installed package but ours, so that dependencies of dependencies are there too.
	for (const name of await readdir(join(root, "node_modules"))) {
		if (name !== "brood" && !name.startsWith(".")) await symlink(join(root, "node_modules", name), join(modules, name));
	}
	await Bun.write(join(project, "hello.ts"), plugin);
	await Bun.write(join(project, "embed.ts"), embed);
	await Bun.write(join(project, "compiled.ts"), compiled);
	await Bun.write(join(project, "package.json"), '{"name": "user", "type": "module"}');
	await Bun.write(join(project, "tsconfig.json"), JSON.stringify(strictest));
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

const plugin = `import { defineTool } from "brood/plugin";
import type { PluginAPI } from "brood/plugin";
const hello = defineTool({ name: "hello", description: "d", inputSchema: { type: "object" }, execute: () => "hi" });
export default function (amp: PluginAPI): void { amp.registerTool(hello); }
`;

const embed = `import { createHost } from "brood";
import { limits, protocolVersion } from "brood/runtime";

await using host = await createHost({ plugins: ["./hello.ts"], places: false });
console.log(JSON.stringify([(await host.tools.call("hello", {})).text, protocolVersion, limits.restart.retriesMax]));
`;

const compiled = `import "brood/child";
import { createHost } from "brood";

const host = await createHost({ plugins: ["./hello.ts"], places: false, install: "auto" });
console.log(JSON.stringify(host.plugins.list().map(({ state, process }) => [state, process?.form])));
await host.stop();
`;

/** A user whose settings are stricter than ours and who checks the declarations of libraries too. */
const strictest = {
	compilerOptions: {
		target: "ESNext",
		lib: ["ESNext"],
		module: "Preserve",
		moduleResolution: "bundler",
		types: ["bun-types"],
		noEmit: true,
		strict: true,
		noUncheckedIndexedAccess: true,
		exactOptionalPropertyTypes: true,
		noPropertyAccessFromIndexSignature: true,
		noUnusedLocals: true,
		noImplicitReturns: true,
		isolatedModules: true,
		skipLibCheck: true,
	},
	include: ["*.ts"],
};

test("the packed command line lists a plugin", async () => {
	const command = [
		process.execPath,
		"node_modules/brood/host/cli/main.ts",
		"list",
		"--json",
		"--no-places",
		"-p",
		"hello.ts",
	];
	const listed = JSON.parse(await run(command, project));
	expect(listed.plugins.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
		["hello", "ready"],
	]);
});

test("a program embeds the packed host", async () => {
	const printed = JSON.parse(await run([process.execPath, "embed.ts"], project));
	expect(printed).toEqual(["hi", "1.0.0", 3]);
});

test("a program compiled against the package carries the child, and starts it from the cache", async () => {
	const binary = join(project, "my-host");
	await run([process.execPath, "build", ...compileFlags, "compiled.ts", "--outfile", binary], project);
	const cache = join(project, "cache");
	expect(JSON.parse(await run([binary], project, { XDG_CACHE_HOME: cache }))).toEqual([["ready", "cached"]]);
}, 30_000);

test("the packed types serve a stricter user than we are", async () => {
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	await run([process.execPath, compiler, "--project", "."], project);
}, 30_000);

test("the packed command line lets an editor know the types, with nothing installed but the package", async () => {
	const user = await mkdtemp(join(tmpdir(), "brood-package-"));
	try {
		await cp(join(project, "node_modules/brood"), join(user, "node_modules/brood"), { recursive: true });
		for (const name of Object.keys(packageFacts.dependencies)) {
			await mkdir(dirname(join(user, "node_modules", name)), { recursive: true });
			await symlink(join(root, "node_modules", name), join(user, "node_modules", name));
		}
		const folder = join(user, "workspace/.brood");
		await Bun.write(join(folder, "plugins/hello.ts"), plugin.replaceAll("brood/plugin", "@ampcode/plugin"));
		const command = [process.execPath, join(user, "node_modules/brood/host/cli/main.ts"), "types", "--json"];
		expect(JSON.parse(await run(command, dirname(folder)))).toMatchObject({
			ok: true,
			folders: [{ files: [{ state: "written" }, { state: "written" }], bunTypes: "missing" }],
		});
		const compiler = join(root, "node_modules/typescript/bin/tsc");
		await run([process.execPath, compiler, "--project", folder], user);
	} finally {
		await rm(user, { recursive: true, force: true });
	}
}, 30_000);

test("the packed command line makes a plugin whose tests pass, and whose types hold", async () => {
	await run([process.execPath, "node_modules/brood/host/cli/main.ts", "new", "fresh"], project);
	await run([process.execPath, "test"], join(project, "fresh"));
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	await run([process.execPath, compiler, "--project", "fresh"], project);
}, 30_000);

test("the package carries the child as one text for hosts that start it as plain Bun", async () => {
	const text = await Bun.file(join(project, "node_modules/brood/dist/child.js")).text();
	expect(text).toContain("client.info");
});

test("the package carries neither tests nor what tests need", async () => {
	const inside = await readdir(join(project, "node_modules/brood"));
	const listed = packageFacts.files.map((path) => path.replace(/\/.*/, ""));
	expect(inside.sort()).toEqual([...listed, "LICENSE", "README.md", "package.json"].sort());
	expect(await readdir(join(project, "node_modules/brood/test"))).toEqual(["kit"]);
});

const node = findNode();
// A machine that has only Bun cannot show what Node says.
test.skipIf(node === null)("under Node alone an import says that brood needs Bun, and how to get it", async () => {
	const program = 'import("brood").catch((error) => console.log(error.message))';
	const printed = await run([node ?? "", "-e", program], project);
	expect(printed).toContain("Bun");
	expect(printed).toContain("npx");
});

test("publint finds nothing wrong with it", async () => {
	const { messages } = await publint({ pkgDir: join(project, "node_modules/brood"), pack: false, strict: true });
	expect(messages).toEqual([]);
});

async function run(command: string[], cwd: string, variables: Record<string, string> = {}): Promise<string> {
	const env = { ...process.env, ...variables };
	const child = Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "pipe", stdin: "ignore" });
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	if ((await child.exited) !== 0)
		throw new Error(`${command.join(" ")} exited with ${child.exitCode}:\n${stdout}${stderr}`);
	return stdout;
}
