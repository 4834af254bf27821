import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createDesk, helper, type Outcome } from "./support.ts";

const desk = createDesk();

/** What two runs of the same plugins have in common: not their processes, nor their milliseconds. */
function comparable({ exitCode, stdout, stderr }: Outcome) {
	const same = (text: string) =>
		text
			.replace(
				/"(?:pid|ms|launches|found|spawned|clientInfo|imported|activated|registered|ready|published)":[\d.]+/g,
				'"n":0',
			)
			.replace(/"time":"[^"]*"/g, '"time":""')
			.replace(/\bpid +\d+/g, "pid")
			.replace(/[\d.:]+ ms|\d\d:\d\d:\d\d\.\d+/g, "n")
			.replace(/ +/g, " ");
	return { exitCode, stdout: same(stdout), stderr: same(stderr) };
}

const pairs: [words: string[], command: string[]][] = [
	[["get", "plugin", "list"], ["list"]],
	[
		["get", "plugin", "list", "--all"],
		["list", "--all"],
	],
	[
		["get", "plugin", "info", "helper"],
		["info", "helper"],
	],
	[
		["get", "plugin", "info", "nobody"],
		["info", "nobody"],
	],
	[
		["set", "plugin", "settings", "helper", "a=1", "b=x"],
		["settings", "helper", "a=1", "b=x"],
	],
	[["get", "plugin", "settings", "helper"], ["settings"]],
	[
		["get", "plugin", "settings", "helper", "a"],
		["settings", "helper", "a"],
	],
	[
		["get", "plugin", "settings", "helper", "nothing"],
		["settings", "nothing"],
	],
	[
		["set", "plugin", "off", "helper"],
		["off", "helper"],
	],
	[
		["set", "plugin", "off", "nobody"],
		["off", "nobody"],
	],
	[["get", "plugin", "list"], ["list"]],
	[
		["set", "plugin", "on", "helper"],
		["on", "helper"],
	],
];

test.each([false, true])("get plugin and set plugin do what the commands do, with JSON: %p", async (json) => {
	await desk.write({ ".brood/plugins/helper.ts": helper, ".brood/plugins/note.txt": "" });
	const more = json ? ["--json"] : [];
	const run = async (which: 0 | 1) => {
		const ends = [];
		for (const pair of pairs) ends.push(comparable(await desk.run([...pair[which], ...more])));
		return ends;
	};
	const words = await run(0);
	rmSync(desk.home(".local"), { recursive: true });
	rmSync(desk.path(".brood/settings.json"));
	expect(words).toEqual(await run(1));
	expect(words.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 0, 0]);
});

test("get plugin list exits with 4 when a plugin failed to load, unless that does not matter", async () => {
	await desk.write({ ".brood/plugins/broken.ts": "export default (amp) => { const a = ; }" });
	expect((await desk.run(["get", "plugin", "list"])).exitCode).toBe(4);
	expect((await desk.run(["get", "plugin", "list", "--allow-failed"])).exitCode).toBe(0);
});

test("a key after get is read as it is, and a word after set needs a value", async () => {
	await desk.write({ ".brood/plugins/helper.ts": helper, ".brood/settings.json": '{ "a=b": 1 }' });
	expect((await desk.run(["get", "plugin", "settings", "helper", "a=b"])).stdout).toBe("1\n");
	const { exitCode, stderr } = await desk.run(["set", "plugin", "settings", "helper", "a"]);
	expect(exitCode).toBe(2);
	expect(stderr).toContain('"a" has no "="');
});

test("a word that is missing, or one too many, is told with what may stand there", async () => {
	const told = async (...parameters: string[]) => {
		const { exitCode, stderr } = await desk.run(parameters);
		return `${exitCode} ${stderr}`;
	};
	expect(await told("get")).toContain("2 error: A word is missing after brood get: plugin.");
	expect(await told("set", "plugin")).toContain(
		"2 error: A word is missing after brood set plugin: on, off, settings.",
	);
	expect(await told("set", "plugin")).toContain("hint: See brood set plugin --help.");
	expect(await told("get", "plugin", "lst")).toContain("2 error: Unknown command 'lst'.");
	expect(await told("set", "plugin", "on")).toContain("hint: See brood set plugin on --help.");
	expect(await told("get", "plugin", "info", "--nope", "a")).toContain("2 error: Unknown option '--nope'.");
	expect((await desk.run(["get", "plugin", "--help"])).stdout).toContain("info");
});
