import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createBench, type EventOf, type Running } from "../support/host.ts";
import { held, heldInTheEnd } from "./held.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

function write(file: string, text: string): string {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
	return file;
}

const reloads = ({ events }: Running) =>
	events.filter((event): event is EventOf<"reload"> => event.type === "reload").map(({ report }) => report);

const count = 500;

/** One module that imports another, and so on; the tool tells the text of each that it is asked for. */
function writeGraph(): string[] {
	const files = Array.from({ length: count }, (_, at) => bench.path(`graph/folder-${at % 20}/module-${at}.ts`));
	files.forEach((file, at) => void write(file, module(at, "old")));
	const imports = files.map((file, at) => `import { text as text${at} } from "${file}";`).join("\n");
	bench.write(
		"one",
		`${imports}
export default (amp) => amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" },
	execute: () => [${files.map((_, at) => `text${at}`)}].join() });`,
	);
	return files;
}

function module(at: number, text: string): string {
	return `export const text = "${at} ${text}";\n`;
}

test("of five hundred modules in twenty folders the last is as live as the first, and a change of branches is one reload or a few", async () => {
	const files = writeGraph();
	const running = await bench.start({});
	await (await running.host.watch()).stop();
	const before = held();
	const watch = await running.host.watch();
	const told = report(running, "one");
	writeFileSync(files[count - 1] ?? "", module(count - 1, "new"));
	expect((await told).files).toEqual([files[count - 1] ?? ""]);
	expect(await says(running, "one")).toEndWith("499 new");

	const past = reloads(running).length;
	const branch = files.slice(0, 200);
	for (const [at, file] of branch.entries()) {
		const text = module(at, "branch");
		writeFileSync(file, text.slice(0, 12));
		if (at % 20 === 0) await pause(30);
		writeFileSync(file, text);
	}
	const isLive = async () => (await says(running, "one")).split(" branch").length === branch.length + 1;
	while (!(await isLive())) await report(running, "one");
	expect(reloads(running).length - past).toBeLessThanOrEqual(4);
	expect(held().watches).toBeGreaterThanOrEqual(before.watches + 20);
	await watch.stop();
	expect(await heldInTheEnd(before)).toEqual(before);
});

test("of a hundred plugins a save reloads one, a save of what three share those three, and all are let go of in the end", async () => {
	const shared = write(bench.path("shared.ts"), "export const text = 1;");
	for (let at = 0; at < 100; at += 1) bench.write(`plugin-${at}`, version(`tool-${at}`, 1));
	const sharing = ["plugin-7", "plugin-50", "plugin-99"];
	for (const plugin of sharing) bench.write(plugin, `import "${shared}";\n${version(plugin, 1)}`);
	const running = await bench.start({});
	await (await running.host.watch()).stop();
	const before = held();
	const watch = await running.host.watch();
	const one = report(running, "plugin-42");
	bench.write("plugin-42", version("tool-42", 2));
	await one;
	expect(await says(running, "tool-42")).toBe("2");
	expect(reloads(running).map(({ plugin }) => plugin)).toEqual(["plugin-42"]);

	const three = Promise.all(sharing.map((plugin) => report(running, plugin)));
	writeFileSync(shared, "export const text = 2;");
	expect((await three).map(({ outcome, files }) => [outcome, files])).toEqual(sharing.map(() => ["reload", [shared]]));
	expect(reloads(running)).toHaveLength(4);
	expect(held().watches).toBeGreaterThanOrEqual(before.watches + 2);
	await watch.stop();
	expect(await heldInTheEnd(before)).toEqual(before);
});

test("fifty plugins behind a link that is switched are reloaded, each once", async () => {
	const names = Array.from({ length: 50 }, (_, at) => `plugin-${at}`);
	for (const number of [1, 2]) {
		for (const name of names) write(bench.path(`v${number}/${name}.ts`), version(name, number));
	}
	const link = bench.path("current");
	symlinkSync("v1", link);
	const running = await bench.start({}, { plugins: [link] });
	await running.host.watch();
	const told = Promise.all(names.map((name) => report(running, name)));
	symlinkSync("v2", `${link}.new`);
	renameSync(`${link}.new`, link);
	expect(new Set((await told).map(({ outcome }) => outcome))).toEqual(new Set(["reload"]));
	expect(new Set(await Promise.all(names.map((name) => says(running, name))))).toEqual(new Set(["2"]));
	const last = report(running, "plugin-49");
	write(bench.path("v2/plugin-49.ts"), version("plugin-49", 3));
	await last;
	expect(await says(running, "plugin-49")).toBe("3");
	expect(reloads(running)).toHaveLength(names.length + 1);
});

test("modules that are deleted while they load, or while their plugin is being read, are awaited", async () => {
	const modules = Array.from({ length: 20 }, (_, at) => bench.path(`gone/folder-${at % 5}/module-${at}.ts`));
	modules.forEach((file, at) => void write(file, module(at, "old")));
	const imports = modules.map((file) => `import "${file}";`).join("\n");
	const running = await bench.start({ one: `${imports}\n${version("one", 1)}` });
	await running.host.watch();
	const kept = report(running, "one");
	bench.write("one", `${imports}\n${version("one", 2)}`);
	rmSync(bench.path("gone"), { recursive: true });
	expect((await kept).outcome).toBe("kept");
	expect(await says(running, "one")).toBe("1");
	const back = running.next("reload", ({ report }) => report.outcome === "reload");
	modules.forEach((file, at) => void write(file, module(at, "new")));
	await back;
	expect(await says(running, "one")).toBe("2");
	const again = report(running, "one");
	write(modules[19] ?? "", `${module(19, "newer")}// edited`);
	expect((await again).files).toEqual([join(dirname(modules[19] ?? ""), "module-19.ts")]);
});
