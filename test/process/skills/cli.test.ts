import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

test("list and info show the skills of a plugin, and info the files that each brings along", async () => {
	const skill = (name: string) => `---\nname: ${name}\ndescription: Use ${name}.\n---\n\nDo it.\n`;
	await desk.write({
		"kit/index.ts": `export default async (amp) => {
			await amp.registerSkill({ path: "skills/review" });
			await amp.registerSkill({ path: "skills/plain" });
		};`,
		"kit/skills/review/SKILL.md": skill("review"),
		"kit/skills/review/scripts/check.sh": "exit 0\n",
		"kit/skills/review/references/rules.md": "",
		"kit/skills/plain/SKILL.md": skill("plain"),
	});
	const [list, listJSON, info, infoJSON] = await Promise.all([
		desk.run(["-p", "kit", "list"]),
		desk.run(["-p", "kit", "list", "--json"]),
		desk.run(["-p", "kit", "info", "kit"]),
		desk.run(["-p", "kit", "info", "kit", "--json"]),
	]);
	expect(list.stdout).toContain("skills kit:review, kit:plain");
	const { skills } = JSON.parse(listJSON.stdout).plugins[0];
	expect(skills).toEqual([
		{ name: "kit:review", description: "Use review.", path: desk.path("kit/skills/review") },
		{ name: "kit:plain", description: "Use plain.", path: desk.path("kit/skills/plain") },
	]);
	const rows = info.stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
	const start = rows.findIndex(([title]) => title === "skills");
	expect(rows.slice(start + 1, start + 5)).toEqual([
		["kit:review", "Use review."],
		["references/rules.md"],
		["scripts/check.sh"],
		["kit:plain", "Use plain."],
	]);
	expect(JSON.parse(infoJSON.stdout).skills).toEqual([
		{
			...skills[0],
			files: [
				{ path: "references/rules.md", bytes: 0 },
				{ path: "scripts/check.sh", bytes: 7 },
			],
		},
		{ ...skills[1], files: [] },
	]);
});
