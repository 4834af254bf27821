import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { cliFile } from "../../host/backends/bundle-recall.ts";
import { buildCLI } from "../../host/backends/cli-build.ts";
import { eager, reachFrom } from "./support/graph.ts";
import { readSources, root } from "./support/tree.ts";

/** Minified bytes of brood's own code, which is read before the first command. */
const startBytesMax = 460 * 1024;
/** Whole process of `brood list` on one plugin, in times of bare Bun on an empty file; the goal is 8. */
const ratioMax = 12;
/** Builtins that take milliseconds to load, and what a command that lists plugins must do without. */
const slowBuiltins = ["child_process", "http", "module", "net", "os", "readline", "stream", "tty", "url", "util"];

const sources = readSources("{runtime,child,host}/**/*.ts");
let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "brood-host-budget-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("what looks for the bundle is two small files", () => {
	const { files, packages } = reachFrom(["host/cli/main.ts"], sources, [...eager, "require"]);
	const expected = ["host/backends/bundle-recall.ts", "host/cli/main.ts"];
	expect([...files.keys()].sort()).toEqual(expected);
	expect([...packages.keys()]).toEqual([]);
});

test("what lists plugins loads no slow builtin of Node", () => {
	const { files } = reachFrom(["host/cli/start.ts", "host/cli/commands/list.ts"], sources, eager);
	expect(files.size).toBeGreaterThan(100);
	const slow = new RegExp(`^import (?!type ).*from "node:(?:${slowBuiltins.join("|")})";`, "m");
	expect([...files.keys()].filter((path) => slow.test(sources.get(path) ?? ""))).toEqual([]);
	expect(slow.test('import { isatty } from "node:tty";')).toBe(true);
});

test("the bundle starts with the code of the usual commands and commander alone, within its bytes", async () => {
	const built = await buildCLI(join(root, "host/cli/start.ts"), folder, Date.now() + 10_000);
	const packages = built.sources.flatMap((path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
	expect([...new Set(packages)]).toEqual(["commander"]);
	expect(built.sources.map((path) => relative(root, path))).toContain("host/host.ts");
	// Commander names builtins that brood has no use for; Bun asks no plugin about the names of builtins.
	const text = readFileSync(join(folder, cliFile), "utf8");
	expect(text).toContain('require("events")');
	expect(text).not.toMatch(/require\("(?:node:)?(?:child_process|util)"\)/);
	expect(built.sources.map((path) => relative(root, path))).not.toContain("host/cli/commands/doctor.ts");
	const { size } = statSync(join(folder, cliFile));
	console.log(`command line: ${size} bytes minified before the first command`);
	expect(size).toBeLessThanOrEqual(startBytesMax);
});

test("brood list takes less than so many times of bare Bun", async () => {
	await Bun.write(join(folder, "empty.ts"), "");
	const plugin = 'export default (amp) => void amp.registerCommand("hello", { title: "Hello" }, () => {});\n';
	await Bun.write(join(folder, "plugin.ts"), plugin);
	const list = [join(root, "host/cli/main.ts"), "list", "--no-places", "-p", join(folder, "plugin.ts")];
	// The first leaves a note, the second builds.
	for (let times = 0; times < 3; times += 1) await measure(list);
	const ratios: number[] = [];
	for (let repeat = 0; repeat < 3; repeat += 1) {
		const [bare, listed] = [[] as number[], [] as number[]];
		for (let times = 0; times < 5; times += 1) {
			bare.push(await measure([join(folder, "empty.ts")]));
			listed.push(await measure(list));
		}
		ratios.push(median(listed) / median(bare));
	}
	console.log(`brood list ÷ bare Bun: ${ratios.map((ratio) => ratio.toFixed(1)).join(", ")}`);
	// One that is disturbed says nothing.
	expect(Math.min(...ratios)).toBeLessThanOrEqual(ratioMax);
}, 30_000);

async function measure(parameters: string[]): Promise<number> {
	const begin = performance.now();
	const env = { PATH: process.env.PATH ?? "", HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
	const child = Bun.spawn([process.execPath, ...parameters], {
		cwd: folder,
		env,
		stdio: ["ignore", "ignore", "inherit"],
	});
	if ((await child.exited) !== 0) throw new Error(`${parameters.join(" ")} exited with ${child.exitCode}`);
	return performance.now() - begin;
}

function median(times: number[]): number {
	return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
