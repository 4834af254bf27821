import { expect, test } from "bun:test";
import { startDev, version } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();
const write = (plugin: string, source: string) => desk.write({ [`.brood/plugins/${plugin}.ts`]: source });

test("a plugin that has no name at its start, as one that comes first has it, is told of once", async () => {
	await write("dup", version("greet", 1));
	await write("hello", version("greet", 1));
	await using dev = startDev(desk, ["dev"]);
	await dev.stdout.see(/\d\d lost {5}hello {2}-1 tool greet {2}to dup, which comes first\n/);
	await write("hello", version("greet", 2));
	await dev.stdout.see(/reload {3}hello/);
	await write("dup", version("greet", 2));
	await dev.stdout.see(/reload {3}dup/);
	expect(dev.stdout.text().match(/lost/g)).toHaveLength(1);
});

test("a plugin that appears and takes the name of another one is told of by the one that lost it", async () => {
	await write("hello", version("greet", 1));
	await using dev = startDev(desk, ["dev"]);
	await dev.stderr.see("Watching 1 plugin.\n");
	await write("dup", version("greet", 1));
	await dev.stdout.see("lost     hello  -1 tool greet  to dup, which comes first\n");
});

test("with --json a lost name is an object that says who has it", async () => {
	await write("hello", version("greet", 1));
	await write("dup", version("greet", 1));
	await using dev = startDev(desk, ["--json", "dev"]);
	const lines = (await dev.stdout.see(/"lost".*\n/)).trim().split("\n");
	expect(JSON.parse(lines.at(-1) ?? "")).toEqual({
		event: "lost",
		plugin: "hello",
		to: "dup",
		removed: ["tool greet"],
	});
});
