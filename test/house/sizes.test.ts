import { describe, expect, test } from "bun:test";
import { functionsOf } from "./support/functions.ts";
import { sizeLimits, sizeProblems } from "./support/sizes.ts";
import { readSources } from "./support/tree.ts";

test("no file is longer than 300 lines, no function than 70, no example than 60", () => {
	const sources = [...readSources("{runtime,child,host,examples,test}/**/*.ts")];
	expect(sources.flatMap(([path, source]) => sizeProblems(path, source))).toEqual([]);
});

const lines = (count: number) => "\tstep();\n".repeat(count);

describe("the size gate", () => {
	test("sees one line too many", () => {
		expect(sizeProblems("host/a.ts", lines(300))).toEqual([]);
		expect(sizeProblems("host/a.ts", lines(301))).toEqual(["host/a.ts has 301 lines of 300"]);
		expect(sizeProblems("examples/a.ts", lines(60))).toEqual([]);
		expect(sizeProblems("examples/a.ts", lines(61))).toEqual(["examples/a.ts has 61 lines of 60"]);
		expect(sizeProblems("examples/a.test.ts", lines(61))).toEqual([]);
	});

	test.each([
		["function walk(a: string): Promise<{ a: number }> {\n", "}\n", "walk"],
		["export async function* walk<T extends { a: 1 }>({ a }: { a: T }) {\n", "}\n", "walk"],
		["class A {\n#walk(a = {}): asserts a is B {\n", "}\n}\n", "#walk"],
		["class A {\nstatic async walk(): Promise<() => void> {\n", "}\n}\n", "walk"],
		["class A {\nget walk(): A[] | undefined {\n", "}\n}\n", "walk"],
		["class A {\nconstructor() {\n", "}\n}\n", "constructor"],
		["const walk = async (a: string): Promise<void> => {\n", "};\n", "walk"],
		["const walk = (a: string): ((b: string) => void) => {\n", "};\n", "walk"],
		["const table = [\nasync <T>(a: T): Promise<T> => {\n", "},\n];\n", "a function"],
		["const pick = (a: A) =>\n\ta ? f(1) : (b: B): B => {\n", "};\n", "a function"],
		["const table = {\n\twalk: () => {\n", "},\n};\n", "walk"],
		["const table = {\n\twalk() {\n", "},\n};\n", "walk"],
		["run(async () => {\n", "});\n", "a function"],
	])("measures %j", (head, tail, name) => {
		const before = head.split("\n").length - 2;
		const source = (count: number) => head + lines(count) + tail;
		expect(sizeProblems("host/a.ts", source(sizeLimits.function - 2))).toEqual([]);
		expect(sizeProblems("host/a.ts", source(sizeLimits.function - 1))).toEqual([
			`host/a.ts:${before + 1} ${name} has 71 lines of 70`,
		]);
	});

	test("counts what is nested to the outer function", () => {
		const inner = `const inner = () => {\n${lines(30)}};\n`;
		expect(sizeProblems("host/a.ts", `function outer() {\n${inner}${inner}${inner}}\n`)).toEqual([
			"host/a.ts:1 outer has 98 lines of 70",
		]);
	});

	test("lets suites of tests be long, and only them", () => {
		const suite = `describe.skipIf(false)("a", () => {\n${lines(80)}});\n`;
		const cases = `test.each([\n\t[1, "("],\n])("%d", async (n) => {\n${lines(80)}});\n`;
		const helper = `run("a", () => {\n${lines(80)}});\n`;
		expect(sizeProblems("test/a.test.ts", suite + cases)).toEqual([]);
		expect(sizeProblems("test/a.test.ts", helper)).toEqual(["test/a.test.ts:1 a function has 82 lines of 70"]);
		expect(sizeProblems("host/a.ts", suite)).toEqual(["host/a.ts:1 a function has 82 lines of 70"]);
	});
});

describe("the function scanner", () => {
	const names = (source: string) => functionsOf(source).map(({ name }) => name);

	test("takes no block, class, type or call for a function", () => {
		const source = `
			for (const a of list(1)) { if (a) { go(a); } else if (b) { go(b); } }
			while (next()) { switch (kind(a)) { case of(1): { go(1); } } }
			try { go(1); } catch (error) { go(2); }
			class B extends mixin(A) { a = 1; }
			interface C { call(name: string): void; on(): { a: 1 }; }
			const d = a(1) ? f(2) : { g: 3 };
			const e = \`\${f(1)} {\${[{}].map(String)}}\`;
		`;
		expect(names(source)).toEqual([]);
	});

	test("is not misled by brackets in text, comments and patterns", () => {
		const source = [
			"function first(): string {",
			"\tconst open = /[({]\\/(/; // ({[",
			"\tconst half = (total / 2) * (1 / rate); /* { */",
			"\treturn \"{\" + '(' + `{$" + "{open ? `}$" + '{half}` : "`"}(`;',
			"}",
			"const second = () => {};",
		];
		expect(names(source.join("\n"))).toEqual(["first", "second"]);
		expect(functionsOf(source.join("\n")).map((span) => span.lines)).toEqual([5, 1]);
	});

	test("says so when brackets do not match", () => {
		expect(() => functionsOf("const a = 1;\nrun(() => {);\n")).toThrow("A bracket has no partner in line 2");
	});
});
