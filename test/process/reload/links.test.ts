import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBench, type Running } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

function write(path: string, text: string): string {
	const file = bench.path(path);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
	return file;
}

/** As `ln -sfn` of most systems, or by a rename as deploys do it: at no moment is there no link. */
function point(link: string, target: string): string {
	const path = bench.path(link);
	symlinkSync(target, `${path}.new`);
	renameSync(`${path}.new`, path);
	return path;
}

const lnSfn = (link: string, target: string) => execFileSync("ln", ["-sfn", target, bench.path(link)]);
const removeAndLink = (link: string, target: string) => {
	rmSync(bench.path(link));
	symlinkSync(target, bench.path(link));
};
const switches: [string, (link: string, target: string) => unknown][] = [
	["by ln -sfn", lnSfn],
	["by a rename", point],
	["by removing it and linking anew", removeAndLink],
];

async function watching(plugin: string): Promise<Running> {
	const running = await bench.start({}, { plugins: [plugin] });
	await running.host.watch();
	return running;
}

const importing = (specifier: string) => `import { text } from "${specifier}";
export default (amp) => amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: () => text });
`;

describe.each(switches)("a link that is switched %s reloads the plugin", (_, switchTo) => {
	test("whose folder it is, each time, and what lies behind it now is what is watched", async () => {
		write("v1/index.ts", version("one", 1));
		const file = write("v2/index.ts", version("one", 2));
		const running = await watching(point("current", "v1"));
		for (const number of [2, 1, 2]) {
			const told = report(running, "current");
			switchTo("current", `v${number}`);
			expect((await told).outcome).toBe("reload");
			expect(await says(running, "one")).toBe(String(number));
		}
		const told = report(running, "current");
		writeFileSync(file, version("one", 3));
		expect((await told).outcome).toBe("reload");
		expect(await says(running, "one")).toBe("3");
	});

	test("whose file it is", async () => {
		write("v1.ts", version("one", 1));
		write("v2.ts", version("one", 2));
		const running = await watching(point("one.ts", "v1.ts"));
		const told = report(running, "one");
		switchTo("one.ts", "v2.ts");
		expect((await told).outcome).toBe("reload");
		expect(await says(running, "one")).toBe("2");
	});

	test("that lies in a folder behind it, through another link, with the same text in its first file", async () => {
		for (const number of [1, 2]) {
			write(`v${number}/plugins/one.ts`, importing("../text.ts"));
			write(`v${number}/text.ts`, `export const text = "${number}";`);
		}
		point("stable", "v1");
		const running = await watching(join(point("current", "stable"), "plugins/one.ts"));
		const told = report(running, "one");
		switchTo("stable", "v2");
		expect((await told).outcome).toBe("reload");
		expect(await says(running, "one")).toBe("2");
	});

	test("that imports a folder by it, and then what lies in that folder", async () => {
		for (const number of [1, 2]) write(`v${number}/index.ts`, `export const text = "${number}";`);
		point("lib", "v1");
		const running = await watching(write("one.ts", importing("./lib")));
		const told = report(running, "one");
		switchTo("lib", "v2");
		expect((await told).outcome).toBe("reload");
		expect(await says(running, "one")).toBe("2");
		const second = report(running, "one");
		write("v2/index.ts", 'export const text = "3";');
		await second;
		expect(await says(running, "one")).toBe("3");
	});
});

test("a link that leads nowhere for the moment has its plugin again once that is there", async () => {
	write("v1/index.ts", version("one", 1));
	const running = await watching(point("current", "v1"));
	const gone = report(running, "current");
	point("current", "v2");
	expect((await gone).outcome).toBe("removed");
	const back = report(running, "current");
	write("v2/index.ts", version("one", 2));
	expect((await back).outcome).toBe("ready");
	expect(await says(running, "one")).toBe("2");
});

test("a link that a folder takes the place of, and the other way round, reloads the plugin", async () => {
	write("v1/index.ts", version("one", 1));
	const running = await watching(point("current", "v1"));
	const told = report(running, "current");
	rmSync(bench.path("current"));
	write("current/index.ts", version("one", 2));
	await told;
	expect(await says(running, "one")).toBe("2");
	const edited = report(running, "current");
	write("current/index.ts", version("one", 3));
	await edited;
	expect(await says(running, "one")).toBe("3");
	const back = report(running, "current");
	rmSync(bench.path("current"), { recursive: true });
	symlinkSync("v1", bench.path("current"));
	await back;
	expect(await says(running, "one")).toBe("1");
});

test("a place that is a link leads to the plugins of the folder that it is switched to", async () => {
	const cwd = bench.path("workspace");
	mkdirSync(join(cwd, ".git"), { recursive: true });
	write("v1/one.ts", version("one", 1));
	write("v2/one.ts", version("one", 2));
	write("v2/two.ts", version("two", 2));
	mkdirSync(join(cwd, ".brood"));
	point("workspace/.brood/plugins", bench.path("v1"));
	const running = await bench.start({}, { plugins: [], places: true, cwd });
	await running.host.watch();
	const told = Promise.all([report(running, "one"), report(running, "two")]);
	point("workspace/.brood/plugins", bench.path("v2"));
	expect((await told).map(({ outcome }) => outcome)).toEqual(["reload", "ready"]);
	expect(await says(running, "one")).toBe("2");
	const third = report(running, "three");
	write("v2/three.ts", version("three", 3));
	expect((await third).outcome).toBe("ready");
});
