import { describe, expect, test } from "bun:test";
import { scan } from "../../../host/sources/scan.ts";
import { readStatic } from "../../../host/sources/static.ts";

const kindOf = (text: string, part: string) => [...scan(text)].find((token) => token.text === part)?.kind;

describe("a hostile text costs a bounded amount of work", () => {
	test("slashes that begin no regular expression are searched only so far in a whole text", () => {
		const vain = (count: number) => `${"=/[".repeat(count)}\n; found = /'/;`;
		expect(kindOf(vain(30), "/'/")).toBe("regex");
		expect(kindOf(vain(5_000), "/'/")).toBeUndefined();
	});

	test("what comes after very much code is not looked for, and that is told", () => {
		const facts = (count: number) => readStatic(`${"a;".repeat(count)}\nexport const description = "late";`, "a.ts");
		expect(facts(9_000)).toEqual({ announcedModes: [], warnings: [], description: "late" });
		expect(facts(11_000)).toEqual({
			announcedModes: [],
			warnings: [expect.stringMatching(/^a\.ts:1: from here on no description/)],
		});
	});

	test("code after the last thing of interest is not read", () => {
		const text = `export const description = "early";\n${"a;".repeat(100_000)}`;
		expect(readStatic(text, "a.ts")).toEqual({ announcedModes: [], warnings: [], description: "early" });
		expect(readStatic(`// @amp-agent-mode {"key":"k","label":"L"}\n${"a;".repeat(100_000)}`, "a.ts")).toMatchObject({
			announcedModes: [{ key: "k", label: "L", line: 1 }],
			warnings: [],
		});
	});

	test("a default export is not taken for that of a description", () => {
		const much = "a;".repeat(20_000);
		const text = (name: string) => `${much}\nexport ${name} (amp) { amp.registerTool({ description: "a tool" }) }`;
		expect(readStatic(text("default function"), "a.ts").warnings).toEqual([]);
		expect(readStatic(text("defaulted /*"), "a.ts").warnings).toHaveLength(1);
		const odd = 'export /* export default */ const description = "odd";';
		expect(readStatic(odd, "a.ts").description).toBe("odd");
	});

	test("of thousands of mistakes some are told, and how many there are", () => {
		const { warnings } = readStatic("// @amp-agent-mode x\n".repeat(1_000), "a.ts");
		expect(warnings).toHaveLength(21);
		expect(warnings.at(-1)).toBe("a.ts: 980 more of this kind are not told");
	});
});
