import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readSources, readText, root } from "../house/support/tree.ts";
import {
	type CompileBench,
	createCompileBench,
	example,
	examples,
	importingPlugin,
	isRunning,
	listExamples,
	runToEnd,
	testedExamples,
} from "./examples-support.ts";
import { comesTrue } from "./support/processes.ts";

const buildMsMax = 60_000;
const commandsMsMax = 60_000;

/** Its tool tells how many functions this process has read, run or not. */
const countingPlugin = {
	"counting.ts": `
		import { heapStats } from "bun:jsc";
		const execute = () => String(heapStats().objectTypeCounts.UnlinkedFunctionExecutable);
		export default (amp) =>
			void amp.registerTool({ name: "functions", description: "", inputSchema: { type: "object" }, execute });
	`,
};

let bench: CompileBench;
beforeAll(async () => {
	bench = await createCompileBench();
});
afterAll(() => bench[Symbol.asyncDispose]());

describe("the example", () => {
	example("embed/host.ts", "lists the tools of a plugin, calls one and ends by itself", async () => {
		const command = [process.execPath, join(examples, "embed/host.ts")];
		const elsewhere = await bench.write("elsewhere", {});
		const greeted = ["greet: Greets a person", "Hello, Ada!"];
		expect(await runToEnd(command, elsewhere)).toEqual({ exitCode: 0, lines: greeted, errors: "" });
		const other = [join(examples, "plugins/server.ts"), "next_number", "{}"];
		expect((await runToEnd([...command, ...other], elsewhere)).lines.at(-1)).toBe("1");
		expect(await runToEnd([...command, other[0] ?? ""], elsewhere)).toMatchObject({
			exitCode: 1,
			errors: expect.stringContaining('There is no tool "greet"'),
		});
	});

	example("embed/agent.ts", "shows what handlers answer, and lets no dangerous call pass", async () => {
		const command = [process.execPath, join(examples, "embed/agent.ts")];
		const { exitCode, lines, errors } = await runToEnd(command, await bench.write("agent", {}));
		expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
		expect(lines).toEqual([
			expect.stringMatching(/^for the model: .*Change or add a test with each change of behaviour\./),
			expect.stringMatching(/^the call: .*"reject-and-continue".*it deletes everything/),
		]);
	});

	example(
		"embed/compiled.ts",
		"is one file that loads a plugin from disk with all that it imports, ends by itself and leaves nothing",
		async () => {
			const binary = await bench.compile(join(examples, "embed/compiled.ts"));
			const folders = { cwd: await bench.write("empty", {}), temporary: await bench.write("temporary", {}) };
			const plugin = join(await bench.write("plugin", importingPlugin), "importing.ts");
			const finished = await runToEnd([binary, plugin, "imports", "{}"], folders.cwd, { TMPDIR: folders.temporary });
			expect({ exitCode: finished.exitCode, errors: finished.errors }).toEqual({ exitCode: 0, errors: "" });
			const [listed, answer = ""] = finished.lines;
			expect(listed).toBe("imports: Tells what it imported");
			const told = JSON.parse(answer);
			expect(told.imports).toEqual(["relative", "json", "main", "exports", "subpath", "cjs", "tsconfig path"]);
			expect(told.children).toContain(told.child);
			const processes: number[] = [told.host, ...told.children];
			expect(await comesTrue(() => !processes.some(isRunning), 1_000)).toBe(true);
			for (const folder of Object.values(folders)) expect(await readdir(folder)).toEqual([]);
			const refused = async (path: string) => (await runToEnd([binary, path], folders.cwd)).errors;
			const bad = await bench.write("bad", { "bad.ts": 'throw new Error("it is bad");' });
			expect(await refused(join(bad, "bad.ts"))).toMatch(/Plugin "bad" failed to load: .*it is bad/);
			expect(await refused(join(bad, "nowhere.ts"))).toMatch(/^\S+nowhere\.ts is no plugin: it does not exist\. .*\n$/);
		},
		buildMsMax,
	);

	test(
		"embed/compiled.ts runs neither its main part nor what it imports in a child",
		async () => {
			const trace = (what: string) => `appendFileSync(process.env.TRACE ?? "", \`${what} \${process.pid}\\n\`);\n`;
			const append = 'import { appendFileSync } from "node:fs";\n';
			const [first, second] = ['import "brood/child";\n', 'const { createHost } = await import("brood");\n'];
			const text = readText("examples/embed/compiled.ts");
			expect([first, second].map((line) => text.split(line).length)).toEqual([2, 2]);
			const main = text
				.replace(first, `${first}import "./sibling.ts";\n`)
				.replace(second, `${second}${append}${trace("main")}`);
			const folder = await bench.write("traced", {
				"main.ts": main,
				"sibling.ts": append + trace("sibling"),
				"plugin.ts": `${append}export default () => { ${trace("plugin")} };`,
				"node_modules/keep": "",
			});
			await symlink(root, join(folder, "node_modules/brood"));
			const binary = await bench.compile(join(folder, "main.ts"));
			const log = join(folder, "trace.txt");
			await runToEnd([binary, join(folder, "plugin.ts")], folder, { TRACE: log });
			const ran = (await Bun.file(log).text())
				.trim()
				.split("\n")
				.map((line) => line.split(" "));
			expect(ran.map(([what]) => what)).toEqual(["sibling", "main", "plugin"]);
			const [sibling, host, child] = ran.map(([, pid]) => pid);
			expect(sibling).toBe(host);
			expect(child).not.toBe(host);
		},
		buildMsMax,
	);

	test(
		"embed/compiled.ts, built as it says, has children that load less than a third of its functions",
		async () => {
			const plugin = join(await bench.write("counting", countingPlugin), "counting.ts");
			const counted = ["--splitting", undefined].map(async (leftOut) => {
				const binary = await bench.compile(join(examples, "embed/compiled.ts"), leftOut);
				const { lines } = await runToEnd([binary, plugin, "functions", "{}"], dirname(plugin));
				return Number(lines.at(-1));
			});
			const [whole = Number.NaN, parted = Number.NaN] = await Promise.all(counted);
			expect(parted).toBeGreaterThan(0);
			expect(parted / whole).toBeLessThan(1 / 3);
		},
		2 * buildMsMax,
	);
});

