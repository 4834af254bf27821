import { expect, test } from "bun:test";
import { renameSync, utimesSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createBench } from "../support/host.ts";
import { says, version } from "./support.ts";

const bench = createBench();

const importing = (name: string) => `import { word } from "./word.ts";
export default (amp) => {
	amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => word });
};
`;

const arrivals = {
	"is written": (file: string) => writeFileSync(file, 'export const word = "new";'),
	"is renamed into its place, and years old": (file: string) => {
		writeFileSync(`${file}.aside`, 'export const word = "new";');
		utimesSync(`${file}.aside`, 1e9, 1e9);
		renameSync(`${file}.aside`, file);
	},
};

// A plugin is saved before what it imports, as by a checkout: its load fails while that is still to come.
test.each([
	...Object.keys(arrivals).map((arrival) => ["that is missing", arrival] as const),
	["that is broken", "is written"] as const,
])("a module %s and %s while the load that needs it fails is loaded, whenever that is", async (before, arrival) => {
	const delays = [16, 18, 20, 22, 24, 26, 28, 38];
	const names = delays.map((ms) => `one-${ms}`);
	const running = await bench.start(
		Object.fromEntries(names.map((name) => [`${name}/index.ts`, version(name, "old")])),
	);
	await running.host.watch();
	for (const [at, name] of names.entries()) {
		const word = running.host.plugins.get(name).path.replace("index.ts", "word.ts");
		if (before === "that is broken") writeFileSync(word, "export const word = (");
		bench.write(`${name}/index.ts`, importing(name));
		await pause(delays[at]);
		arrivals[arrival as keyof typeof arrivals](word);
		const end = performance.now() + 3_000;
		while ((await says(running, name)) !== "new" && performance.now() < end) await pause(5);
		expect([delays[at], await says(running, name)]).toEqual([delays[at], "new"]);
	}
});
