import { expect, test } from "bun:test";
import { drawBench } from "../../../../host/devtools/svg/chart.ts";
import { createScale, roundStep } from "../../../../host/devtools/svg/scale.ts";
import { syntheticRecord } from "./support.ts";

const names = ["hello", `<script>alert("1")</script>`, "long-".repeat(50), "ü\u001B[31m\u202E"];

test("a picture has every plugin and stage, is well-formed and needs nothing else", async () => {
	const svg = drawBench(syntheticRecord({ seed: 1, plugins: ["hello", "other"] }));
	const { elements, texts } = await readMarkup(svg);
	for (const word of ["hello", "other", "bare Bun (floor)", "0"]) expect(texts).toContain(word);
	expect(texts.some((text) => text.startsWith("50 rounds: "))).toBe(true);
	for (const stage of ["spawn", "client.info", "import", "activate", "ready", "published"]) {
		expect(texts.filter((words) => words.startsWith(stage))).toHaveLength(3);
	}
	expect(texts.some((words) => /^\d+(?:\.\d+)? ms$/.test(words))).toBe(true);
	expect(svg).toContain("prefers-color-scheme:dark");
	expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|href|@import|url\(/);
	expect(elements).not.toContain("script");
});

test("a name is text, whatever it holds, and does not run over what stands beside it", async () => {
	const { elements, texts } = await readMarkup(drawBench(syntheticRecord({ seed: 1, plugins: names })));
	expect(elements).not.toContain("script");
	expect(texts).toContain(`<script>alert("1")</script>`);
	expect(texts).toContain("ü");
	const [long = ""] = texts.filter((words) => words.startsWith("long-"));
	expect(long).toMatch(/^(?:long-){5}.*…$/);
	expect(long.length).toBeLessThan(110);
});

test("everything lies inside the picture, also where one round was a hundred times as slow", async () => {
	const record = syntheticRecord({ seed: 4, plugins: names });
	for (const plugin of record.plugins) {
		if (!plugin.ok) continue;
		plugin.start.times[0] = 900;
		plugin.start.max = 900;
	}
	const svg = drawBench(record);
	const xs = [...svg.matchAll(/ (?:x|x1|x2|cx)="([^"]+)"/g)].map(([, x]) => Number(x));
	expect(xs.length).toBeGreaterThan(100);
	expect(xs.filter((x) => !(x >= 0 && x <= 860))).toEqual([]);
	const { texts } = await readMarkup(svg);
	expect(texts.filter((words) => words.endsWith("up to 900 ms"))).toHaveLength(names.length);
	// The scale is that of the others.
	expect(texts.some((words) => /^(?:[1-3]\d) ms$/.test(words))).toBe(true);
});

test("what did not load is named below", async () => {
	const record = syntheticRecord({ seed: 1 });
	const error = { code: "load_failed", message: "no" };
	record.plugins.push({ name: "bad", system: "amp", scope: "project", path: "/bad.ts", ok: false, error });
	const { texts } = await readMarkup(drawBench(record));
	expect(texts).toContain("Did not load: bad");
});

test.each([
	[0.9, 0.2],
	[7.3, 1],
	[13, 2],
	[100, 20],
	[4_321, 1_000],
])("an axis up to %p has a line every %p", (max, step) => {
	const { ticks, max: end, at } = createScale(max, 0, 100);
	expect(ticks[1]).toBe(step);
	expect(ticks[0]).toBe(0);
	expect(end).toBeGreaterThanOrEqual(max);
	expect(ticks.length).toBeLessThanOrEqual(10);
	expect([at(0), at(end), at(10 * end)]).toEqual([0, 100, 100]);
});

test("a round step is 1, 2 or 5 times a power of ten, and never less than what was asked for", () => {
	expect([0.03, 0.1, 1.1, 2, 2.1, 5.5, 70].map(roundStep)).toEqual([0.05, 0.1, 2, 2, 5, 10, 100]);
});

/** Reads markup that must be well-formed: each element is closed, and no text holds a bare sign of markup. */
async function readMarkup(svg: string): Promise<{ elements: string[]; texts: string[] }> {
	const open: string[] = [];
	const elements: string[] = [];
	const rest = svg
		.replace(/<style>[^<]*<\/style>/, "")
		.replace(/<(\/?)(\w+)((?: [\w-]+="[^"<]*")*)(\/?)>/g, (...match) => {
			const [, closes, name = "", , alone] = match;
			if (closes === "/") expect(open.pop()).toBe(name);
			else if (alone === "") open.push(name);
			elements.push(name);
			return "";
		});
	expect(open).toEqual([]);
	expect(rest).not.toMatch(/[<>]|&(?!#\d+;)/);
	const texts: string[] = [];
	let current = "";
	const rewriter = new HTMLRewriter().on("text", {
		text({ text, lastInTextNode }) {
			current += text;
			if (!lastInTextNode) return;
			texts.push(current.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))));
			current = "";
		},
	});
	await rewriter.transform(new Response(svg)).text();
	return { elements, texts };
}
