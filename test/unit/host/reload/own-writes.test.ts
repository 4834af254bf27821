import { describe, expect, test } from "bun:test";
import { decideOwnWrites, noOwnWrites, type OwnWrites } from "../../../../host/reload/own-writes.ts";

const loadMs = 20;

/** A plugin on a clock of its own; changes of it wait as long as they are told to. */
function plugin() {
	let own: OwnWrites = noOwnWrites;
	let now = 0;
	const told: string[] = [];

	function loaded(): void {
		now += loadMs;
		own = decideOwnWrites(own, { type: "loaded" }, now).own;
	}

	/** These files change so long after the last load, and once more at these times; how long it waits after the first. */
	function saved(files: string[], after: number, again: [file: string, after: number][] = []): number {
		const since = own.loadedAt === Number.NEGATIVE_INFINITY ? 0 : own.loadedAt + after;
		now = Math.max(now, since);
		const at = now;
		let verdict = decideOwnWrites(own, { type: "changed", files, since, isLoading: false }, now);
		own = verdict.own;
		if (verdict.told !== undefined) told.push(verdict.told.file);
		for (const [file, time] of again) {
			now = own.loadedAt + time;
			const { until } = verdict;
			if (now >= until) throw new Error(`nothing waits any more after ${time} ms`);
			verdict = decideOwnWrites(own, { type: "changed_again", files: [file], waiting: new Set(files), until }, now);
			own = verdict.own;
		}
		now = Math.max(now, verdict.until);
		const waited = now - at;
		loaded();
		return waited;
	}

	return { told, saved };
}

function times<Result>(count: number, work: (at: number) => Result): Result[] {
	return Array.from({ length: count }, (_, at) => work(at));
}

describe("a file that changes", () => {
	test("more than two seconds after a load is its author's, at once and as often as it does", () => {
		const { saved, told } = plugin();
		expect(Math.max(...times(50, () => saved(["a.ts"], 2_001)))).toBe(0);
		expect(told).toEqual([]);
	});

	test("in each load slows its reloads down after a while, longer each time up to half a minute, which is told once", () => {
		const { saved, told } = plugin();
		saved(["cache.json"], 0);
		expect(times(16, () => saved(["cache.json"], -5))).toEqual([
			...times(7, () => 0),
			...[250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000],
		]);
		expect(told).toEqual(["cache.json"]);
	});

	test("some time after each load slows its reloads down to one in a second, as somebody may look at each and save again", () => {
		const { saved } = plugin();
		saved(["cache.json"], 0);
		expect(times(12, () => saved(["cache.json"], 600)).slice(7)).toEqual([0, 0, 400, 400, 400]);
		expect(times(12, () => saved(["cache.json"], 800))).toEqual(times(12, () => 200));
		expect(times(12, () => saved(["cache.json"], 1_100))).toEqual(times(12, () => 0));
	});

	test("while its reload waits is somebody's hand, or changes without pause: it is loaded about once a second", () => {
		const { saved, told } = plugin();
		saved(["a.ts"], 0);
		times(9, () => saved(["a.ts"], 100));
		expect(saved(["a.ts"], 100, [["a.ts", 250]])).toBe(900);
		expect(
			times(20, () =>
				saved(["a.ts"], 100, [
					["a.ts", 300],
					["a.ts", 700],
				]),
			),
		).toEqual(times(20, () => 900));
		// Who saves no more waits no longer.
		expect(saved(["a.ts"], 100)).toBe(900);
		expect(told).toEqual(["a.ts"]);
	});

	test("while its reload waits for long ends that a second after the last load, or at once", () => {
		const { saved } = plugin();
		saved(["cache.json"], 0);
		times(13, () => saved(["cache.json"], 0));
		expect(saved(["cache.json"], 0, [["cache.json", 5_000]])).toBe(5_000);
		times(3, () => saved(["cache.json"], 0));
		expect(saved(["cache.json"], 0, [["cache.json", 50]])).toBe(1_000);
	});

	test("is loaded at once with another one that its author saves, and when that is saved while it waits", () => {
		const { saved } = plugin();
		saved(["cache.json"], 0);
		times(12, () => saved(["cache.json"], 0));
		expect(saved(["plugin.ts", "cache.json"], 0)).toBe(0);
		expect(saved(["cache.json"], 0, [["plugin.ts", 70]])).toBe(70);
	});

	test("is loaded at once again after a change that no load has brought about", () => {
		const { saved, told } = plugin();
		saved(["cache.json"], 0);
		times(12, () => saved(["cache.json"], 0));
		saved(["plugin.ts"], 5_000);
		expect(times(8, () => saved(["cache.json"], 0))).toEqual([...times(7, () => 0), 250]);
		expect(told).toEqual(["cache.json", "cache.json"]);
	});
});

test("files that are saved in turn by an author are loaded at once; a plugin that writes others each time is slowed down", () => {
	const author = plugin();
	expect(Math.max(...times(30, (at) => author.saved([`part-${at % 10}.ts`], 100)))).toBe(0);
	const { saved, told } = plugin();
	saved(["cache-0.json"], 0);
	const waits = times(40, (at) => saved([`cache-${at}.json`], 0));
	expect(waits.slice(0, 31)).toEqual(times(31, () => 0));
	expect(waits.slice(31, 35)).toEqual([250, 500, 1_000, 2_000]);
	expect(told).toHaveLength(1);
});

test("what changes while a load hangs waits from then on, not from the load before", () => {
	let own: OwnWrites = noOwnWrites;
	const waits = times(10, (at) => {
		const now = at * 10_000;
		const event = { type: "changed", files: ["cache.json"], since: now - 900, isLoading: true } as const;
		const verdict = decideOwnWrites(own, event, now);
		own = verdict.own;
		return verdict.until - now;
	});
	expect(waits).toEqual([...times(7, () => 0), 250, 500, 1_000]);
});
