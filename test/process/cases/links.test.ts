import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { createSite, statesByName } from "./modules-support.ts";

const bench = createBench();

test("of twelve link patterns two are accepted, and each other is refused with the rule that it breaks", async () => {
	const site = createSite(bench);
	site.copy("167-link-pattern-limits/plugin.ts", "plugin.ts");
	const running = await site.start(["plugin.ts"]);
	expect(statesByName(running)).toEqual({ plugin: "ready" });
	const rules: Record<string, string> = {
		back: "may not refer back",
		behind: "may not look behind",
		empty: "may not match the empty text",
		long: "1 to 200 characters",
		broken: "is no regular expression",
		js: "href begins with",
		proto: "href begins with",
		"bad id!": "1 to 64 letters, digits or hyphens",
		iiiiiiiii: "1 to 64 letters, digits or hyphens",
		nogroup: "no group of that name",
	};
	const refused = Object.keys(rules).map((id) => ({ id, ok: false, msg: expect.stringContaining(String(rules[id])) }));
	expect(site.written()).toEqual([{ id: "ok", ok: true }, { id: "named", ok: true }, ...refused]);
	expect(running.host.links.list().map(({ item }) => item)).toEqual([
		{ id: "ok", pattern: "ENG-\\d{1,6}", href: "https://example.com/{{match}}" },
		{ id: "named", pattern: "(?<n>PR-\\d+)", href: "/pr/{{n}}" },
	]);
});
