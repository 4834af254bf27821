import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();
const source = join(import.meta.dir, "../../../host/sources/amp.ts");

test("all of hundreds of plugins are found by a program that may have few files open", async () => {
	const folder = disk.path("many");
	mkdirSync(folder, { recursive: true });
	for (let n = 0; n < 600; n++) writeFileSync(join(folder, `p${n}.ts`), "export default () => {};");
	const program = `
		import { discoverAmp } from ${JSON.stringify(source)};
		const found = await discoverAmp({ workspaceRoot: "/", configHome: null, explicit: [${JSON.stringify(folder)}], places: false });
		console.log(found.plugins.length, found.skipped.map(({ reason }) => reason).join());`;
	writeFileSync(disk.path("program.ts"), program);
	const child = Bun.spawn(["sh", "-c", `ulimit -n 128; exec "$0" "$1"`, process.execPath, disk.path("program.ts")], {
		stdout: "pipe",
		stderr: "pipe",
	});
	const [text, problems] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	expect({ text: text.trim(), problems }).toEqual({ text: "600", problems: "" });
});

test("a folder is read once, however many plugins in it are named", async () => {
	const folder = disk.path("named");
	mkdirSync(folder, { recursive: true });
	for (const name of ["a.ts", "b.ts", "C.ts", "c.ts"]) writeFileSync(join(folder, name), "export default () => {};");
	const program = `
		import { mock } from "bun:test";
		import * as fs from "node:fs";
		const { readdirSync } = fs;
		const read = [];
		mock.module("node:fs", () => ({ ...fs, readdirSync: (path, ...more) => (read.push(path), readdirSync(path, ...more)) }));
		const { discoverAmp } = await import(${JSON.stringify(source)});
		const found = (...names) => discoverAmp({
			workspaceRoot: "/", configHome: null, explicit: names.map((name) => ${JSON.stringify(folder)} + "/" + name), places: false,
		});
		const { plugins } = await found("a.ts", "b.ts");
		const { message } = await found("a.ts", "c.ts").catch((error) => error);
		console.log(JSON.stringify({ names: plugins.map(({ name }) => name), read, twins: message.includes("only the case of its name differs") }));`;
	writeFileSync(disk.path("counts.ts"), program);
	const child = Bun.spawn([process.execPath, disk.path("counts.ts")], { stdout: "pipe", stderr: "pipe" });
	const [text, problems] = await Promise.all([child.stdout.text(), child.stderr.text()]);
	expect(problems).toBe("");
	expect(JSON.parse(text)).toEqual({ names: ["a", "b"], read: [folder, folder], twins: true });
});
