import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { deep, tally } from "../../support/effort.ts";
import { createDesk, helper, parseLines } from "./support.ts";

const desk = createDesk();
/** A plugin that leaves a file when anything of it runs. */
const traced = (mark: string) =>
	`require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); export default (amp) => { amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => ${JSON.stringify(mark)} }); };`;
const quiet = "export default () => {};";
const file = () => desk.home(".local/state/brood/plugins.json");
const saved = () => JSON.parse(readFileSync(file(), "utf8"));

async function states(...parameters: string[]): Promise<Record<string, string>> {
	const { stdout } = await desk.run([...parameters, "list", "--json"]);
	const plugins: { name: string; state: string }[] = JSON.parse(stdout).plugins;
	return Object.fromEntries(plugins.map(({ name, state }) => [name, state]));
}

test("off keeps a plugin from being started, shown with how to bring it back, and on brings it back", async () => {
	const mark = desk.path("ran");
	await desk.write({ ".brood/plugins/one.ts": traced(mark), ".brood/plugins/two.ts": quiet });
	const off = await desk.run(["off", "one"]);
	expect(off).toMatchObject({ exitCode: 0, stderr: "" });
	expect(off.stdout).toBe("one is off for you in this workspace; brood on one brings it back\n");

	const list = await desk.run(["list"]);
	expect(list.stdout).toMatch(/^one +disabled +- +off; brood on one brings it back +\//m);
	expect(list.stdout).toMatch(/^two +ready /m);
	expect(list).toMatchObject({ exitCode: 0, stderr: "" });
	const [one] = JSON.parse((await desk.run(["list", "--json"])).stdout).plugins;
	expect(one).toMatchObject({ state: "disabled", pid: null, launches: 0, hint: "brood on one switches it on" });
	expect(one).not.toHaveProperty("error");
	expect(one).not.toHaveProperty("process");
	const info = await desk.run(["info", "one"]);
	expect(info.stdout).toMatch(/^one {2}disabled$/m);
	expect(info.stdout).toMatch(/^ {2}off +brood on one switches it on$/m);
	expect(info.exitCode).toBe(0);
	const call = await desk.run(["call", "t"]);
	expect(call.exitCode).toBe(2);
	expect(call.stderr).toContain("hint: It may belong to what is switched off: brood on one");
	// Neither a switch nor any of these commands has run it.
	expect(existsSync(mark)).toBe(false);

	const on = await desk.run(["on", "one"]);
	expect(on.stdout).toBe("one is on for you in this workspace\n");
	expect(await states()).toEqual({ one: "ready", two: "ready" });
	expect(existsSync(mark)).toBe(true);
});

test("a workspace in which all is off starts no process at all", async () => {
	await desk.write({ ".brood/plugins/one.ts": quiet });
	await desk.run(["off", "one"]);
	const { host } = { host: JSON.stringify(new URL("../../../host/index.ts", import.meta.url).pathname) };
	const source = `const { createHost } = await import(${host});
		let spawned = 0;
		const spawn = Bun.spawn;
		Bun.spawn = (...given) => { spawned += 1; return spawn(...given); };
		await using host = await createHost();
		console.log(host.plugins.get("one").state, spawned);
		await host.enable("one");
		console.log(host.plugins.get("one").state, spawned > 0);`;
	const { stdout, stderr } = await desk.run([], { command: [process.execPath, "-e", source] });
	expect({ stdout, stderr }).toEqual({ stdout: "disabled 0\nready true\n", stderr: "" });
});

test("on and off say in JSON what they did, and to say it again changes nothing and is no error", async () => {
	await desk.write({ ".brood/plugins/one.ts": quiet, ".amp/plugins/two/index.ts": quiet });
	const run = async (...parameters: string[]) => {
		const { stdout, exitCode } = await desk.run([...parameters, "--json"]);
		return { exitCode, ...JSON.parse(stdout) };
	};
	const facts = { system: "amp", scope: "project", hides: [] };
	const one = { ...facts, name: "one", path: desk.path(".brood/plugins/one.ts") };
	const two = { ...facts, name: "two", path: desk.path(".amp/plugins/two/index.ts") };
	expect(await run("off", "one", "two", "one")).toEqual({
		exitCode: 0,
		plugins: [
			{ ...one, enabled: false, changed: true },
			{ ...two, enabled: false, changed: true },
		],
		file: file(),
	});
	const before = readFileSync(file(), "utf8");
	expect((await run("off", "amp/two")).plugins).toEqual([{ ...two, enabled: false, changed: false }]);
	expect((await desk.run(["off", "two"])).stdout).toStartWith("two was already off for you in this workspace;");
	expect(readFileSync(file(), "utf8")).toBe(before);
	expect((await run("on", "two")).plugins).toEqual([{ ...two, enabled: true, changed: true }]);
	expect((await run("on", "two")).plugins).toEqual([{ ...two, enabled: true, changed: false }]);
});

test("a name that no plugin has is an error with the one that is meant, and nothing is written", async () => {
	await desk.write({ ".brood/plugins/notes.ts": quiet });
	for (const verb of ["on", "off"]) {
		const { exitCode, stdout, errors } = await desk.run([verb, "notes", "note", "--json"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(errors).toEqual([
			{ error: { code: "plugin_not_found", message: expect.any(String), plugin: "note", hint: 'Is it "notes"?' } },
		]);
	}
	expect((await desk.run(["off", "external/notes"])).exitCode).toBe(2);
	expect((await desk.run(["off"])).stderr).toContain("brood off --help");
	expect(existsSync(file())).toBe(false);
});

test("a plugin of the project is off in its workspace, one of the user in every workspace", async () => {
	const other = desk.path("other");
	await desk.write({
		".brood/plugins/ours.ts": quiet,
		"other/.git/HEAD": "",
		"other/.brood/plugins/ours.ts": quiet,
	});
	mkdirSync(desk.home(".config/brood/plugins"), { recursive: true });
	writeFileSync(desk.home(".config/brood/plugins/mine.ts"), quiet);
	expect((await desk.run(["off", "ours", "mine"])).stdout).toContain("mine is off for you in every workspace;");
	expect(await states()).toEqual({ ours: "disabled", mine: "disabled" });
	expect(await states("--cwd", other)).toEqual({ ours: "ready", mine: "disabled" });
	await desk.run(["on", "mine", "--cwd", other]);
	expect(await states()).toEqual({ ours: "disabled", mine: "ready" });
	// The same folder by another path is the same workspace.
	symlinkSync(desk.path(), desk.home("link"));
	expect(await states("--cwd", desk.home("link"))).toEqual({ ours: "disabled", mine: "ready" });
});

test("what is off keeps its name: a plugin of the user that it hides does not run in its place", async () => {
	await desk.write({ ".brood/plugins/one.ts": quiet });
	mkdirSync(desk.home(".config/brood/plugins"), { recursive: true });
	const hidden = desk.home(".config/brood/plugins/one.ts");
	writeFileSync(hidden, traced(desk.path("ran")));
	expect((await desk.run(["off", "one"])).stderr).toContain(`still hides what has the same name: ${hidden}`);
	const { plugins } = JSON.parse((await desk.run(["list", "--json"])).stdout);
	expect(plugins.map(({ scope, state }: Record<string, string>) => [scope, state])).toEqual([
		["project", "disabled"],
		["user", "shadowed"],
	]);
	expect(existsSync(desk.path("ran"))).toBe(false);
	// Without the project's file it is the user's own that has the name, and that one was never off.
	rmSync(desk.path(".brood/plugins/one.ts"));
	expect(await states()).toEqual({ one: "ready" });
});

test("what -p names always runs, and cannot be switched", async () => {
	await desk.write({ ".brood/plugins/one.ts": quiet, "mine/two.ts": quiet });
	await desk.run(["off", "one"]);
	expect(await states("-p", ".brood/plugins/one.ts")).toEqual({ one: "ready" });
	expect(await states("-p", "mine/two.ts")).toEqual({ two: "ready", one: "disabled" });
	for (const verb of ["on", "off"]) {
		const { exitCode, stderr } = await desk.run(["-p", "mine/two.ts", verb, "two"]);
		expect(exitCode).toBe(2);
		expect(stderr).toContain("what is named always runs");
	}
	expect(saved().plugins).toHaveLength(1);
});

test("a plugin that was removed while it was off stays off when it is back, as a folder too, until it is on again", async () => {
	const source = desk.path(".brood/plugins/one.ts");
	await desk.write({ ".brood/plugins/one.ts": quiet });
	await desk.run(["off", "one"]);
	rmSync(source);
	expect(await states()).toEqual({});
	expect((await desk.run(["off", "one"])).exitCode).toBe(2);
	await desk.write({ ".brood/plugins/one/index.ts": quiet });
	expect(await states()).toEqual({ one: "disabled" });
	rmSync(desk.path(".brood/plugins"), { recursive: true });
	const { exitCode, stdout, stderr } = await desk.run(["on", "one"]);
	expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "one is on for you in this workspace\n" });
	expect(stderr).toContain("not on disk now");
	expect((await desk.run(["on", "one"])).exitCode).toBe(2);
	await desk.write({ ".brood/plugins/one.ts": quiet });
	expect(await states()).toEqual({ one: "ready" });
});

test("a name that a shell or a screen would read in another way is quoted", async () => {
	await desk.write({ ".brood/plugins/o'ne two.ts": quiet, ".brood/plugins/-x.ts": quiet });
	expect((await desk.run(["off", "o'ne two"])).stdout).toContain("brood on -- 'o'\\''ne two' brings it back");
	expect((await desk.run(["off", "--", "-x"])).stdout).toContain("brood on -- '-x' brings it back");
	expect(await states()).toEqual({ "-x": "disabled", "o'ne two": "disabled" });
});

test("a file of states that is broken lets nothing of the places run, is told once, and is never written over", async () => {
	await desk.write({ ".brood/plugins/a.ts": traced(desk.path("ran")), ".brood/plugins/b.ts": quiet, "c.ts": helper });
	mkdirSync(desk.home(".local/state/brood"), { recursive: true });
	writeFileSync(file(), "{ broken");
	const list = await desk.run(["-p", "c.ts", "list"]);
	expect(list.stdout).toMatch(/^c +ready /m);
	expect(list.stdout).toMatch(/^a +disabled +- +- /m);
	expect(list.stderr.match(/cannot be used/g)).toHaveLength(1);
	expect(list.stderr).toContain(`${file()} cannot be used: it is no JSON: line 1, column 3: `);
	expect(list.stderr).toContain("hint: Repair it, or remove it");
	expect(list.exitCode).toBe(3);
	const json = await desk.run(["list", "--json"]);
	expect(JSON.parse(json.stdout).plugins[0]).toMatchObject({ state: "disabled", error: { code: "invalid_state" } });
	expect(json.errors).toMatchObject([{ error: { code: "invalid_state" } }]);
	expect(json.exitCode).toBe(3);
	const call = await desk.run(["-p", "c.ts", "call", "greet", '{"name":"Ada"}', "--json"]);
	expect(call.exitCode).toBe(0);
	expect(parseLines(call.stderr).filter((line) => JSON.stringify(line).includes("cannot be used"))).toHaveLength(1);
	for (const verb of ["on", "off"]) {
		const { exitCode, stdout, stderr } = await desk.run([verb, "a"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
		expect(stderr).toContain(file());
	}
	expect(readFileSync(file(), "utf8")).toBe("{ broken");
	expect(existsSync(desk.path("ran"))).toBe(false);
});

test("where nothing can be kept, off says so and exits with 3", async () => {
	await desk.write({ ".brood/plugins/a.ts": quiet });
	mkdirSync(desk.home("state"));
	writeFileSync(desk.home("state/brood"), "a file in the way");
	for (const XDG_STATE_HOME of [desk.home("state"), "/proc/1"]) {
		const { exitCode, stdout, stderr } = await desk.run(["off", "a"], { env: { XDG_STATE_HOME } });
		expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: "" });
		expect(stderr).toContain("cannot be written");
	}
	const { exitCode, stderr } = await desk.run(["off", "a"], { env: { HOME: "" } });
	expect(stderr).toContain("neither XDG_STATE_HOME nor HOME");
	expect(exitCode).toBe(3);
	expect(await states()).toEqual({ a: "ready" });
});

test("on and off from many terminals at once lose nothing, and leave a file that can be read", async () => {
	const rounds = deep ? 10 : 2;
	const names = ["a", "b", "c", "d"];
	await desk.write(Object.fromEntries(names.map((name) => [`.brood/plugins/${name}.ts`, quiet])));
	for (let round = 0; round < rounds; round++) {
		// Two of them say the same of each plugin; the other plugins must not be lost on the way.
		const wanted = names.map((name, index) => [name, (index + round) % 2 === 0 ? "off" : "on"] as const);
		const ends = await Promise.all([...wanted, ...wanted].map(([name, verb]) => desk.run([verb, name])));
		expect(ends.map(({ exitCode }) => exitCode)).toEqual(Array(8).fill(0));
		const off = saved().plugins.map(({ name }: { name: string }) => name);
		expect(off.sort()).toEqual(wanted.filter(([, verb]) => verb === "off").map(([name]) => name));
		expect(readdirSync(desk.home(".local/state/brood"))).toEqual(["plugins.json"]);
	}
	tally("switches from eight processes at once", rounds * 8);
});
