import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchLinks } from "../../../child/api/links.ts";
import { withoutOverlaps } from "../../../host/calls/links.ts";
import { propertyRuns } from "../../support/effort.ts";

const link = (pattern: string, href = "https://x.test/{{match}}", id = "l") => ({ id, pattern, href });
const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;

describe("what a pattern matches", () => {
	test("fills each placeholder, and one of a group without a text with nothing", () => {
		const item = link("(?<owner>\\w+)/(?<name>\\w+)(?<rest>@\\w+)?", "/{{owner}}/{{name}}{{rest}}?m={{match}}");
		expect(matchLinks([item], "see a/b and c/d@e")).toEqual([
			{ id: "l", start: 4, end: 7, href: "/a/b?m=a%2Fb" },
			{ id: "l", start: 12, end: 17, href: "/c/d%40e?m=c%2Fd%40e" },
		]);
	});

	test("is tried for another end where a word would be cut", () => {
		expect(matchLinks([link("ab|abc")], "abc ab abcd").map(({ start, end }) => [start, end])).toEqual([
			[0, 3],
			[4, 6],
		]);
	});

	test("is never an empty text, wherever a pattern allows that", () => {
		expect(matchLinks([link("(?=\\.)"), link("\\.*(?=,)", "/{{match}}", "b")], " . , ..,")).toEqual([
			{ id: "b", start: 5, end: 7, href: "/.." },
		]);
	});

	test("stands where it says, between words, for any text", () => {
		const items = [link("[a-c]+\\d*"), link("#[^ ]+", "/{{match}}", "tag"), link("é|ü+", "/{{match}}", "accent")];
		const texts = fc.string({
			unit: fc.constantFrom("a", "b", "1", "_", "#", " ", "é", "ü", "\u0301", "😀", "\ud800"),
			maxLength: 24,
		});
		fc.assert(
			fc.property(texts, (text) => {
				for (const { id, start, end, href } of matchLinks(items, text)) {
					const found = text.slice(start, end);
					const item = items.find((one) => one.id === id);
					expect(new RegExp(`^(?:${item?.pattern})$`, "u").test(found)).toBe(true);
					expect(wordCharacter.test([...text.slice(0, start)].at(-1) ?? "")).toBe(false);
					expect(wordCharacter.test([...text.slice(end)][0] ?? "")).toBe(false);
					expect(href.endsWith(encodeURIComponent(found.toWellFormed()))).toBe(true);
				}
			}),
			propertyRuns,
		);
	});
});

test("of links that overlap one stays, and none that overlaps nothing is lost", () => {
	const places = fc.array(fc.record({ start: fc.nat(20), length: fc.integer({ min: 1, max: 6 }) }), { maxLength: 12 });
	fc.assert(
		fc.property(places, (given) => {
			const found = given.map(({ start, length }, index) => {
				return { text: "", start, end: start + length, href: "/", plugin: `p${index}`, id: "l" };
			});
			const kept = withoutOverlaps(found);
			for (const [index, one] of kept.entries()) expect(one.start).toBeGreaterThanOrEqual(kept[index - 1]?.end ?? 0);
			for (const lost of found.filter((one) => !kept.includes(one))) {
				// What was kept in its place begins before it, or there and is no shorter, or as long and of a better rank.
				const winner = kept.find((one) => one.start < lost.end && lost.start < one.end);
				expect(winner === undefined ? "nothing" : winner.start <= lost.start).toBe(true);
				if (winner?.start === lost.start) expect(winner.end).toBeGreaterThanOrEqual(lost.end);
				if (winner?.start === lost.start && winner.end === lost.end) {
					expect(found.indexOf(winner)).toBeLessThan(found.indexOf(lost));
				}
			}
		}),
		propertyRuns,
	);
});
