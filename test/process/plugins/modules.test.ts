import { expect } from "bun:test";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("require-in-module", "has what require gave it", async ({ load }) => {
	const { call } = await load();
	expect(await call("digest", { text: "abc" })).toStartWith("ba7816bf8f01cfea");
});

sample("strict-in-the-middle", "is read as if the directive were not there", async ({ load }) => {
	const { call, plugin } = await load();
	expect(await call("separator")).toBe("/");
	expect(plugin().description).toContain("directive in the middle");
});

sample("common-js", "is called with amp although it only sets module.exports", async ({ load }) => {
	const { run, told } = await load();
	await run("whoami");
	expect(told()).toEqual(["common-js.js"]);
});

sample("ts-specifiers", "finds the file that its specifier names in full", async ({ load }) => {
	const { host } = await load();
	const { result } = await host.emit("changes.prompt", { workflow: "ship" });
	expect(result).toEqual({ appends: ["Mention the ticket."] });
});

sample("js-specifiers", "finds the .ts files that .js specifiers mean, two deep", async ({ load }) => {
	const { call } = await load();
	expect(await call("count_words", { text: "one two  three" })).toBe("3");
});

sample("tsconfig-paths", "resolves a path of the tsconfig.json in its folder", async ({ load }) => {
	const { run, told } = await load({ answers: ["green"] });
	await run("colour");
	expect(told()).toEqual(["You picked green"]);
});

sample("imports-data", "has JSON, TOML and text as values", async ({ load }) => {
	const { ask } = await load();
	expect(await ask("data")).toEqual({ lead: "Grace", files: 12, prompt: "Review as if you had to keep it." });
});

sample("enums-and-namespaces", "computes with enums, a namespace and parameter properties", async ({ load }) => {
	const { call } = await load();
	expect([await call("gauge", {}), await call("gauge", { high: true })]).toEqual(["Low: 2 points", "High: 20 points"]);
});

sample("using-declaration", "lets go in reverse order at the end of the block", async ({ load }) => {
	const { call } = await load();
	expect(await call("locked")).toBe("work, close, unlock");
});

sample("sqlite-store", "keeps rows from one call to the next", async ({ load }) => {
	const { call } = await load();
	expect([await call("note", { text: "a" }), await call("note", { text: "b" })]).toEqual(["1 notes", "2 notes"]);
});

sample("serves-http", "serves until it is disposed, and gives the host the address", async ({ load }) => {
	const opened: string[] = [];
	const { host, run } = await load({ providers: { system: { open: async (url) => void opened.push(url) } } });
	await run("open-page");
	const [url = ""] = opened;
	expect(await (await fetch(new URL("first", url))).json()).toEqual({ visits: ["/first"] });
	await host.stop();
	await expect(fetch(url)).rejects.toThrow();
});

sample("worker-thread", "counts in its worker, whose output is in the log", async ({ load }) => {
	const { call, logged } = await load();
	expect(await call("primes", { below: 1_000 })).toBe("168");
	await logged("worker-thread", "counted to 1000");
});

sample("finds-siblings", "finds its files by import.meta, and is not the main program", async ({ load }) => {
	const { ask } = await load();
	expect(await ask("siblings")).toEqual({
		prompt: "Be brief.",
		file: "index.ts",
		same: true,
		main: false,
		resolved: "brief.md",
	});
});

sample("linked-file", "has the name of the link, and finds what lies beside the real file", async ({ load, path }) => {
	const { call, plugin } = await load();
	expect(plugin()).toMatchObject({ name: "linked-file", path: path(".amp/plugins/linked-file.ts") });
	expect(await call("team")).toBe("compilers, amp-linked.ts");
});

sample("bare-builtins", "imports by bare names, and runs in the folder of plugins", async ({ load }) => {
	const { ask } = await load();
	expect(await ask("list_folder")).toMatchObject({
		isHere: true,
		above: expect.arrayContaining(["dotfiles", "lib", "plugins", "settings.json"]),
	});
});

sample("npm-package", "uses the package that is installed in its folder", async ({ load }) => {
	const { call } = await load();
	expect(await call("pad", { text: "abc" })).toBe("-----abc");
});

sample("defines-tools", "gets values from the author package, which is installed nowhere", async ({ load }) => {
	const { call, plugin } = await load();
	expect(plugin().tools).toMatchObject([
		{ title: "Rename", transcriptGroup: { active: "Renaming", complete: "Renamed" } },
	]);
	expect(await call("rename", { from: "a", to: "b" })).toBe("a is b now, says acme/small");
});
