import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, renameSync } from "node:fs";
import { createBench } from "../support/host.ts";
import { createSite, skippedByName, statesByName, toolPlugin } from "./modules-support.ts";

const bench = createBench();

describe("plugins with odd names", () => {
	test("load with #, %, a space and letters beyond ASCII; a question mark is refused with the reason", async () => {
		const site = createSite(bench);
		site.copy("083-awkward-file-names", "plugins");
		const running = await site.start(["plugins"]);
		expect(statesByName(running)).toEqual({
			"hash#1": "ready",
			"percent%20": "ready",
			"query?x=1": "failed",
			"with space": "ready",
			ünï: "ready",
		});
		const words = site.written().map(({ value }) => value);
		expect(words.sort()).toEqual(["hash", "percent", "space", "unicode"]);
		const { error } = running.host.plugins.get("query?x=1");
		expect(error).toMatchObject({ code: "load_failed", stage: "import", hint: "Rename the file or its folder." });
		expect(error?.message).toContain("Bun cannot import a path that contains a question mark or a backslash");
	});

	test("are refused with the reason where Bun can import nothing: a backslash, or a folder with a question mark", async () => {
		const site = createSite(bench);
		const source = "export default () => {};";
		site.write({ "plugins/back\\slash.ts": source, "plugins/why?/index.ts": source, "plugins/fine.ts": source });
		const running = await site.start(["plugins"]);
		expect(statesByName(running)).toEqual({ "back\\slash": "failed", fine: "ready", "why?": "failed" });
		for (const name of ["back\\slash", "why?"]) {
			const { error } = running.host.plugins.get(name);
			expect(error).toMatchObject({ code: "load_failed", stage: "import", hint: "Rename the file or its folder." });
		}
	});

	// Each means something to a shell, a URL, a module resolver, a pattern, a terminal or a command line.
	const odd = [
		`a"b'c`,
		"star*[x]",
		"$HOME",
		"--help",
		"a&b;c|d",
		"$(id)`id`",
		"node:fs",
		"{{name}}<b>",
		"50%",
		" leading and trailing ",
		"two\nlines",
		"tab\there",
		"\u{1f600}",
		"x.y.z",
		"@scope",
		"~",
	];

	test("load whatever the name means elsewhere, know their own path and import what lies beside them", async () => {
		const site = createSite(bench);
		site.write({ "plugins/near.json": '{ "near": true }' });
		for (const [index, name] of odd.entries()) {
			const facts = "JSON.stringify([near.near, import.meta.path, process.argv[2]])";
			site.write({ [`plugins/${name}.ts`]: toolPlugin(`t${index}`, facts, 'import near from "./near.json";') });
		}
		const { host } = await site.start(["plugins"]);
		const said = await Promise.all(odd.map((_, index) => host.tools.call(`t${index}`, {})));
		const paths = odd.map((name) => site.path("plugins", `${name}.ts`));
		expect(said.map(({ text }) => JSON.parse(text))).toEqual(paths.map((path) => [true, path, path]));
		expect(host.plugins.list().map(({ name }) => name)).toEqual(odd.toSorted());
	});
});

describe("names that are equal on a Mac", () => {
	test("never run the wrong file and never look the same: whatever is left out is told with the reason", async () => {
		const site = createSite(bench);
		// On a Mac two of the four files could not lie in the repository.
		site.copy("156-names-equal-on-a-mac/same.ts", "plugins/same.ts");
		const lower = readFileSync(site.path("plugins/same.ts"), "utf8");
		const [composed = ""] = readdirSync(site.copy("156-names-equal-on-a-mac", "kept")).filter(
			(name) => name !== "same.ts",
		);
		const accented = readFileSync(site.path("kept", composed), "utf8");
		site.write({
			"plugins/Same.ts": lower.replace('"lower"', '"upper"').replace('"l"', '"u"'),
			"plugins/caf\u00e9.ts": accented,
			"plugins/cafe\u0301.ts": accented.replaceAll('"nfc"', '"nfd"'),
		});
		// The file system keeps fewer of them; there is nothing to tell apart then.
		if (readdirSync(site.path("plugins")).length < 4) return;
		const running = await site.start(["plugins"]);
		expect(statesByName(running)).toEqual({ "cafe\u0301": "ready" });
		expect((await running.host.tools.call("nfd", {})).text).toBe("nfd");
		expect(skippedByName(running)).toEqual({
			"Same.ts": expect.stringContaining("only the case of its name differs from"),
			"same.ts": expect.stringContaining("only the case of its name differs from"),
			"caf\u00e9.ts": expect.stringContaining("its name cannot be told from that of"),
		});
	});

	test("are told as well where the other one is no plugin, since Bun would import it in place of the plugin", async () => {
		const site = createSite(bench);
		const wrong = 'throw new Error("the wrong file runs");';
		site.write({
			...Object.fromEntries(["a", "b", "c"].map((name) => [`plugins/${name}.ts`, toolPlugin(name, "'right'")])),
			...Object.fromEntries(["A", "B", "C"].map((name) => [`plugins/${name}.TS`, wrong])),
			"plugins/folder/index.ts": toolPlugin("folder", "'right'"),
			"plugins/folder/Index.ts": wrong,
			"plugins/fine.ts": toolPlugin("fine", "'right'"),
		});
		if (readdirSync(site.path("plugins/folder")).length < 2) return;
		const running = await site.start(["plugins"]);
		expect(statesByName(running)).toEqual({ fine: "ready" });
		const reasons = skippedByName(running);
		for (const name of ["a", "b", "c", "index"]) {
			expect(reasons[`${name}.ts`]).toContain("only the case of its name differs from");
		}
		const refusal: unknown = await site.start(["plugins/a.ts"]).catch((error) => error);
		expect(String(refusal)).toContain(`differs from ${site.path("plugins/A.TS")}`);
	});

	test("are two plugins where folders have them, which Bun can tell apart", async () => {
		const site = createSite(bench);
		for (const name of ["Same", "same"]) {
			const near = 'import { near } from "./near.ts";';
			site.write({
				[`plugins/${name}/index.ts`]: toolPlugin(`tool-${name}`, "near", near),
				[`plugins/${name}/near.ts`]: `export const near = "${name}";`,
			});
		}
		if (readdirSync(site.path("plugins")).length < 2) return;
		const running = await site.start(["plugins"]);
		expect(statesByName(running)).toEqual({ Same: "ready", same: "ready" });
		for (const name of ["Same", "same"]) {
			expect((await running.host.tools.call(`tool-${name}`, {})).text).toBe(name);
		}
	});
});

