import { expect, test } from "bun:test";
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench, type Running } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

/** A host that looks into the places of an empty workspace and an empty home. */
async function inPlaces(): Promise<{ running: Running; project: string; user: string }> {
	const root = dirname(dirname(bench.path("x")));
	const cwd = join(root, "workspace");
	mkdirSync(join(cwd, ".git"), { recursive: true });
	const running = await bench.start({}, { plugins: [], places: true, cwd });
	await running.host.watch();
	return { running, project: join(cwd, ".brood/plugins"), user: join(root, "config/brood/plugins") };
}

function write(file: string, text: string): string {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
	return file;
}

const known = ({ host }: Running) => host.plugins.list().map(({ name, scope, state }) => `${name} ${scope} ${state}`);

test("places may come after the host: folders and files made at once are seen", async () => {
	const { running, project } = await inPlaces();
	const told = Promise.all([report(running, "folder"), report(running, "file")]);
	write(join(project, "folder/index.ts"), version("folder", 1));
	write(join(project, "file.ts"), version("file", 1));
	expect((await told).map(({ outcome }) => outcome)).toEqual(["ready", "ready"]);
	expect(await says(running, "folder")).toBe("1");
});

test("one that a better place hides waits, and serves once that one is gone", async () => {
	const { running, project, user } = await inPlaces();
	const first = report(running, "one");
	write(join(user, "one.ts"), version("user", 1));
	expect((await first).added).toEqual(["tool user"]);
	const removed = running.next("reload", ({ report: { outcome } }) => outcome === "removed");
	const second = running.next("reload", ({ report: { outcome, added } }) => outcome === "ready" && added.length === 1);
	const better = write(join(project, "one.ts"), version("project", 1));
	expect((await removed).report.removed).toEqual(["tool user"]);
	expect((await second).report.added).toEqual(["tool project"]);
	expect(known(running)).toEqual(["one project ready", "one user shadowed"]);
	const back = running.next("reload", ({ report: { outcome } }) => outcome === "ready");
	rmSync(better);
	expect((await back).report.added).toEqual(["tool user"]);
	expect(known(running)).toEqual(["one user ready"]);
});

test("a folder that is swapped for another one is one reload, with the new code", async () => {
	const { running, project } = await inPlaces();
	const first = report(running, "one");
	const file = write(join(project, "one/index.ts"), version("one", 1));
	await first;
	const folder = dirname(file);
	cpSync(folder, join(project, ".next"), { recursive: true });
	writeFileSync(join(project, ".next/index.ts"), version("one", 2));
	const told = report(running, "one");
	renameSync(folder, join(project, "../old"));
	renameSync(join(project, ".next"), folder);
	expect((await told).outcome).toBe("reload");
	expect(await says(running, "one")).toBe("2");
	expect(running.events.filter(({ type }) => type === "reload")).toHaveLength(2);
});

test("places that are removed take their plugins along, and bring them back", async () => {
	const { running, project } = await inPlaces();
	const first = report(running, "one");
	write(join(project, "one/index.ts"), version("one", 1));
	await first;
	const gone = report(running, "one");
	rmSync(dirname(project), { recursive: true });
	expect((await gone).outcome).toBe("removed");
	expect(known(running)).toEqual([]);
	const back = report(running, "one");
	write(join(project, "one/index.ts"), version("one", 3));
	expect((await back).outcome).toBe("ready");
	expect(await says(running, "one")).toBe("3");
});

test("a plugin that was named goes and comes back by its name, and no other file beside it counts", async () => {
	const file = bench.write("one", version("one", 1));
	const running = await bench.start({}, { plugins: [file] });
	await running.host.watch();
	const gone = report(running, "one");
	rmSync(file);
	expect((await gone).outcome).toBe("removed");
	bench.write("two", version("two", 1));
	const back = report(running, "one");
	bench.write("one", version("one", 2));
	expect((await back).outcome).toBe("ready");
	expect(known(running)).toEqual(["one explicit ready"]);
});

/** Puts a folder with an index in the place of a plugin that is a file, a file in the place of that, and so on; each is edited once. */
async function takeTurns(running: Running, file: string): Promise<void> {
	const next = (wanted: string) => running.next("reload", ({ report: { outcome } }) => outcome === wanted);
	for (const [at, path] of [join(file, "index.ts"), file, join(file, "index.ts")].entries()) {
		const told = Promise.all([next("removed"), next("ready")]);
		rmSync(file, { recursive: true });
		write(path, version("one", `new ${at}`));
		await told;
		const edited = next("reload");
		writeFileSync(path, version("one", `edited ${at}`));
		await edited;
		expect(await says(running, "one")).toBe(`edited ${at}`);
	}
}

test("a file in whose place a folder of its name comes, and the other way round, is that plugin, whose edits count", async () => {
	const { running, project } = await inPlaces();
	const first = report(running, "one");
	const file = write(join(project, "one.ts"), version("one", 1));
	await first;
	await takeTurns(running, file);
});

test("a named file in whose place a folder of its name comes, and the other way round, is that plugin, whose edits count", async () => {
	const file = bench.write("one", version("one", 1));
	const running = await bench.start({}, { plugins: [file] });
	await running.host.watch();
	await takeTurns(running, file);
});

test("a module that a folder takes the place of, and the other way round, goes on to be watched", async () => {
	const { running, project } = await inPlaces();
	const module = write(join(project, "one/lib.ts"), "export default 1;");
	const first = report(running, "one");
	write(join(project, "one/index.ts"), `import n from "./lib.ts";${version("one", 0).replace('"0"', "String(n)")}`);
	await first;
	for (const [at, path] of [join(module, "index.ts"), module].entries()) {
		for (const number of [2 * at + 2, 2 * at + 3]) {
			const told = running.next("reload", ({ report: { outcome } }) => outcome === "reload");
			if (number === 2 * at + 2) rmSync(module, { recursive: true });
			write(path, `export default ${number};`);
			await told;
			expect(await says(running, "one")).toBe(String(number));
		}
	}
});
