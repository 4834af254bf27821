import { expect, test } from "bun:test";
import { parseJsonc } from "../../../../../host/base/jsonc.ts";
import { isWrittenByBrood, standingOf } from "../../../../../host/cli/types/declaration.ts";
import { coverageOf, typesIn, writeSettings } from "../../../../../host/cli/types/tsconfig.ts";

const needs = { version: "1.2.3", declaration: "brood-plugin.d.ts" };

test("settings are known as written by brood until a person takes their first line away", () => {
	const text = writeSettings(needs);
	expect(isWrittenByBrood(text)).toBe(true);
	expect(isWrittenByBrood(text.slice(text.indexOf("\n") + 1))).toBe(false);
	expect(isWrittenByBrood(`\n${text}`)).toBe(false);
});

test("without types of Bun those of a browser stand in, and with them they are named where they are found", () => {
	const options = (text: string) => Object(Object(parseJsonc(text)).compilerOptions);
	expect(options(writeSettings(needs))).toMatchObject({ types: [], lib: ["ESNext", "DOM"] });
	const installed = writeSettings({ ...needs, bunTypes: "bun" });
	expect(options(installed)).toMatchObject({ types: ["bun"], lib: ["ESNext"] });
	expect(options(installed).typeRoots).toBeUndefined();
	const linked = writeSettings({ ...needs, bunTypes: "bun-types", typeRoots: ["./linked", "../node_modules"] });
	expect(options(linked)).toMatchObject({ types: ["bun-types"], typeRoots: ["./linked", "../node_modules"] });
	expect([writeSettings(needs), installed, linked].map(typesIn)).toEqual([
		{ name: undefined, roots: [] },
		{ name: "bun", roots: [] },
		{ name: "bun-types", roots: ["./linked", "../node_modules"] },
	]);
	expect(typesIn("{ broken")).toEqual({ name: undefined, roots: [] });
});

test("settings check a place, or all that lies beside them", () => {
	expect(parseJsonc(writeSettings({ ...needs, include: ["plugins"] }))).toMatchObject({
		include: ["plugins"],
		files: ["brood-plugin.d.ts"],
	});
	const beside = parseJsonc(writeSettings(needs));
	expect(beside).not.toHaveProperty("include");
	expect(beside).not.toHaveProperty("files");
	// What is further up may include nothing of this folder.
	expect(parseJsonc(writeSettings({ ...needs, base: "../tsconfig.json" }))).toMatchObject({
		extends: "../tsconfig.json",
		include: ["."],
		exclude: ["**/node_modules"],
		compilerOptions: { noEmit: true, rootDir: null, outDir: null },
	});
});

test.each([
	["{}", "covered"],
	['{ "compilerOptions": {} }', "covered"],
	['{ "include": ["."] }', "covered"],
	['{ "include": ["./**/*"] }', "covered"],
	['{ "include": ["*.ts"] }', "covered"],
	['{ "include": ["src", "brood-plugin.d.ts"] }', "covered"],
	['{ "files": ["./brood-plugin.d.ts"], "extends": "x" }', "covered"],
	['{ "include": ["src"] }', "edit"],
	['{ "include": ["src/**/*"] }', "edit"],
	['{ "include": "src" }', "edit"],
	['{ "files": ["a.ts"] }', "advice"],
	['{ "extends": "x" }', "advice"],
	[`{ "include": ["\${configDir}/**/*.ts"], "exclude": ["src/*.d.ts", "{brood,other}-plugin.d.ts"] }`, "covered"],
	['{ "exclude": ["node_modules"] }', "covered"],
	['{ "exclude": ["**/*.d.ts"] }', "edit"],
	['{ "include": ["**/*.ts"], "exclude": ["./*.d.ts"] }', "edit"],
	['{ "files": ["brood-plugin.d.ts"], "exclude": ["**/*.d.ts"] }', "covered"],
	['{ "include": ["."], "exclude": ["**/*.d.ts"], "extends": "x" }', "advice"],
	['{ "files": [], "references": [{ "path": "src" }] }', "advice"],
	["[]", "advice"],
	["null", "advice"],
	["", "advice"],
])("settings %p of a person: %s", (text, kind) => {
	expect(coverageOf(text, "brood-plugin.d.ts").kind).toBe(kind as "covered");
});

test("an edit of settings is seen by the next look at them", () => {
	const text = '{\n\t"include": ["src"], // why\n}\n';
	const edited = coverageOf(text, "brood-plugin.d.ts");
	if (edited.kind !== "edit") throw new Error(edited.kind);
	expect(edited.text).toContain("// why");
	expect(parseJsonc(edited.text)).toEqual({ include: ["src"], files: ["brood-plugin.d.ts"] });
	expect(coverageOf(edited.text, "brood-plugin.d.ts")).toEqual({ kind: "covered" });
});

test.each([
	["1.2.3", "", "same"],
	["1.2.2", "", "same"],
	["9.0.0", "", "same"],
	["1.2.2", "more", "older"],
	["1.2.3", "more", "older"],
	["1.10.0", "more", "newer"],
	["1.2.3-beta.1", "more", "older"],
])("a file of version %s with another content %p is %s", (version, more, standing) => {
	const wanted = writeSettings(needs);
	const existing = wanted.replace("brood 1.2.3", `brood ${version}`) + more;
	expect(standingOf(existing, wanted)).toBe(standing as "same");
	expect(standingOf(existing.replaceAll("\n", "\r\n"), wanted)).toBe(standing as "same");
	expect(standingOf("// somebody's\n", wanted)).toBe("foreign");
});
