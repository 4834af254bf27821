import { describe, expect, test } from "bun:test";
import { languageProblems, mentionProblems } from "./support/language.ts";
import { readSources, readText, trackedFiles } from "./support/tree.ts";

test("the sources use the strict part of the language", () => {
	const sources = [...readSources("{runtime,child,host,examples,test}/**/*.ts")];
	expect(sources.flatMap(([path, source]) => languageProblems(path, source))).toEqual([]);
});

test("the repository speaks only of itself", () => {
	const files = trackedFiles();
	expect(files).toContain("package.json");
	expect(files).toContain("runtime/errors.ts");
	expect(files.flatMap((path) => mentionProblems(path, readText(path)))).toEqual([]);
});

describe("the language gate", () => {
	const silenced = (name: string) => `// @${`ts-${name}`}\nlet a = 1;\n`;

	test.each([
		["the type any", "let a: any = 1;"],
		["the type any", "const a = b as any;"],
		["the type any", "function a<T = any>(b: Map<string, any>[]) {}".replace("string, any", "string, 1")],
		["the type any", "type A = { b(c: any[]): void };"],
		["the type any", "type A = Record<string, any>;"],
		["a non-null assertion", "const a = b!;"],
		["a non-null assertion", "go(a()!.b);"],
		["a non-null assertion", "go(a[0]![1]);"],
		["a non-null assertion", "class A { #b!: string; }"],
		["a double cast", "const a = b as unknown as C;"],
		["a double cast", "const a = b as unknown\n\tas C;"],
		["work left over", `// ${"TO"}DO: later`],
		["work left over", `/* ${"FIX"}ME */`],
		["a silenced type error", silenced("ignore")],
		["a silenced type error", silenced("expect-error")],
		["a silenced type error", silenced("nocheck")],
	])("sees %s in %j", (what, source) => {
		for (const room of ["runtime", "child", "host"]) {
			expect(languageProblems(`${room}/a.ts`, `\n${source}`)).toEqual([`${room}/a.ts:2 has ${what}`]);
		}
	});

	test("lets text, comments and words of other meaning be", () => {
		const source = `
			// any of them! "as unknown as" is a bad habit
			const a = "any! as unknown as"; const b = \`any \${a !== b && !c} any!\`; const d = /any!/;
			AbortSignal.any([e]); z.any(); const f = { any: 1, any() {} }; if (g() !== h[0] || !i) j();
			const company: Many = anything as const;
		`;
		expect(languageProblems("host/a.ts", source)).toEqual([]);
	});

	test("allows an expected type error where types are tested, and nowhere else", () => {
		expect(languageProblems("test/types/a.ts", silenced("expect-error"))).toEqual([]);
		expect(languageProblems("test/unit/a.test.ts", silenced("expect-error"))).toHaveLength(1);
		expect(languageProblems("examples/a.ts", silenced("ignore"))).toHaveLength(1);
	});

	test("sees in child/ what bytecode cannot carry", () => {
		const source =
			'const a = import.meta.dir;\nawait go();\nfor await (const b of c) go(b);\nif (a) await import("d");';
		expect(languageProblems("child/a.ts", source)).toEqual([
			"child/a.ts:1 has import.meta",
			"child/a.ts:2 has a top-level await",
			"child/a.ts:3 has a top-level await",
			"child/a.ts:4 has a top-level await",
		]);
		expect(languageProblems("host/a.ts", source)).toEqual([]);
	});

	test("lets functions in child/ await", () => {
		const source = `
			async function a() { await b(); for await (const c of d) e(c); }
			const f = async () => await g(1, 2), h = async (i: J): Promise<K> => { await i; };
			class L { async *#m() { yield await n; } static o = async () => ({ p: await q }); }
			run(async () => (await r) ?? "await"); // await
		`;
		expect(languageProblems("child/a.ts", source)).toEqual([]);
	});
});

describe("the mention gate", () => {
	const slashed = (...segments: string[]) => `/${segments.join("/")}/`;

	test.each([
		`see ${slashed("work")}notes.md`,
		`"${slashed("opt", "b")}bun"`,
		`file://${slashed("tmp", "w")}a`,
		`https://${["registry", "npmjs", "org"].join(".")}/zod`,
		`run ${["clean", "clone"].join("-")} first`,
	])("sees %j", (text) => {
		expect(mentionProblems("README.md", `one\n${text}\n`)).toHaveLength(1);
		expect(mentionProblems("README.md", `one\n${text}\n`)[0]).toStartWith("README.md:2 names ");
	});

	test("lets words and other paths be", () => {
		expect(
			mentionProblems("a.md", "the network/work/flow of /home/ann/work/app, https://bun.sh, npm, ../work/"),
		).toEqual([]);
	});
});
