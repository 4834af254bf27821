import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { createSite, statesByName } from "./modules-support.ts";

const bench = createBench();

test("of eight paths the one that is a skill of the plugin is accepted; each other is refused and named", async () => {
	const site = createSite(bench);
	site.copy("130-register-skill-paths/sk", "sk");
	site.copy("130-register-skill-paths/outside", "outside");
	site.link("sk/skills/link", "../../outside");
	const { host } = await site.start(["sk"]);
	const tried = site.written();
	expect(tried.map(({ path, ok }) => [path, ok])).toEqual([
		["skills/good", true],
		["skills/missing", false],
		["../outside", false],
		["/etc", false],
		["skills/../../outside", false],
		["", false],
		["skills/good/SKILL.md", false],
		["skills/link", false],
	]);
	const rules = ["does not exist", "holds ..", "is absolute", "holds ..", "is empty", "a folder", "a link leads out"];
	for (const [index, { path, msg }] of tried.slice(1).entries()) {
		expect(msg).toStartWith(`Skill "${path}" of plugin "sk" was refused: `);
		expect(msg).toContain(rules[index]);
	}
	expect(host.skills.list()).toEqual([
		expect.objectContaining({
			plugin: "sk",
			item: { name: "sk:good", description: "A small skill.", path: site.path("sk/skills/good") },
		}),
	]);
});

test("front matter of each common shape loads or is refused with its reason, and one bad skill spoils no other", async () => {
	const front = (name: string, description: string) =>
		`---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
	const skills: Record<string, string> = {
		fine: front("fine", "Plain."),
		crlf: front("crlf", "Line ends of another system.").replaceAll("\n", "\r\n"),
		bom: `\ufeff${front("bom", "A byte order mark.")}`,
		quoted: front("quoted", '"Use when: a colon stands in quotes."'),
		colon: front("colon", "Use when: it is plain."),
		nofront: "# No front matter\n",
		other: front("another", "Not the name of its folder."),
		empty: "",
		"group/inner": front("inner", "Below a folder that is none."),
	};
	const site = createSite(bench);
	for (const [path, text] of Object.entries(skills)) site.write({ [`sk/skills/${path}/SKILL.md`]: text });
	site.write({
		"sk/index.ts": `import { appendFileSync } from "node:fs";
			export default async (amp) => {
				for (const path of ${JSON.stringify([...Object.keys(skills), "group"])}) {
					const line = await amp.registerSkill({ path: "skills/" + path }).then(
						() => ({ path, ok: true }),
						(error) => ({ path, ok: false, code: error.code, msg: error.message }),
					);
					appendFileSync(process.env.CASE_LOG, JSON.stringify(line) + "\\n");
				}
			};`,
	});
	const running = await site.start(["sk"]);
	expect(statesByName(running)).toEqual({ sk: "ready" });
	expect(running.host.skills.list().map(({ item }) => [item.name, item.description])).toEqual([
		["sk:fine", "Plain."],
		["sk:crlf", "Line ends of another system."],
		["sk:bom", "A byte order mark."],
		["sk:quoted", "Use when: a colon stands in quotes."],
		["sk:colon", "Use when: it is plain."],
		["sk:inner", "Below a folder that is none."],
	]);
	const log = running.host.plugins.log("sk").map(({ level, message }) => [level, message]);
	expect(log).toEqual([["warn", expect.stringContaining('skill "skills/colon": line 3 of SKILL.md is no YAML')]]);
	const refused = site.written().filter(({ ok }) => ok === false);
	expect(refused).toEqual([
		{ path: "nofront", ok: false, code: "invalid_skill", msg: expect.stringContaining("must begin with front matter") },
		{ path: "other", ok: false, code: "invalid_skill", msg: expect.stringContaining('its name is "another"') },
		{ path: "empty", ok: false, code: "invalid_skill", msg: expect.stringContaining("must begin with front matter") },
		{ path: "group", ok: false, code: "invalid_skill", msg: expect.stringContaining("SKILL.md cannot be read") },
	]);
	for (const { path, msg } of refused) expect(msg).toContain(`Skill "skills/${path}" of plugin "sk"`);
});

test("a plugin that is one file has no skills, and is told so", async () => {
	const site = createSite(bench);
	site.write({
		"solo.ts": `export default (amp) => amp.registerSkill({ path: "skills/a" });`,
		"skills/a/SKILL.md": "---\nname: a\ndescription: d\n---\n",
	});
	const { host } = await site.start(["solo.ts"]);
	const { state, error } = host.plugins.get("solo");
	expect(state).toBe("failed");
	expect(error?.message).toContain("only a directory plugin can have skills");
	expect(error?.message).toContain("solo/index.ts");
	expect(host.skills.list()).toEqual([]);
});
