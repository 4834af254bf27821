import { expect, test } from "bun:test";
import { budgetFailure, pastBudget } from "../../../../host/devtools/budget.ts";
import { parseRecord } from "../../../../host/devtools/read-record.ts";
import { measuredOf, recordOf, wholeRoundsOf } from "../../../../host/devtools/record.ts";
import { splitStart, totalOf } from "../../../../host/devtools/stages.ts";
import { failure } from "../../../../runtime/errors.ts";
import { specOf, stagesOf, syntheticRecord } from "./support.ts";

const settings = { rounds: 2, warmup: 0, importRounds: 0, start: "cold" } as const;
const reached = {
	found: 0,
	spawned: 1,
	clientInfo: 5,
	imported: 9,
	activated: 9.5,
	registered: 10,
	ready: 11,
	published: 13,
};

test("a start is split into stages that together are all of it", () => {
	const times = splitStart(reached);
	expect(times).toEqual({ spawn: 1, "client.info": 4, import: 4, activate: 1, ready: 1, published: 2 });
	expect(totalOf(times)).toBe(13);
});

test("what happened beside another stage, or was not told, takes no time of its own", () => {
	const times = splitStart({ ...reached, imported: 4, activated: null, registered: null });
	expect(times).toMatchObject({ "client.info": 4, import: 0, activate: 0, ready: 6 });
	expect(totalOf(times)).toBe(13);
});

test("a record keeps all times, and tells a plugin that failed with its reason and no numbers", () => {
	const error = failure("load_failed", { plugin: "bad", stage: "import", reason: "no", hint: "Mend it." });
	const plugins = [
		{ spec: specOf("good"), starts: [stagesOf(8), stagesOf(10)], floor: [4, 5] },
		{ spec: specOf("bad"), starts: [], floor: [], error },
	];
	const record = recordOf({ plugins, isComplete: true }, settings, new Date(0));
	expect(record).toMatchObject({
		bench: 1,
		date: "1970-01-01T00:00:00.000Z",
		complete: true,
		floor: { times: [4, 5] },
	});
	expect(record.plugins[0]).toMatchObject({
		ok: true,
		start: { times: [8, 10], median: 9, min: 8, max: 10 },
		stages: { import: { times: [2.4, 3], median: 2.7 } },
		ratio: { value: 2 },
	});
	expect(record.plugins[1]).toEqual({
		name: "bad",
		system: "amp",
		scope: "project",
		path: "/plugins/bad.ts",
		ok: false,
		error: { code: "load_failed", message: 'Plugin "bad" failed to load: no.', stage: "import", hint: "Mend it." },
	});
});

test("a ratio has a range from 5 rounds on, and none below", () => {
	const ratio = (rounds: number) => measuredOf(syntheticRecord({ seed: 1, rounds }))[0]?.ratio;
	expect(ratio(4)).toEqual({ value: expect.any(Number), low: null, high: null });
	expect(ratio(5)).toEqual({ value: expect.any(Number), low: expect.any(Number), high: expect.any(Number) });
	const [plugin] = measuredOf(syntheticRecord({ seed: 1, rounds: 4 }));
	if (plugin === undefined) throw new Error("there is no plugin");
	expect(budgetFailure(plugin, 1).message).toContain("(too few rounds to say how much of it is chance)");
});

test("a record that was printed can be read again, with what later versions add to it", () => {
	const record = syntheticRecord({ seed: 1, rounds: 3 });
	const parsed = parseRecord(JSON.stringify({ ...record, later: 1 }), "a.json");
	expect(parsed.plugins).toMatchObject([
		{ name: "hello", ok: true, start: { times: measuredOf(record)[0]?.start.times } },
	]);
});

test.each([
	["not JSON", "{", "it holds no JSON object"],
	["no object", "7", "it holds no JSON object"],
	["other JSON", '{"plugins":[]}', 'it has no key "bench"'],
	["a later format", '{"bench":2}', "it is of format 2, and this brood reads format 1"],
	[
		"a record without anything",
		'{"bench":1}',
		'what "brood bench" writes as "date" is missing in it, or something else. ',
	],
	[
		"a record without times",
		JSON.stringify({ ...syntheticRecord({ seed: 1 }), plugins: [{ name: "a", path: "/a", ok: true, start: {} }] }),
		'what "brood bench" writes as "plugins.0.start.times" is missing',
	],
])("%s is refused with the reason", (_, text, reason) => {
	expect(() => parseRecord(text, "a.json")).toThrow(`a.json cannot be compared with: ${reason}`);
});

test("each plugin is judged by the floor beside it, and the shared one has the times of all of them", () => {
	const plugins = [
		{ spec: specOf("light"), starts: [stagesOf(8), stagesOf(8)], floor: [4, 4] },
		{ spec: specOf("heavy"), starts: [stagesOf(30), stagesOf(30)], floor: [5, 6] },
	];
	const record = recordOf({ plugins, isComplete: true }, settings, new Date(0));
	expect(measuredOf(record).map(({ ratio }) => ratio.value)).toEqual([2, 5.455]);
	expect(record.floor?.times).toEqual([4, 4, 5, 6]);
	expect(record.floor).toMatchObject({ min: 4, max: 6 });
	expect(wholeRoundsOf(record)).toBe(2);
});

test("the plugins past a budget are told the worst first, with their ratio and where most of the time goes", () => {
	const starts = (total: number) => Array.from({ length: 9 }, () => stagesOf(total));
	const plugins = [8, 16, 12].map((total) => ({
		spec: specOf(`takes-${total}`),
		starts: starts(total),
		floor: Array(9).fill(4),
	}));
	const record = recordOf({ plugins, isComplete: true }, settings, new Date(0));
	const past = pastBudget(record, 2.5);
	expect(past.map(({ name }) => name)).toEqual(["takes-16", "takes-12"]);
	expect(pastBudget(record, 4)).toEqual([]);
	const errors = past.map((plugin) => budgetFailure(plugin, 2.5).message);
	expect(errors[0]).toMatch(
		/^Plugin "takes-16" is past its budget: it takes 4\.00 times as long as a bare Bun \(3\.7\d to 4\.3\d at 95 %\), and the budget is 2\.5; 55 % of it is client\.info\. /,
	);
});

test("a budget that chance may decide about is told as such", () => {
	const [plugin] = measuredOf(syntheticRecord({ seed: 1 }));
	if (plugin === undefined) throw new Error("there is no plugin");
	const { value, low } = plugin.ratio;
	expect(budgetFailure(plugin, value - 0.01).message).toContain("so that chance may decide");
	expect(budgetFailure(plugin, (low ?? Number.NaN) - 0.01).message).not.toContain("chance");
	expect(budgetFailure(plugin, 1, "all took long").message).toContain("; the machine was busy: all took long.");
});
