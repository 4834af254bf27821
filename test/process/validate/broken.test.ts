import { describe, expect, test } from "bun:test";
import { brokenLoads } from "./broken-loads.ts";
import { brokenParts } from "./broken-parts.ts";
import { brokenSources } from "./broken-sources.ts";
import { oddPlugins } from "./odd-plugins.ts";
import { type BrokenPlugin, createWorkshop } from "./support.ts";

const shop = createWorkshop();

async function examine(cases: BrokenPlugin[]) {
	for (const { name, files } of cases) {
		shop.write(Object.fromEntries(Object.entries(files).map(([file, text]) => [`${name}/${file}`, text])));
	}
	const report = await shop.validate(cases.map(({ name, path = `${name}.ts` }) => `${name}/${path}`));
	const examined = new Map(
		cases.map(({ name }) => [name, report.plugins.filter(({ path }) => path.startsWith(shop.path(name, "/")))]),
	);
	return { report, examined };
}

describe("every mistake is told at once, in its place", () => {
	test.each([
		["plugins whose sources cannot be loaded", brokenSources, { ok: false, loads: false }],
		["plugins that fail as they load", brokenLoads, { ok: false, loads: false }],
		["plugins of which a part does not work", brokenParts, { ok: false, loads: true }],
		["plugins that work, and most likely not as meant", oddPlugins, { ok: true, loads: true }],
	])("of %s", async (_, cases, verdict) => {
		const { report, examined } = await examine(cases);
		const told = cases.map(({ name }) => {
			const found = examined.get(name) ?? [];
			return { name, problems: found.flatMap((plugin) => shop.lines(plugin, name)) };
		});
		expect(told).toEqual(cases.map(({ name, problems }) => ({ name, problems })));
		expect(report.plugins.map(({ ok, loads }) => ({ ok, loads }))).toEqual(cases.map(() => verdict));
		expect(report.ok).toBe(verdict.ok);
	});

	test("and most with what to do next", async () => {
		const cases = [...brokenSources, ...brokenLoads, ...brokenParts, ...oddPlugins].filter(
			({ hints }) => hints !== undefined,
		);
		const { examined } = await examine(cases);
		const wrong = cases.flatMap(({ name, hints = [] }) => {
			const given = (examined.get(name) ?? []).flatMap(({ problems }) => problems.map(({ hint = "" }) => hint));
			return hints.filter((hint, index) => !given[index]?.includes(hint)).map((hint) => ({ name, hint, given }));
		});
		expect(wrong).toEqual([]);
		expect(cases.length).toBeGreaterThan(25);
	});

	test("with a code frame where the place is known", async () => {
		const { report } = await examine(brokenLoads.filter(({ name }) => name === "misspelt-member"));
		expect(report.plugins[0]?.problems[0]?.frame).toBe(
			[
				`${shop.path("misspelt-member/misspelt-member.ts")}:2:6`,
				"  1 | export default (amp) => {",
				"> 2 | 	amp.registerTol({});",
				"    | 	    ^",
				"  3 | };",
			].join("\n"),
		);
	});
});
