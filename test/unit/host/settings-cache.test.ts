import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createSettings } from "../../../host/base/settings.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

/** Settings that count how often there was something to parse or to merge, and so much later than the files. */
function counting(laterMs: number) {
	const places = { workspaceRoot: disk.path("w"), configHome: null };
	const settings = createSettings(places, () => Date.now() + laterMs);
	let spent = 0;
	return {
		get: () =>
			settings.get((work) => {
				spent += 1;
				return work();
			}),
		spent: () => spent,
	};
}

const file = () => disk.path("w/.brood/settings.json");

test("a file is parsed once, however often and by however many it is asked for, and again after each change", async () => {
	const { get, spent } = counting(10_000);
	disk.file("w/.brood/settings.json", '{"a":1}');
	const answers = await Promise.all(Array.from({ length: 50 }, get));
	expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"a":1}']));
	const first = spent();
	// One to parse; those that come at once may each merge.
	expect(first).toBeLessThanOrEqual(1 + 50);
	await get();
	await get();
	expect(spent()).toBe(first);
	disk.file("w/.brood/settings.json", '{"a":2}');
	expect(await get()).toEqual({ a: 2 });
	expect(spent()).toBeGreaterThan(first);
	rmSync(file());
	expect(await get()).toEqual({});
});

test("a file that changed just now is read each time: its next change may leave its times and its size alone", async () => {
	const { get, spent } = counting(0);
	disk.file("w/.brood/settings.json", '{"a":1}');
	expect(await get()).toEqual({ a: 1 });
	const first = spent();
	expect(await get()).toEqual({ a: 1 });
	expect(spent()).toBeGreaterThan(first);
});

test("what is wrong with a file is found once and told to all who ask, until it changes", async () => {
	const { get, spent } = counting(10_000);
	disk.file("w/.brood/settings.json", '{"a":');
	const ask = () =>
		get().catch((error: unknown) => isBroodError(error, "invalid_settings") && error.positions?.[0]?.line);
	expect(await ask()).toBe(1);
	const first = spent();
	expect([await ask(), await ask()]).toEqual([1, 1]);
	expect(spent()).toBe(first);
	disk.file("w/.brood/settings.json", '{"a":3}');
	expect(await get()).toEqual({ a: 3 });
});