test("spaces and letters beyond ASCII may stand in every path: workspace, places, plugins, their files and arguments", async () => {
	const site = createSite(bench, "my wörk space é");
	const config = bench.path("my config é");
	renameSync(String(process.env.XDG_CONFIG_HOME), config);
	process.env.XDG_CONFIG_HOME = config;
	const script = '#!/bin/sh\nprintf \'%s\\n\' "$1" > "$2"\n';
	const source = `import data from "./da ta é.json";
		import dep from "dép";
		export default async (amp) => {
			await amp.registerSkill({ path: "skills é/good" });
			amp.registerTool({ name: "go", description: "", inputSchema: { type: "object" }, async execute() {
				const root = import.meta.dir;
				const { exitCode } = await amp.$\`\${root + "/bin/s h.sh"} \${root + "/x y"} \${root + "/arg 1.txt"}\`;
				Bun.spawnSync([root + "/bin/s h.sh", root + "/x z", root + "/arg 2.txt"]);
				const settings = await amp.configuration.get();
				return JSON.stringify([data, dep, exitCode, settings, amp.system.workspaceRoot.fsPath, process.cwd()]);
			} });
		};`;
	site.write({
		".amp/plugins/ap 1/index.ts": source,
		".amp/plugins/ap 1/da ta é.json": '"works"',
		".amp/plugins/ap 1/node_modules/dép/index.js": 'export default "by package";',
		".amp/plugins/ap 1/bin/s h.sh": script,
		".amp/plugins/ap 1/skills é/good/SKILL.md": "---\nname: good\ndescription: A small skill.\n---\n",
		"plugins é/one more.ts": toolPlugin("more", "import.meta.file"),
		".brood/settings.json": '{ "of the wörkspace": 1 }',
	});
	await Bun.write(`${config}/brood/settings.json`, '{ "of the user": 2 }');
	await Bun.write(`${config}/amp/plugins/my é.ts`, toolPlugin("mine", "import.meta.file"));
	Bun.spawnSync(["chmod", "+x", site.path(".amp/plugins/ap 1/bin/s h.sh")]);

	const running = await site.start(["plugins é"], { places: true });
	expect(statesByName(running)).toEqual({ "one more": "ready", "ap 1": "ready", "my é": "ready" });
	expect(running.host.skipped).toEqual([]);
	const root = site.path(".amp/plugins/ap 1");
	const settings = { "of the user": 2, "of the wörkspace": 1 };
	const said = (await running.host.tools.call("go", {})).text;
	expect(JSON.parse(said)).toEqual(["works", "by package", 0, settings, site.path(), root]);
	expect(readFileSync(`${root}/arg 1.txt`, "utf8")).toBe(`${root}/x y\n`);
	expect(readFileSync(`${root}/arg 2.txt`, "utf8")).toBe(`${root}/x z\n`);
	expect((await running.host.tools.call("more", {})).text).toBe("one more.ts");
	expect((await running.host.tools.call("mine", {})).text).toBe("my é.ts");
	expect(running.host.skills.list().map(({ item }) => item)).toEqual([
		{ name: "ap 1:good", description: "A small skill.", path: `${root}/skills é/good` },
	]);
});
