import { describe, expect, test } from "bun:test";
import { createOwnWrites } from "../../../../host/reload/own-writes.ts";

function writes() {
	const told: string[] = [];
	return { told, own: createOwnWrites((file, message) => told.push(`${file}: ${message}`)) };
}

describe("a file that changes", () => {
	test("some time after a load is its author's, at once and as often as it does", () => {
		const { own, told } = writes();
		for (let now = 0; now < 10_000; now += 600) {
			expect(own.waitOf(["a.ts"], now, now + 10)).toBe(0);
			own.loaded(now + 20);
		}
		expect(told).toEqual([]);
	});

	test("in each load slows its reloads down, longer each time, never for good, and that is told once", () => {
		const { own, told } = writes();
		const waits: number[] = [];
		let now = 0;
		for (let load = 0; load < 9; load += 1) {
			own.loaded(now);
			// It was written while the plugin loaded.
			const wait = own.waitOf(["cache.json"], now - 5, now);
			waits.push(wait);
			now += wait + 20;
		}
		expect(waits).toEqual([50, 200, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
		expect(told).toHaveLength(1);
		expect(told[0]).toContain("cache.json: it changes whenever the plugin loads");
	});

	test("is at once again after the author has saved it at another time", () => {
		const { own } = writes();
		own.loaded(0);
		own.waitOf(["a.ts"], 100, 110);
		own.loaded(120);
		expect(own.waitOf(["a.ts"], 1_000, 1_010)).toBe(0);
		own.loaded(1_020);
		expect(own.waitOf(["a.ts"], 1_030, 1_040)).toBe(30);
	});

	test("makes others that changed with it wait too: they are loaded together", () => {
		const { own } = writes();
		own.loaded(0);
		expect(own.waitOf(["cache.json"], 0, 10)).toBe(40);
		own.loaded(60);
		expect(own.waitOf(["plugin.ts", "cache.json"], 70, 80)).toBe(180);
	});
});
