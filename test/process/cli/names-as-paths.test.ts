import { expect, test } from "bun:test";
import { startDev, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

test("dev and validate take the name of a plugin in a place, and a path that exists before it", async () => {
	await desk.write({ ".brood/plugins/notes.ts": version("placed", 1), ".brood/plugins/other.ts": version("b", 1) });
	const validated = await desk.run(["validate", "notes", "--json"]);
	const paths = ({ stdout }: typeof validated) => JSON.parse(stdout).plugins.map(({ path }: { path: string }) => path);
	expect(paths(validated)).toEqual([desk.path(".brood/plugins/notes.ts")]);
	{
		await using dev = startDev(desk, ["dev", "notes"]);
		await dev.stderr.see("Watching 1 plugin.\n");
		expect(dev.stdout.text()).toMatch(/ready {4}notes .*\+1 tool placed\n/);
	}
	await desk.write({ "notes/index.ts": version("here", 1) });
	expect(paths(await desk.run(["validate", "notes", "--json"]))).toEqual([desk.path("notes/index.ts")]);
});

test("a directory plugin keeps its name when that is how it is called for", async () => {
	await desk.write({ ".brood/plugins/hello/index.ts": version("a", 1) });
	const { stdout } = await desk.run(["validate", "amp/hello"]);
	expect(stdout).toStartWith(`✓ hello ${desk.path(".brood/plugins/hello/index.ts")}\n`);
	await using dev = startDev(desk, ["dev", "hello"]);
	await dev.stdout.see(/ready {4}hello /);
});

test.each(["dev", "validate"])("%s asks about a name that nobody has which one is meant", async (command) => {
	await desk.write({ ".brood/plugins/notes.ts": version("a", 1) });
	const { exitCode, stderr } = await desk.run([command, "nots"]);
	expect(stderr).toContain('Is it "notes"?');
	expect(exitCode).toBe(2);
});
