import { describe, expect, test } from "bun:test";
import { judge } from "./figures.ts";
import { canLook } from "./memory.ts";
import { inTurn, runRounds, type Variant } from "./suite.ts";
import { memorySuite } from "./suites/memory.ts";
import { suites } from "./suites.ts";
import { canPin, openWorkbench } from "./workbench.ts";

describe("rounds", () => {
	test("begin with another variant each, go backwards every other time, and leave none out", () => {
		expect([0, 1, 2, 3].map((round) => inTurn(["a", "b", "c"], round).join(""))).toEqual(["abc", "acb", "cab", "cba"]);
		expect(inTurn([], 5)).toEqual([]);
	});

	test("that warm up are not counted", async () => {
		let runs = 0;
		const variant: Variant = { name: "a", units: { a: "ms" }, run: async () => ({ a: ++runs, each: [runs, runs] }) };
		const begun: number[] = [];
		const { samples, units } = await runRounds(
			{ variants: [variant] },
			{ rounds: 2, warmUp: 3, begins: (round) => void begun.push(round) },
		);
		expect(samples.get("a")).toEqual([4, 5]);
		expect(samples.get("each")).toEqual([4, 4, 5, 5]);
		expect(units.get("a")).toBe("ms");
		expect(begun).toEqual([-3, -2, -1, 0, 1]);
	});
});

describe("figures", () => {
	const measured = {
		samples: new Map([
			["ours", [10, 12, 11]],
			["floor", [10, 10, 10]],
			["idle", [3, 5]],
		]),
		skipped: new Map([["node", "there is no Node here"]]),
	};
	const figure = (of: string, against?: string, goal?: object) =>
		judge([{ id: "id", title: "title", of, ...(against ? { against } : {}), ...(goal ? { goal } : {}) }], measured)[0];

	test("are met at their bound and not past it, from below and from above", () => {
		expect(figure("ours", "floor", { atMost: 1.1 })).toMatchObject({ value: 1.1, met: true });
		expect(figure("ours", "floor", { atMost: 1.09 })).toMatchObject({ met: false });
		expect(figure("ours", "floor", { atLeast: 1.1 })).toMatchObject({ met: true });
		expect(figure("ours", "floor", { atLeast: 1.11 })).toMatchObject({ met: false });
		expect(figure("ours", "floor")).not.toHaveProperty("met");
	});

	test("stand alone where nothing divides them", () => {
		expect(figure("idle", undefined, { atMost: 4 })).toMatchObject({ value: 4, middle: [3.5, 4.5], met: true });
	});

	test("say why they are missing, be it their own measurement or the other", () => {
		expect(figure("ours", "node", { atMost: 1 })).toEqual({
			id: "id",
			title: "title",
			goal: { atMost: 1 },
			skipped: "there is no Node here",
		});
		expect(figure("warm", "ours")).toMatchObject({ skipped: "warm was not measured" });
	});

	test("that nobody asked for are left out", () => {
		const definitions = [{ id: "a", title: "a", of: "ours", against: "floor" }];
		expect(judge(definitions, measured, (name) => name === "ours")).toEqual([]);
		expect(judge(definitions, measured, () => true)).toHaveLength(1);
	});
});

test.skipIf(!canPin() || !canLook)("each suite names the variants that can be wanted of it, and no other", async () => {
	await using bench = await openWorkbench();
	const unsettled = memorySuite({ children: 1, seconds: 0, settleSeconds: 0 });
	for (const [name, suite] of Object.entries({ ...suites, memory: unsettled })) {
		const asked = new Set<string>();
		await suite.prepare(bench, (variant) => !asked.add(variant), true);
		expect([name, [...asked].sort()]).toEqual([name, [...suite.variants].sort()]);
	}
});
