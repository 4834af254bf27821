import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createBench } from "../support/host.ts";
import { createSite, type Site, skippedByName, statesByName, toolPlugin } from "./modules-support.ts";

const bench = createBench();

/** Writes its name to the case's log when it is loaded, and when a session starts. */
const witness = (name: string) => `import { appendFileSync } from "node:fs";
const log = (o) => appendFileSync(process.env.CASE_LOG, JSON.stringify(o) + "\\n");
export default (amp) => {
	log({ loaded: "${name}" });
	amp.on("session.start", () => log({ session: "${name}" }));
};
`;

/** Below which of the two configuration folders the user's plugins of a test lie. */
const userPlace = (...parts: string[]) => join(process.env.XDG_CONFIG_HOME ?? "", "amp/plugins", ...parts);

test("a plugins folder full of leftovers holds one plugin, and no failure", async () => {
	const site = createSite(bench);
	site.copy("087-files-that-are-not-plugins", ".amp/plugins");
	// What is not kept with the cases.
	site.write({
		".amp/plugins/.DS_Store": "x",
		".amp/plugins/node_modules/x/index.ts": 'throw new Error("node_modules loaded")',
	});
	const running = await site.start([], { places: true });
	expect(statesByName(running)).toEqual({ real: "ready" });
	expect(site.written()).toEqual([{ value: "real" }]);
	const left = readdirSync(site.path(".amp/plugins")).filter((name) => name !== "real.ts");
	expect(Object.keys(skippedByName(running)).sort()).toEqual(left.sort());
	expect(Object.values(skippedByName(running)).every((reason) => reason.length > 0)).toBe(true);
});

test("the order of plugins is that of their names, in whatever order the files were made", async () => {
	const files = ["03-b", "1-a", "20-c", "B-d", "a-e"];
	const orders = [files, files.toReversed(), [2, 4, 0, 3, 1].map((index) => String(files[index]))];
	const appended = await Promise.all(
		orders.map(async (order, index) => {
			const site = createSite(bench, `site${index}`);
			for (const name of order) site.copy(`088-load-order-is-sorted/${name}.ts`, `.amp/plugins/${name}.ts`);
			const { host } = await site.start([], { places: true });
			const { handlers, result } = await host.emit("changes.prompt", { workflow: "ship" });
			return { handlers: handlers.map(({ plugin }) => plugin), result };
		}),
	);
	expect(appended[0]?.handlers).toEqual(["03-b", "1-a", "20-c", "B-d", "a-e"]);
	expect(JSON.stringify(appended[0]?.result)).toMatch(/03-b.*1-a.*20-c.*B-d.*a-e/);
	expect(appended[1]).toEqual(appended[0]);
	expect(appended[2]).toEqual(appended[0]);
});

test("the same plugin through a link, two places and a path of its own is loaded once and hears an event once", async () => {
	const site = createSite(bench);
	site.write({ "real/plugins/one.ts": witness("one"), "real/plugins/two/index.ts": witness("two") });
	site.link(".amp/plugins", "../real/plugins");
	site.link(".brood/plugins/one.ts", "../../real/plugins/one.ts");
	site.link("elsewhere/again", "../real/plugins/two");
	mkdirSync(userPlace(".."), { recursive: true });
	symlinkSync(site.path("real/plugins"), userPlace());
	const running = await site.start(["elsewhere/again", "real/plugins/one.ts"], { places: true });
	await running.host.emit("session.start", {});
	const seen = site.written().map((line) => JSON.stringify(line));
	expect(seen.sort()).toEqual(
		[{ loaded: "one" }, { loaded: "two" }, { session: "one" }, { session: "two" }].map((line) => JSON.stringify(line)),
	);
	// The first path wins and gives the name; every other is told with the one that it equals.
	expect(statesByName(running)).toEqual({ again: "ready", one: "ready" });
	const same = running.host.skipped.filter(({ reason }) => reason.includes("it is the same file as "));
	expect(same.map(({ path }) => path).sort()).toEqual(
		[
			site.path(".amp/plugins/one.ts"),
			site.path(".amp/plugins/two/index.ts"),
			site.path(".brood/plugins/one.ts"),
			userPlace("one.ts"),
			userPlace("two/index.ts"),
		].sort(),
	);
	expect(running.host.skipped).toHaveLength(same.length);
});

