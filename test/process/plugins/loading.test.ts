import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("spawns-before-export", "has the output of the program that it ran at top level", async ({ load }) => {
	const { call, logged } = await load();
	expect(await call("current_branch")).toBe("main");
	await logged("spawns-before-export", "noise");
});

sample("optional-file-at-load", "is ready without the file, and uses it where there is one", async ({ load, path }) => {
	const { host } = await load();
	expect((await host.emit("agent.start", { message: "go" })).result).toBeNull();
	writeFileSync(path(".amp/plugins/rules.txt"), "no force\nno tabs\n");
	await host.reload("optional-file-at-load");
	const { result } = await host.emit("agent.start", { message: "go" });
	expect(result).toMatchObject({ messages: [{ content: "Rules: no force; no tabs" }] });
});

sample("defaulted-second-parameter", "gets one argument and keeps its default", async ({ load }) => {
	const { call } = await load();
	expect(await call("which_clock")).toBe("the real clock, 1 argument");
});

sample("returns-a-cleanup", "runs on, and nobody calls what it returned", async ({ load }) => {
	const { call } = await load();
	expect(await call("cleaned")).toBe("cleaned 0 times");
});

sample("skills-in-a-loop", "has both skills by the time that it is ready, with their files", async ({ load }) => {
	const { host, plugin, logged } = await load();
	expect(plugin().skills.map(({ name, description }) => [name, description])).toEqual([
		["skills-in-a-loop:commit-style", "How commit messages are written here"],
		["skills-in-a-loop:release-notes", "Writes the notes of a release"],
	]);
	expect(host.skills.list().map(({ item }) => item.name)).toHaveLength(2);
	await logged("skills-in-a-loop", "registered 2 skills");
});

sample("awaits-configuration", "registers the command that the settings of the workspace name", async ({ load }) => {
	const { plugin, run, told } = await load();
	expect(plugin().commands.map(({ id, title }) => [id, title])).toEqual([["open-tortoise", "Open sprint tortoise"]]);
	await run("open-tortoise");
	expect(told()).toEqual(["tortoise"]);
});

sample("extra-exports", "works by its default export, whatever else it exports", async ({ load }) => {
	const { call, plugin } = await load();
	expect(await call("shout", { text: "hi" })).toBe("HI!");
	expect(plugin().description).toBe("Exports its parts by name too, for the tests of its author");
});

sample("returns-early", "is active with nothing, and with its command where the variable is set", async ({ load }) => {
	expect((await load()).plugin()).toMatchObject({ state: "ready", commands: [], tools: [], events: [] });
	const { plugin } = await load({ variables: { RETURNS_EARLY_ENABLED: "1" } });
	expect(plugin().commands).toMatchObject([{ id: "enabled" }]);
});

sample("registers-late", "has its tool as soon as it registers it, be it after it was ready", async ({ load }) => {
	const { host, until, call } = await load();
	if (host.tools.list().length === 0) await until("registry", () => host.tools.list().length > 0);
	expect(await call("own_lines")).toMatch(/^\d\d lines$/);
});

sample("reexported-default", "runs the function that another of its files exports", async ({ load }) => {
	const { run, told, plugin } = await load();
	await run("reexported");
	expect(told()).toEqual(["it runs"]);
	expect(plugin().description).toBe("Has its default export from another file");
});

sample("beside-its-folder", "is the file, and reads from the folder of its name", async ({ load, path }) => {
	const { call, plugin } = await load();
	expect(plugin().path).toBe(path(".amp/plugins/beside-its-folder.ts"));
	expect(await call("word_of_the_day")).toBe("tortoise");
});

sample("shared-library", "imports from beside the folder of plugins, without naming the suffix", async ({ load }) => {
	const { run, told } = await load();
	await run("greet");
	expect(told()).toEqual(["Good morning, stranger"]);
});

sample("inner-library", "imports from a folder among the plugins", async ({ load }) => {
	const { call } = await load();
	expect(await call("bold", { text: "now" })).toBe("**now**");
});
