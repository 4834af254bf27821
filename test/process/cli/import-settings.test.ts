import { expect, test } from "bun:test";
import { createDesk } from "./support.ts";

const desk = createDesk();
const plugin = 'import { word } from "@lib/word";\nexport default () => word;\n';

/** What list and validate advise about the one plugin, which does not load. */
async function advice(files: Record<string, string>): Promise<string[]> {
	await desk.write({ "lib/word.ts": "export const word = 1;\n", "plugins/one.ts": plugin, ...files });
	const listed = await desk.run(["-p", "plugins/one.ts", "list", "--json"]);
	const checked = await desk.run(["validate", "plugins/one.ts", "--json"]);
	expect([listed.exitCode, checked.exitCode]).toEqual([4, 4]);
	const [{ error }] = JSON.parse(listed.stdout).plugins;
	const [{ problems }] = JSON.parse(checked.stdout).plugins;
	expect(problems[0]).toMatchObject({ severity: "error", code: "missing_package" });
	expect(error.hint).toStartWith(problems[0].hint);
	return [problems[0].hint, ...problems.slice(1).map((other: { message: string }) => other.message)];
}

test("an import that a broken tsconfig would give a meaning is not told as a missing package alone", async () => {
	const broken = '{\n\t"compilerOptions": { "paths": { "@lib/*": ["../lib/*"] } }';
	const [hint, ...others] = await advice({ "plugins/tsconfig.json": broken });
	const reason = 'expected "," or "}", found the end of the file';
	const file = desk.path("plugins/tsconfig.json");
	expect(hint).toStartWith(`Mend ${file}, whose "paths" count for nothing until then: ${reason}, at 2:60. If that`);
	expect(hint).toContain('run "bun add @lib/word"');
	expect(others).toEqual([`${file} cannot be read: ${reason}`]);
});

test("nor is one that a tsconfig further up sends where nothing is, or that a lost one may have meant", async () => {
	const above = '{ "compilerOptions": { "paths": { "@lib/*": ["./gone/*", "./also/*"], "@*": ["./other/*"] } } }';
	expect(await advice({ "tsconfig.json": above })).toEqual([
		`${desk.path("tsconfig.json")} sends it to ${desk.path("gone/word")} or ${desk.path("also/word")}, and nothing is found there: correct its "paths" or "baseUrl".`,
	]);
	const [hint, ...others] = await advice({ "tsconfig.json": '{ "extends": "./lost.json" }' });
	const lost = desk.path("lost.json");
	expect(hint).toStartWith(`Mend ${lost}, whose "paths" count for nothing until then: it does not exist. If that`);
	expect(others).toEqual([`${lost} cannot be read: it does not exist`]);
	expect(await advice({ "tsconfig.json": '{ "compilerOptions": { "paths": { "@other/*": ["./lib/*"] } } }' })).toEqual([
		expect.stringMatching(/^Run "bun add @lib\/word"/),
	]);
});

test("a plugin that loads beside a broken tsconfig is valid, with a warning that has the place", async () => {
	await desk.write({ "plugins/one.ts": "export default () => {};\n", "plugins/tsconfig.json": '{ "extends": }' });
	const { exitCode, stdout } = await desk.run(["validate", "plugins/one.ts", "--json"]);
	const [{ problems, ok, loads }] = JSON.parse(stdout).plugins;
	expect({ exitCode, ok, loads }).toEqual({ exitCode: 0, ok: true, loads: true });
	expect(problems).toMatchObject([
		{ severity: "warning", code: "warned", file: desk.path("plugins/tsconfig.json"), line: 1, column: 14 },
	]);
	await desk.write({ "plugins/tsconfig.json": '\ufeff{ // mine\r\n\t"compilerOptions": { "strict": true, },\r\n}' });
	expect(JSON.parse((await desk.run(["validate", "plugins/one.ts", "--json"])).stdout).plugins[0].problems).toEqual([]);
});