describe("a plugin place", () => {
	const linked = (site: Site) => site.write({ "elsewhere/fine.ts": toolPlugin("fine", "'works'") });

	test("may be a link; a link to itself, one that leads nowhere and a file are reported, and nothing else suffers", async () => {
		const site = createSite(bench);
		linked(site);
		site.link(".brood/plugins", "../elsewhere");
		site.link(".amp/plugins", "plugins");
		mkdirSync(userPlace(".."), { recursive: true });
		symlinkSync("nowhere", userPlace());
		const config = String(process.env.XDG_CONFIG_HOME);
		await Bun.write(join(config, "brood/plugins"), "a file");
		const running = await site.start([], { places: true });
		expect((await running.host.tools.call("fine", {})).text).toBe("works");
		expect(running.host.skipped).toEqual([
			{ path: site.path(".amp/plugins"), reason: expect.stringContaining("its links form a loop") },
			{ path: join(config, "brood/plugins"), reason: expect.stringContaining("it is a file, not a directory") },
			{ path: userPlace(), reason: expect.stringContaining("it is a link that leads nowhere") },
		]);
	});

	test("is reported too where the folder that should hold it is a file, a dead link or a loop", async () => {
		const site = createSite(bench);
		site.write({ ".brood": "a file" });
		site.link(".amp", "nowhere");
		const config = String(process.env.XDG_CONFIG_HOME);
		symlinkSync("amp", join(config, "amp"));
		const running = await site.start([], { places: true });
		expect(running.host.plugins.list()).toEqual([]);
		expect(running.host.skipped).toEqual([
			{ path: site.path(".brood/plugins"), reason: expect.stringContaining("is not a directory") },
			{
				path: site.path(".amp/plugins"),
				reason: expect.stringContaining(`${site.path(".amp")} is a link that leads nowhere`),
			},
			{ path: join(config, "amp/plugins"), reason: expect.stringContaining("links form a loop") },
		]);
	});

	test("may hold links that lead to themselves, upwards or nowhere, and what is no file; each is named and none is waited for", async () => {
		const site = createSite(bench);
		linked(site);
		site.link(".amp/plugins/linked.ts", "../../elsewhere/fine.ts");
		site.link(".amp/plugins/self.ts", "self.ts");
		site.link(".amp/plugins/dead.ts", "nowhere.ts");
		site.link(".amp/plugins/up", "..");
		mkdirSync(site.path(".amp/plugins/folder.ts"));
		Bun.spawnSync(["mkfifo", site.path(".amp/plugins/pipe.ts")]);
		const running = await site.start([], { places: true });
		expect(statesByName(running)).toEqual({ linked: "ready" });
		expect(skippedByName(running)).toEqual({
			"dead.ts": expect.stringContaining("it is a link to nowhere.ts, which leads nowhere"),
			"folder.ts": expect.stringContaining("has no index.ts"),
			"pipe.ts": expect.stringContaining("it is a FIFO"),
			"self.ts": expect.stringContaining("links form a loop"),
			up: expect.stringContaining("has no index.ts"),
		});
	});

	test("may hold thousands of folders without a plugin; each is named, and the one plugin runs", async () => {
		const site = createSite(bench);
		for (let index = 0; index < 5_000; index++)
			mkdirSync(site.path(".amp/plugins", `folder-${index}`), { recursive: true });
		site.write({ ".amp/plugins/real.ts": toolPlugin("real", "'works'") });
		const { host } = await site.start([], { places: true });
		expect((await host.tools.call("real", {})).text).toBe("works");
		expect(host.skipped).toHaveLength(5_000);
		expect(host.skipped.filter(({ reason }) => !reason.includes("has no index.ts"))).toEqual([]);
	});

	test("of a project gives its plugins to that project alone", async () => {
		const here = createSite(bench, "here");
		const there = createSite(bench, "there");
		for (const [site, name] of [
			[here, "mine"],
			[there, "theirs"],
		] as const) {
			site.write({ [`.amp/plugins/${name}.ts`]: toolPlugin(name, "amp.system.workspaceRoot.fsPath"), "src/a.ts": "" });
		}
		const hosts = await Promise.all(
			[here, there].map((site) => site.start([], { places: true, cwd: site.path("src") })),
		);
		expect(hosts.map(statesByName)).toEqual([{ mine: "ready" }, { theirs: "ready" }]);
		expect((await hosts[1]?.host.tools.call("theirs", {}))?.text).toBe(there.path());
	});
});

test("of one name in the project's and the user's place one instance runs, the project's; the other is shown", async () => {
	const site = createSite(bench);
	site.write({ ".amp/plugins/same.ts": witness("project") });
	mkdirSync(userPlace(), { recursive: true });
	await Bun.write(userPlace("same.ts"), witness("user"));
	await Bun.write(userPlace("other.ts"), witness("other"));
	const running = await site.start([], { places: true });
	await running.host.emit("session.start", {});
	const shown = running.host.plugins.list().map(({ name, scope, state, pid }) => [name, scope, state, pid !== null]);
	expect(shown).toEqual([
		["same", "project", "ready", true],
		["other", "user", "ready", true],
		["same", "user", "shadowed", false],
	]);
	const seen = site.written().map((line) => Object.values(line)[0]);
	expect(seen.sort()).toEqual(["other", "other", "project", "project"]);
});

test("a plugin that failed stays in the list with its error, and a reload tries it again", async () => {
	const running = await bench.start({
		bad: "export default () => { throw new Error('not yet'); };",
		good: "export default () => {};",
	});
	const { host } = running;
	expect(statesByName(running)).toEqual({ bad: "failed", good: "ready" });
	const first = host.plugins.get("bad").error;
	expect(first?.message).toContain("not yet");
	// Again without a change: told anew, still there.
	const again: unknown = await host.reload("bad").catch((error) => error);
	expect(String(again)).toContain("not yet");
	expect(statesByName(running)).toEqual({ bad: "failed", good: "ready" });
	bench.write("bad", toolPlugin("bad", "'mended'"));
	await host.reload("bad");
	expect(host.plugins.get("bad").state).toBe("ready");
	expect(host.plugins.get("bad").error).toBeUndefined();
	expect((await host.tools.call("bad", {})).text).toBe("mended");
});
