import type { BrokenPlugin } from "./support.ts";

/** Plugins whose sources cannot be loaded: mistakes of syntax, imports that lead nowhere. */
export const brokenSources: BrokenPlugin[] = [
	{
		name: "syntax",
		files: { "syntax.ts": lines("export default function (amp) {", "\tconst a = ;", "}") },
		problems: ["error syntax_error import syntax.ts:2:12 Unexpected ;"],
	},
	{
		name: "twice-declared",
		files: {
			"twice-declared.ts": lines(
				"let a = 1;",
				"let a = 2;",
				"const b = 1;",
				"const b = 2;",
				"export default () => {};",
			),
		},
		problems: [
			'error syntax_error import twice-declared.ts:2:5 "a" has already been declared',
			'error syntax_error import twice-declared.ts:4:7 "b" has already been declared',
		],
	},
	{
		name: "unclosed",
		files: { "unclosed.ts": "export default function () {\n" },
		problems: ["error syntax_error import unclosed.ts:1:29 Unexpected end of file"],
	},
	{
		name: "syntax-below",
		files: {
			"syntax-below.ts": lines(
				'import { a } from "./lib/a.ts";',
				'import { b } from "./lib/b.ts";',
				"export default () => [a, b];",
			),
			"lib/a.ts": "export const a = ;\n",
			"lib/b.ts": "export const b = {;\n",
		},
		problems: [
			"error syntax_error import lib/a.ts:1:18 Unexpected ;",
			'error syntax_error import lib/b.ts:1:19 Expected identifier but found ";"',
			'error syntax_error import lib/b.ts:1:20 Expected "}" but found end of file',
		],
	},
	{
		name: "packages",
		files: {
			"packages.ts": lines(
				'import a from "left-out";',
				'import { b } from "@some/where/deep";',
				'import type { C } from "only-a-type";',
				'import fs from "node:fss";',
				"export default () => [a, b, fs];",
			),
		},
		problems: [
			'error missing_package import packages.ts:1:15 the package "left-out" is not installed',
			'error missing_package import packages.ts:2:19 the package "@some/where" is not installed',
			'error missing_package import packages.ts:4:16 there is no built-in module "node:fss"',
		],
		hints: ['"bun add left-out"', '"bun add @some/where"', 'Did you mean "node:fs"?'],
	},
	{
		name: "files",
		files: {
			"files.ts": lines(
				'import { a } from "./helpr.ts";',
				'import b from "./lib/data.json";',
				'import c from "./nowhere/c.ts";',
				"export default () => [a, b, c];",
			),
			"lib/helper.ts": "",
			"helper.ts": "export const a = 1;\n",
		},
		problems: [
			'error missing_file import files.ts:1:19 "./helpr.ts" leads to no file: there is no helpr.ts',
			'error missing_file import files.ts:2:15 "./lib/data.json" leads to no file: there is no lib/data.json',
			'error missing_file import files.ts:3:15 "./nowhere/c.ts" leads to no file: there is no nowhere/c.ts',
		],
		hints: ['Did you mean "./helper.ts"?', "lib holds helper.ts.", "nowhere either."],
	},
	{
		name: "required",
		files: { "required.ts": lines('const a = require("left-out-too");', "export default () => a;") },
		problems: ['error missing_package import required.ts:1:19 the package "left-out-too" is not installed'],
		hints: ['"bun add left-out-too"'],
	},
	{
		name: "package-below",
		files: {
			"package-below.ts": lines(
				'import { a } from "./lib/a.ts";',
				'import b from "left-out";',
				"export default () => [a, b];",
			),
			"lib/a.ts": lines('import c from "also-left-out";', "export const a = c;"),
		},
		problems: [
			'error missing_package import lib/a.ts:1:15 the package "also-left-out" is not installed',
			'error missing_package import package-below.ts:2:15 the package "left-out" is not installed',
		],
		hints: ['"bun add also-left-out"', '"bun add left-out"'],
	},
];

function lines(...rows: string[]): string {
	return `${rows.join("\n")}\n`;
}
