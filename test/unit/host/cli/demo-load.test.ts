import { expect, test } from "bun:test";
import { createLoadView } from "../../../../host/cli/demo-load.ts";
import type { Screen } from "../../../../host/cli/demo-screen.ts";
import type { LoadFact } from "../../../../host/contracts/backend.ts";

/** A screen that keeps its lines; one that is live has them written again in place. */
function createScreen(live: boolean): { screen: Screen; lines: string[] } {
	const lines: string[] = [];
	const screen: Screen = {
		live,
		width: 111,
		paint: (_, text) => text,
		fit: (text) => text,
		line: (text = "") => lines.push(text.trimEnd()),
		heading: (title) => lines.push(title),
		row: (cells, rest) => lines.push([...cells.map(([text]) => text), rest].join(" ")),
		rewrite(up, text) {
			lines[lines.length - up] = text.trimEnd();
		},
	};
	return { screen, lines };
}

function createStory(live: boolean) {
	let now = 0;
	const { screen, lines } = createScreen(live);
	const view = createLoadView(screen, () => now);
	const fact = (plugin: string, name: LoadFact, ms: number) => view.observe({ type: "fact", plugin, fact: name, ms });
	for (const plugin of ["a", "b"]) view.observe({ type: "found", plugin, path: `/${plugin}.ts` });
	return {
		lines,
		view,
		at(time: number, plugin: string, name: LoadFact, ms: number) {
			now = time;
			fact(plugin, name, ms);
		},
		fail: (plugin: string) => view.observe({ type: "state", plugin, state: "failed", error: new Error("it threw") }),
	};
}

const steps: [LoadFact, number][] = [
	["found", 0],
	["spawned", 1],
	["clientInfo", 20],
	["imported", 30],
	["activated", 30],
	["registered", 40],
	["ready", 40],
	["published", 80],
];

test("a plugin has its line when it is published or has failed, where lines cannot be written again", () => {
	const { at, lines, fail } = createStory(false);
	for (const [name, ms] of steps.slice(0, -1)) at(ms, "a", name, ms);
	expect(lines).toEqual([]);
	fail("b");
	at(80, "a", "published", 80);
	expect(lines.map((line) => line.replace(/ +/g, " "))).toEqual([
		" b it threw",
		" a found 0.0 spawned 1.0 client.info 20.0 imported 30.0 activated 30.0 registered 40.0 ready 40.0 published 80.0",
	]);
});

test("a row fills in as facts come, beside those of the others", () => {
	const { at, lines } = createStory(true);
	at(0, "b", "found", 0);
	expect(lines.slice(2).map((line) => line.split(/ +/))).toEqual([
		["", "a", ..."········"],
		["", "b", "0.0", ..."·······"],
	]);
	at(1, "a", "found", 0);
	at(2, "b", "spawned", 1.25);
	expect(lines.slice(2).map((line) => line.split(/ +/))).toEqual([
		["", "a", "0.0", ..."·······"],
		["", "b", "0.0", "1.3", ..."······"],
	]);
	expect(lines).toHaveLength(4);
});

test("the waterfall has one axis for all, a glyph for each phase, and ends each bar where the load ended", () => {
	const { at, lines, view, fail } = createStory(false);
	for (const [name, ms] of steps) at(ms, "a", name, ms);
	at(60, "b", "found", 0);
	at(80, "b", "clientInfo", 20);
	fail("b");
	lines.length = 0;
	view.waterfall();
	const [, first = "", second = "", axis] = lines;
	// On this screen a cell stands for a millisecond.
	expect(first.replace(/ +/g, " ")).toBe(
		` a ${"░".repeat(20)}${"▒".repeat(10)}${"▓".repeat(10)}${"█".repeat(40)} 80.0 ms`,
	);
	expect(second).toMatch(/^ {2}b +░{20} +failed$/);
	expect(second.indexOf("░") - first.indexOf("░")).toBe(60);
	expect(axis).toMatch(/^ +0 +80\.0 ms$/);
	expect(view.failed()).toEqual([["b", "it threw"]]);
});
