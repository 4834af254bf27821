import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createBench, type Running } from "../support/host.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

async function watched(plugins: Record<string, string>): Promise<Running> {
	const running = await bench.start(plugins);
	await running.host.watch();
	return running;
}

const warnings = (running: Running, plugin: string) =>
	running.host.plugins
		.log(plugin)
		.filter(({ level, source }) => level === "warn" && source === "host")
		.map(({ message }) => message);

test("each of many saves in a row of one file is live about a second later at most, and the last one too", async () => {
	const running = await watched({ one: version("one", 0) });
	const saves = 30;
	const saved: number[] = [];
	const live: number[] = [];
	const isLast = Promise.withResolvers<void>();
	running.host.onChange(({ changed }) => {
		const now = performance.now();
		const shown = Math.max(0, ...changed.map(({ item }) => ("description" in item ? Number(item.description) : 0)));
		for (let number = 1; number <= shown; number += 1) live[number] ??= now;
		if (shown === saves) isLast.resolve();
	});
	for (let number = 1; number <= saves; number += 1) {
		saved[number] = performance.now();
		bench.write("one", `${version("one", number)}`.replace('description: ""', `description: "${number}"`));
		await pause(150);
	}
	await isLast.promise;
	expect(await says(running, "one")).toBe(String(saves));
	const late = saved.flatMap((at, number) => ((live[number] ?? Number.POSITIVE_INFINITY) - at > 2_000 ? [number] : []));
	expect(late).toEqual([]);
});

test("each save of somebody who looks at what came of the last one, and saves again half a second later, is live after a second", async () => {
	const running = await watched({ one: version("one", 0) });
	const took: number[] = [];
	for (let number = 1; number <= 13; number += 1) {
		await pause(500);
		const saved = performance.now();
		const told = report(running, "one");
		bench.write("one", version("one", number));
		await told;
		took.push(performance.now() - saved);
		expect(await says(running, "one")).toBe(String(number));
	}
	expect(took.filter((ms) => ms > 1_500)).toEqual([]);
});

/** It writes its own module, with another value each time, and says which value it was loaded with. */
const writing = (atImport: string, inActivation: string) => `import { writeFileSync } from "node:fs";
import { value } from "./data.json";
const write = () => writeFileSync(import.meta.dir + "/data.json", JSON.stringify({ value: process.hrtime.bigint().toString() }));
${atImport}
export default (amp) => {
	${inActivation}
	amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: () => value });
};
`;

/** How many milliseconds lie between the ends of these reloads, each of which serves. */
async function gaps(running: Running, count: number): Promise<number[]> {
	const gaps: number[] = [];
	let last: number | undefined;
	for (let reloads = 0; reloads <= count; reloads += 1) {
		expect((await report(running, "one")).outcome).toBe("reload");
		const now = performance.now();
		if (last !== undefined) gaps.push(now - last);
		last = now;
		expect(await says(running, "one")).toMatch(/^\d+$/);
	}
	return gaps;
}

async function writer(atImport: string, inActivation: string): Promise<Running> {
	const index = bench.write("one/index.ts", writing(atImport, inActivation));
	writeFileSync(index.replace("index.ts", "data.json"), '{ "value": "0" }');
	return watched({});
}

describe("a plugin that writes a module of its own", () => {
	test.each([
		["at its import", "write();", ""],
		["in its activation", "", "write();"],
	])(
		"%s serves all the while and is loaded more and more seldom, which its author is told once",
		async (_, atImport, inActivation) => {
			const running = await writer(atImport, inActivation);
			const all = await gaps(running, 11);
			// Nothing else makes them long.
			expect(all.slice(9, 11).map((ms, at) => ms >= 1_000 * 2 ** at - 50)).toEqual([true, true]);
			expect(warnings(running, "one").filter((message) => message.includes("data.json"))).toHaveLength(1);
		},
	);

	test("some time after each load serves all the while and is loaded once a second at most, which its author is told once", async () => {
		const running = await writer("", "setTimeout(write, 600);");
		const all = await gaps(running, 11);
		expect(all.slice(9, 11).map((ms) => ms >= 950)).toEqual([true, true]);
		expect(warnings(running, "one").filter((message) => message.includes("data.json"))).toHaveLength(1);
	});

	test("is loaded at once for a save of its author, while its own writes wait for seconds", async () => {
		const running = await writer("write();", "");
		await gaps(running, 11);
		const saved = performance.now();
		const told = report(running, "one");
		const file = bench.write("one/index.ts", `${writing("write();", "")}// saved`);
		expect((await told).files).toContain(file);
		// By itself it would be loaded after four.
		expect(performance.now() - saved).toBeLessThan(3_000);
	});

	test("without pause serves all the while, and is loaded about once a second", async () => {
		const running = await writer("", "setInterval(write, 100);");
		const all = await gaps(running, 13);
		expect(all.slice(10).map((ms) => ms >= 900 && ms < 4_000)).toEqual([true, true, true]);
		expect(warnings(running, "one").filter((message) => message.includes("data.json"))).toHaveLength(1);
	});
});
