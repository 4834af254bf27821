import { afterAll, expect, setDefaultTimeout } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../../house/support/tree.ts";
import { type TestedPlugin, type TestPluginOptions, testPlugin } from "../../kit/index.ts";

/** Both ways to run a plugin under test. */
export const isolations = ["process", "graph"] as const;

/** A folder of plugins for one test file; must be called at its top. */
export function createPlugins() {
	setDefaultTimeout(20_000);
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "brood-kit-")));
	const { TMPDIR } = process.env;
	// Where the homes are of the plugins of this file alone.
	process.env.TMPDIR = join(folder, "tmp");
	mkdirSync(join(folder, "tmp"));
	afterAll(() => {
		rmSync(folder, { recursive: true, force: true });
		if (TMPDIR === undefined) delete process.env.TMPDIR;
		else process.env.TMPDIR = TMPDIR;
	});
	let written = 0;

	function write(source: string, name = `plugin-${++written}.ts`): string {
		const path = join(folder, name);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, source);
		return path;
	}
	return {
		folder,
		write,
		/**
		 * Runs a file of tests by `bun test` in a program of its own, and gives what it says. The file knows `test`, `expect`,
		 * the hooks, `testPlugin`, and the `path` of a plugin.
		 */
		async tests(body: string, plugin = activating("")): Promise<{ exitCode: number; said: string }> {
			const path = write(plugin);
			const head = `import { afterAll, beforeAll, expect, test } from "bun:test";
import { testPlugin } from "brood/test";
const path = ${JSON.stringify(path)};
`;
			const file = write(head + body, `run-${written}.test.ts`);
			const { exited, stderr, stdout } = Bun.spawn([process.execPath, "test", "--preload", preload, file], {
				cwd: folder,
				stdio: ["ignore", "pipe", "pipe"],
			});
			const said = await Promise.all([stderr.text(), stdout.text()]);
			return { exitCode: await exited, said: said.join("") };
		},
		/** Loads what the body of a plugin's default export says. */
		load: (body: string, options?: TestPluginOptions): Promise<TestedPlugin> =>
			testPlugin(write(activating(body)), options),
	};
}

/** Lets a test find `brood/test` where no package lies. */
export const preload = join(root, "host/cli/test-preload.ts");

/** A plugin whose default export has this body; `tool` registers one that takes anything. */
export function activating(body: string): string {
	return `const anything = { type: "object" };
export default async (amp) => {
	const tool = (name, execute) => amp.registerTool({ name, description: name, inputSchema: anything, execute });
	${body}
};
`;
}

/** The error that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error & { code?: string; stage?: string }> {
	const outcome = await promise.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (!(outcome instanceof Error)) return expect.unreachable("it did not reject with an error");
	return outcome;
}

/** The homes that plugins under test have now. */
export function homes(): string[] {
	return readdirSync(tmpdir()).filter((name) => name.startsWith("brood-test-"));
}
