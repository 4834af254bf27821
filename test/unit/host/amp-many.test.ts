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
