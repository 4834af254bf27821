import { describe, expect, test } from "bun:test";
import { rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench, type Running } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

async function watched(plugins: Record<string, string>): Promise<Running> {
	const running = await bench.start(plugins);
	await running.host.watch();
	return running;
}

describe("a plugin that is watched", () => {
	test("is live in its new version, and what changed is told", async () => {
		const running = await watched({ one: version("one", 1), two: version("two", 1) });
		const pids = [running.host.plugins.get("one").pid, running.host.plugins.get("two").pid];
		const told = report(running, "one");
		const file = bench.write(
			"one",
			`${version("one", 2)}// more`.replace(
				"};\n// more",
				'amp.registerCommand("go", { title: "Go" }, () => {});\n};\n',
			),
		);
		expect(await told).toMatchObject({
			outcome: "reload",
			files: [file],
			added: ["command go"],
			removed: [],
			changed: [],
		});
		expect(await says(running, "one")).toBe("2");
		expect(running.host.plugins.get("one").pid).not.toBe(pids[0] ?? 0);
		expect(running.host.plugins.get("two").pid).toBe(pids[1] ?? 0);
	});

	test("serves on in its old version while the new one does not load, and the next good save recovers", async () => {
		const running = await watched({ one: version("one", 1) });
		const broken = report(running, "one");
		bench.write("one", "export default (amp) => {");
		const { outcome, error } = await broken;
		expect(outcome).toBe("kept");
		expect(error?.message).toContain("one.ts:1");
		expect(await says(running, "one")).toBe("1");
		const mended = report(running, "one");
		bench.write("one", version("one", 3));
		expect((await mended).outcome).toBe("reload");
		expect(await says(running, "one")).toBe("3");
	});

	test("that never ran starts with the save that mends it", async () => {
		const running = await watched({ one: "export default (amp) => {" });
		const told = report(running, "one");
		bench.write("one", version("one", 1));
		expect(await told).toMatchObject({ outcome: "ready", added: ["tool one"] });
		expect(await says(running, "one")).toBe("1");
	});

	test("that never ran starts when it was mended before anybody watched", async () => {
		const running = await bench.start({ one: "export default (amp) => {" });
		const told = report(running, "one");
		bench.write("one", version("one", 1));
		await running.host.watch();
		expect(await told).toMatchObject({ outcome: "ready", added: ["tool one"] });
	});

	test("is not loaded again by a touch, or by a save of the same text", async () => {
		const running = await watched({ one: version("one", 1), two: version("two", 1) });
		const { pid } = running.host.plugins.get("one");
		const file = bench.write("one", version("one", 1));
		utimesSync(file, new Date(), new Date());
		const told = report(running, "two");
		bench.write("two", version("two", 2));
		await told;
		await Bun.sleep(200);
		expect(running.host.plugins.get("one").pid).toBe(pid ?? 0);
	});
});

describe("what a plugin depends on", () => {
	const importing = (what: string, expression = "text") => `${what}
export default (amp) => {
	amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: async () => String(${expression}) });
};
`;

	test.each([
		[
			"a module beside it",
			"lib/text.ts",
			'import { text } from "./text.ts";',
			(text: string) => `export const text = "${text}";`,
		],
		[
			"a module above its folder",
			"../above.ts",
			'import { text } from "../above.ts";',
			(text: string) => `export const text = "${text}";`,
		],
		["JSON", "lib/data.json", 'import { text } from "./data.json";', (text: string) => JSON.stringify({ text })],
		["a text", "lib/data.txt", 'import text from "./data.txt" with { type: "text" };', (text: string) => text],
	])("%s, reloads it when that changes", async (_, path, statement, content) => {
		const file = join(dirname(bench.write("lib/index.ts", "")), "..", path.replace("../", ""));
		writeFileSync(file, content("a"));
		const running = await watched({ "lib/index.ts": importing(statement) });
		expect(await says(running, "one")).toBe("a");
		const told = report(running, "lib");
		writeFileSync(file, content("b"));
		expect(await told).toMatchObject({ outcome: "reload", files: [file] });
		expect(await says(running, "one")).toBe("b");
	});

	test("may be loaded later, by an import in a call", async () => {
		const index = bench.write("lib/index.ts", "");
		const file = join(dirname(index), "late.ts");
		writeFileSync(file, 'export const text = "a";');
		const running = await watched({ "lib/index.ts": importing("", '(await import("./late.ts")).text') });
		expect(await says(running, "one")).toBe("a");
		const told = report(running, "lib");
		writeFileSync(file, 'export const text = "b";');
		expect(await told).toMatchObject({ outcome: "reload", files: [file] });
		expect(await says(running, "one")).toBe("b");
	});

	test("may be missing: the save that brings it mends the plugin", async () => {
		const running = await watched({ "lib/index.ts": importing('import { text } from "./missing.ts";') });
		const told = report(running, "lib");
		const file = join(
			dirname(bench.write("lib/index.ts", importing('import { text } from "./missing.ts";'))),
			"missing.ts",
		);
		writeFileSync(file, 'export const text = "here";');
		expect(await told).toMatchObject({ outcome: "ready", files: [file] });
		expect(await says(running, "one")).toBe("here");
	});

	test("may be the target of a link", async () => {
		const target = join(dirname(bench.path("x")), "target.ts");
		writeFileSync(target, version("one", 1));
		const link = bench.write("one", "");
		rmSync(link);
		symlinkSync(target, link);
		const running = await watched({});
		const told = report(running, "one");
		writeFileSync(target, version("one", 2));
		await told;
		expect(await says(running, "one")).toBe("2");
	});
});

describe("plugins", () => {
	test("are started when their file appears, and stopped when it goes", async () => {
		const running = await watched({ first: version("first", 1) });
		const { pid } = running.host.plugins.get("first");
		const appeared = report(running, "second");
		const file = bench.write("second", version("second", 1));
		expect(await appeared).toMatchObject({ outcome: "ready", added: ["tool second"] });
		expect(await says(running, "second")).toBe("1");
		const gone = report(running, "second");
		rmSync(file);
		expect(await gone).toMatchObject({ outcome: "removed", removed: ["tool second"] });
		expect(running.host.plugins.list().map(({ name }) => name)).toEqual(["first"]);
		expect(running.host.plugins.get("first").pid).toBe(pid ?? 0);
	});
});
