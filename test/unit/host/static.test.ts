import { describe, expect, test } from "bun:test";
import { scan } from "../../../host/sources/scan.ts";
import { readStatic } from "../../../host/sources/static.ts";

const read = (text: string) => readStatic(text, "hello.ts");
const describeIt = (text: string) => read(text).description;

describe("the description", () => {
	test.each([
		['export const description = "plain";', "plain"],
		["export const description = 'single'", "single"],
		["export const description = `tick`\n", "tick"],
		["export const description =\n\t'on the next line'\nexport default 1", "on the next line"],
		['export const description: string = "typed";', "typed"],
		['export const description = "constant" as const;', "constant"],
		['export const description = "checked" satisfies string', "checked"],
		['export const description = "first", other = 2', "first"],
		['export /* why */ const // not\n description = /* "no" */ "commented"', "commented"],
		['#!/usr/bin/env bun\n"use strict"\nexport const description = "late"', "late"],
		['export const description = "a"\n@decorated class X {}', "a"],
		['export const description = "";', ""],
	])("of %j is found", (text, expected) => {
		expect(describeIt(text)).toBe(expected);
		expect(read(text).warnings).toEqual([]);
	});

	test("has its escapes decoded", () => {
		const text = String.raw`export const description = "tab\t \"q\" \x41\u0042\u{1F600} \U \
end"`;
		expect(describeIt(text)).toBe('tab\t "q" AB😀 U end');
		expect(describeIt(`export const description = \`a\r\nb \\\` \\\${x}\``)).toBe(`a\nb \` \${x}`);
	});

	test("is not taken from comments, strings, templates, regular expressions or inner scopes", () => {
		const lure = 'export const description = "lure"';
		for (const text of [
			`// ${lure}`,
			`/* ${lure} */`,
			`const a = '${lure}'`,
			`const a = \`\n${lure}\n\``,
			`const a = \`\${\`\n${lure}\n\`}\n${lure}\n\``,
			`const a = /\`/; const b = \`\n${lure}\n\``,
			`namespace Inner {\n${lure}\n}`,
			'const description = "private"',
			'export const descriptions = "other name"',
			"export { other, description as about }; export type { Description }",
			"export interface description {}",
		]) {
			expect(read(text)).toEqual({ announcedModes: [], warnings: [] });
		}
	});

	test("is found after code that looks like quotes", () => {
		for (const before of [
			"const a = /[\"'`/]/g",
			"const a = 4 / 2 / 1; const b = '/'",
			"const a = x => /'/.test(x)",
			"function f() { return /`/ }",
			`const a = \`\${\`\${{ a: '}' }}\`}\``,
			"const view = <p>it's ok</p>",
			"const view = (<p>one) <b></b><i></i></p>)",
			"const a = b! / 2",
		]) {
			expect(describeIt(`${before}\nexport const description = "found"`)).toBe("found");
		}
	});

	test.each([
		'export const description = "a" + "b"',
		'export const description = "a"\n\t+ "b"',
		`export const description = \`a \${b}\``,
		"export const description = tag`a`",
		"export const description = name",
		'export const description = "a".trim()',
		'export let description = "a"',
		"export function description() {}",
		"export async function description() {}",
		'const description = "a"; export { description }',
		'export const description = "cut off',
		"export const description = `cut off",
		"export const description",
	])("of %j is ignored with a warning", (text) => {
		const facts = read(`\n${text}`);
		expect(facts.description).toBeUndefined();
		expect(facts.warnings).toEqual([expect.stringMatching(/^hello\.ts:2: the description is ignored: it must be/)]);
	});

	test("may have 300 characters and not one more", () => {
		expect(describeIt(`export const description = "${"😀".repeat(300)}"`)).toBe("😀".repeat(300));
		const facts = read(`export const description = "${"x".repeat(301)}"`);
		expect(facts.description).toBeUndefined();
		expect(facts.warnings).toEqual([expect.stringContaining("it has 301 characters, and 300 are allowed")]);
	});
});

describe("mode comments", () => {
	test("are read with their lines, several of them", () => {
		const text =
			'// @amp-agent-mode {"key":"a","label":"A"}\r\ncode()\r\nmore() //@amp-agent-mode { "label": "B", "key": "b" }';
		expect(read(text)).toEqual({
			announcedModes: [
				{ key: "a", label: "A", line: 1 },
				{ key: "b", label: "B", line: 3 },
			],
			warnings: [],
		});
	});

	test("that cannot be read are warnings with the line", () => {
		for (const rest of [
			"",
			"not json at all",
			'{"key":"a"}',
			'{"key":1,"label":"A"}',
			'{"key":"","label":"A"}',
			"null",
		]) {
			const facts = read(`\n\n// @amp-agent-mode ${rest}`);
			expect(facts.announcedModes).toEqual([]);
			expect(facts.warnings).toEqual([expect.stringMatching(/^hello\.ts:3: the comment @amp-agent-mode is ignored/)]);
		}
	});

	test("are not taken from strings, templates or longer words", () => {
		const comment = '// @amp-agent-mode {"key":"a","label":"A"}';
		for (const text of [
			`const a = '${comment}'`,
			`const a = \`\n${comment}\n\``,
			comment.replace("mode", "modes"),
			`/* ${comment} */`,
		]) {
			expect(read(text)).toEqual({ announcedModes: [], warnings: [] });
		}
	});
});

test("a scan gives back every character that is not blank, whatever the text", () => {
	const sources = [
		`a{b(\`x\${y}z\`)}/re/`,
		"'",
		"`${",
		"}}})`",
		"/* open",
		"<p>it's</p>",
		"\\u{",
		"\u2028a\ufeffb",
		"a😀😀b 𝒳",
		"/[/]",
	];
	for (const source of sources) {
		const tokens = [...scan(source)].map(({ text }) => text).join("");
		expect(tokens.replace(/[\s\ufeff]/g, "")).toBe(source.replace(/[\s\ufeff]/g, ""));
	}
});