describe("the folder of examples", () => {
	test("has a test for each file, and no test is about a file that is gone", async () => {
		const tested = testedExamples(readSources("test/process/examples*.test.ts").values());
		const files = await listExamples();
		const covers = (path: string, file: string) => (path.endsWith("/") ? file.startsWith(path) : file === path);
		expect(files.filter((file) => !tested.some((path) => covers(path, file)))).toEqual([]);
		expect(tested.filter((path) => !files.some((file) => covers(path, file)))).toEqual([]);
		expect(files.length).toBeGreaterThan(12);
	});

	test("says at the head of each file what it shows and how it is run", async () => {
		for (const file of (await listExamples()).filter((path) => path.endsWith(".ts"))) {
			const lines = readText(`examples/${file}`).split("\n");
			const head = lines.slice(
				0,
				lines.findIndex((line) => !line.startsWith("//")),
			);
			const said = head.filter((line) => !line.startsWith("// @")).length;
			expect({ file, said: said >= 2 && said <= 4 }).toEqual({ file, said: true });
			const [path = ""] = /(?:plugins|embed|testing)\/[\w-]+/.exec(file) ?? [];
			expect(head.join("\n")).toMatch(
				new RegExp(`^//\\s+(?:Run it: )?(?:brood|bun) .*examples/(?:${path}|plugins )`, "m"),
			);
		}
	});

	test(
		"gives commands at the heads of its plugins that work as they stand",
		async () => {
			const folder = await bench.write("commands", { "answers.json": '["staging", "a secret", true]' });
			const answers = join(folder, "answers.json");
			const brood = `brood() { "${process.execPath}" "${join(root, "host/cli/main.ts")}" --answers "${answers}" "$@"; }`;
			const heads = [...readSources("examples/plugins/**/*.ts").values()];
			const commands = heads.map((source) => /^\/\/ Run it: (brood .*)$/m.exec(source)?.[1] ?? "exit 1");
			for (const command of commands) {
				const { exitCode, lines } = await runToEnd(["/bin/sh", "-c", `${brood}\n${command}`], root, { HOME: folder });
				expect({ command, exitCode, answered: lines.join("") !== "" }).toEqual({
					command,
					exitCode: 0,
					answered: true,
				});
			}
		},
		commandsMsMax,
	);

	test("takes nothing but types from the API in its plugins", () => {
		for (const [path, source] of readSources("examples/plugins/**/*.ts")) {
			const imports = source.match(/^import .*"(?:@ampcode|brood)\/.*$/gm);
			expect([path, imports]).toEqual([path, ['import type { PluginAPI } from "@ampcode/plugin";']]);
		}
	});

	test("names each of them on its page", async () => {
		const page = readText("examples/README.md");
		expect((await listExamples()).filter((file) => !page.includes(`(${file})`))).toEqual([]);
	});
});

test("the coverage gate reads a path from each call, however it is laid out", () => {
	const call = ["exam", "ple("].join("");
	const source = `${call}"a.ts", "x", run);\n\t${call}\n\t\t"b/",\n\t\t"y",\n);\nconst no = list.${call}path); an${call}"c.ts");`;
	expect(testedExamples([source])).toEqual(["a.ts", "b/"]);
});
