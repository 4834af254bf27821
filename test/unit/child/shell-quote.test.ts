import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { fileURI } from "../../../child/uri.ts";
import { propertyMs, propertyRuns } from "../../support/effort.ts";
import { shellFolder } from "./shell-support.ts";

setDefaultTimeout(propertyMs);

const rows: [string, unknown[], string][] = [
	["a string is one word", ["[%s]", "a b  c"], "[a b  c]"],
	["a number", ["[%s]", 1.5, -2, 12n], "[1.5][-2][12]"],
	["a boolean", ["[%s]", true], "[true]"],
	["an empty string is an empty word", ["[%s]", ""], "[]"],
	["an array is several words", ["[%s]", ["a b", "", "c"]], "[a b][][c]"],
	["lists in lists are one list", ["[%s]", ["a", ["b", ["c"]]]], "[a][b][c]"],
	["an empty array is no word", ["[%s]", "x", [], "y"], "[x][y]"],
	["a URL", ["[%s]", new URL("https://example.com/a?b=c&d")], "[https://example.com/a?b=c&d]"],
	["a file URI", ["[%s]", fileURI("/a b/c")], "[file:///a%20b/c]"],
	["a buffer of text", ["[%s]", Buffer.from("é")], "[é]"],
	["a glob and a tilde mean themselves", ["[%s]", "*", "~", "?"], "[*][~][?]"],
];

test.each(rows)("%s", async (_, values, expected) => {
	using folder = shellFolder();
	const literals = ["printf ", ...values.slice(1).map(() => " "), ""];
	expect((await folder.$(Object.assign(literals, { raw: literals }), ...values)).stdout).toBe(expected);
});

test("an array spreads over the word that it is part of, and joins in quotes and after NAME=", async () => {
	using folder = shellFolder();
	const list = ["a b", "c"];
	expect((await folder.$`printf '[%s]' x${list}y "x${list}y" 'x${list}y'`).stdout).toBe("[xa b][cy][xa b cy][xa b cy]");
	expect((await folder.$`X=${["echo", "injected"]} sh -c 'printf %s "$X"'`).stdout).toBe("echo injected");
});

const refused: [string, unknown, string][] = [
	["undefined", undefined, "is undefined"],
	["null", null, "is null"],
	["a function", () => "x", "is function"],
	["a symbol", Symbol("x"), "is symbol"],
	["an object without a text", { raw: "; echo injected" }, "without a text"],
	["an object whose text is no function", { toString: "; echo injected" }, "without a text"],
	["an object without a prototype", Object.create(null), "without a text"],
	["a promise", Promise.resolve("x"), "without a text"],
	["bytes", new Uint8Array([104]), "without a text"],
	["a NUL character", "a\0b", "NUL"],
	["undefined in an array", ["a", undefined], "is undefined"],
];

test.each(refused)("%s is refused before anything runs", async (_, value, message) => {
	using folder = shellFolder();
	const result = folder.$`touch ran; echo ${"first"} ${value}`;
	await expect(result).rejects.toThrow(TypeError);
	await expect(result).rejects.toThrow(message);
	await expect(result).rejects.toThrow("Value 2 of amp.$");
	expect(existsSync(join(folder.path, "ran"))).toBe(false);
});

describe("any text comes back unchanged and runs nothing", () => {
	const special = fc.constantFrom(
		"'",
		'"',
		"\\",
		"$",
		"`",
		"$(",
		")",
		"\n",
		" ",
		"#",
		";",
		"!",
		"*",
		"EOF\n",
		"é",
		"😀",
	);
	const text = fc
		.oneof(
			fc.string({ unit: "binary" }),
			fc.array(fc.oneof(special, fc.string({ maxLength: 2 }))).map((all) => all.join("")),
		)
		.map((value) => value.replaceAll("\0", ""));

	test("as a word, in quotes, after an equals sign and in a substitution", async () => {
		using folder = shellFolder();
		const { $ } = folder;
		await fc.assert(
			fc.asyncProperty(text, async (value) => {
				const all = await Promise.all([
					$`printf %s ${value}`,
					$`printf %s "${value}"`,
					$`printf %s '${value}'`,
					$`X=${value}; printf %s "$X"`,
					$`printf %s "$(printf '%s|' ${value})"`,
					$`printf %s "$(printf '%s|' "${value}")"`,
					$`printf %s a"b${value}c"'d'${value}$((${1} + 1))`,
				]);
				expect(all.map(({ stdout }) => stdout)).toEqual([
					value,
					value,
					value,
					value,
					`${value}|`,
					`${value}|`,
					`ab${value}cd${value}2`,
				]);
				expect(all.map(({ stderr, exitCode }) => stderr + exitCode)).toEqual(all.map(() => "0"));
			}),
			propertyRuns,
		);
	});

	test("in here-documents", async () => {
		using folder = shellFolder();
		const { $ } = folder;
		await fc.assert(
			fc.asyncProperty(text, async (value) => {
				fc.pre(!`${value}.`.split("\n").includes("EOF"));
				// Refused, since dash loses a byte there.
				fc.pre(!/\n(?:E|EO|EOF)[^\0-\x7f]/.test(value));
				const open = await $`cat <<EOF; printf %s ${value}
it's "${value}." $(echo x)
EOF`;
				expect(open.stdout).toBe(`it's "${value}." x\n${value}`);
				const quoted = await $`cat <<'EOF'
$HOME ${value}.
EOF
`;
				expect(quoted.stdout).toBe(`$HOME ${value}.\n`);
			}),
			propertyRuns,
		);
	});

	test("as words of an array", async () => {
		using folder = shellFolder();
		await fc.assert(
			fc.asyncProperty(fc.array(text), async (values) => {
				const { stdout } = await folder.$`for word in ${values}; do printf '%s\0' "$word"; done`;
				expect(stdout).toBe(values.map((value) => `${value}\0`).join(""));
			}),
			propertyRuns,
		);
	});
});
