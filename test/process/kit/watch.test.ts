import { expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { comesTrue } from "../support/processes.ts";
import { createPlugins, isolations, preload } from "./support.ts";

const plugins = createPlugins();

/** Runs a file of tests by `bun test --watch`; each run says `ran` and what the plugin answers. */
function watch(file: string) {
	const program = Bun.spawn([process.execPath, "test", "--watch", "--no-clear-screen", "--preload", preload, file], {
		cwd: plugins.folder,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const reader = program.stdout.getReader();
	const decoder = new TextDecoder();
	let said = "";
	return {
		/** Resolves once a text was said that nobody has read before. */
		async says(text: string): Promise<void> {
			while (!said.includes(text)) {
				const { done, value } = await reader.read();
				if (done) expect.unreachable(`it has ended and said ${said}`);
				said += decoder.decode(value, { stream: true });
			}
			said = said.slice(said.indexOf(text) + text.length);
		},
		async [Symbol.asyncDispose]() {
			program.kill("SIGKILL");
			await program.exited;
		},
	};
}

test.each(isolations)(
	"bun test --watch runs again when a plugin or a module of it changes, isolation %s",
	async (isolation) => {
		const word = plugins.write('export const word = "first";', `${isolation}/word.ts`);
		const source = (mark: string) => `import { word } from "./word.ts";
export default (amp) => {
	amp.registerTool({ name: "say", description: "", inputSchema: { type: "object" }, execute: () => word + "${mark}" });
};`;
		plugins.write(source("."), `${isolation}/plugin.ts`);
		const written = join(plugins.folder, "tmp", "written.ts");
		mkdirSync(join(plugins.folder, "tmp"), { recursive: true });
		// A plugin that a test has written itself is not watched, or the test would run without end.
		const file = plugins.write(
			`import { test } from "bun:test";
		import { testPlugin } from "brood/test";
		test("runs", async () => {
			const loading = testPlugin(new URL("./plugin.ts", import.meta.url), { isolation: "${isolation}" });
			await using plugin = await loading.catch((error) => {
				console.log(error.code);
				throw error;
			});
			await Bun.write(${JSON.stringify(written)}, "export default () => {};");
			await using other = await testPlugin(${JSON.stringify(written)});
			console.log("ran " + (await plugin.tools.call("say", {})).text);
			await Bun.sleep(200);
			await Bun.write(${JSON.stringify(written)}, "export default () => void 0;");
			console.log("over");
		});`,
			`${isolation}/plugin.test.ts`,
		);
		await using program = watch(file);
		await program.says("ran first.");
		await program.says("over");
		await Bun.write(word, 'export const word = "second";');
		await program.says("ran second.");
		await program.says("over");
		plugins.write(source("!"), `${isolation}/plugin.ts`);
		await program.says("ran second!");
		await program.says("over");
		plugins.write("export default (", `${isolation}/plugin.ts`);
		await program.says("load_failed");
		plugins.write(source("?"), `${isolation}/plugin.ts`);
		await program.says("ran second?");
	},
	20_000,
);

test.each(isolations)(
	"bun test --watch runs again for a mend that is saved while what it mends still loads, isolation %s",
	async (isolation) => {
		const source = (mark: string) => `export default (amp) => {
	amp.registerTool({ name: "say", description: "", inputSchema: { type: "object" }, execute: () => "${mark}" });
};`;
		const name = `mended-${isolation}/plugin.ts`;
		plugins.write(source("first"), name);
		const loading = join(plugins.folder, `loading-${isolation}`);
		const file = plugins.write(
			`import { test } from "bun:test";
		import { testPlugin } from "brood/test";
		test("runs", async () => {
			await using plugin = await testPlugin(new URL("./plugin.ts", import.meta.url), { isolation: "${isolation}" });
			console.log("ran " + (await plugin.tools.call("say", {})).text);
			await Bun.sleep(100);
			console.log("over");
		});`,
			`mended-${isolation}/plugin.test.ts`,
		);
		await using program = watch(file);
		await program.says("ran first");
		await program.says("over");
		plugins.write(`await Bun.write(${JSON.stringify(loading)}, "");\nawait Bun.sleep(60_000);`, name);
		expect(await comesTrue(() => existsSync(loading), 10_000)).toBe(true);
		plugins.write(source("second"), name);
		await program.says("ran second");
		await program.says("over");
		plugins.write(source("third"), name);
		await program.says("ran third");
	},
	20_000,
);
