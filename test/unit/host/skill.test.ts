import { beforeEach, describe, expect, test } from "bun:test";
import { readSkill } from "../../../host/sources/skill.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

const frontMatter = (name: string, description = "Does it.") =>
	`---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
let warnings: string[] = [];
beforeEach(() => {
	warnings = [];
});
const read = (path: string) => readSkill("sk", disk.path("sk"), path, (message) => warnings.push(message));

async function refusal(path: string): Promise<string> {
	const error: unknown = await read(path).catch((thrown) => thrown);
	if (!isBroodError(error, "invalid_skill")) throw new Error(`expected invalid_skill, got ${String(error)}`);
	expect(error.message).toStartWith(`Skill "${path}" of plugin "sk" was refused: `);
	return error.message;
}

/** Writes the SKILL.md of skills/good and reads how it is refused. */
async function refusalOf(document: string): Promise<string> {
	disk.file("sk/skills/good/SKILL.md", document);
	return await refusal("skills/good");
}

describe("a skill", () => {
	test("is named after its plugin and knows its folder", async () => {
		disk.file("sk/skills/good/SKILL.md", frontMatter("good"));
		expect(await read("skills/good")).toEqual({
			name: "sk:good",
			description: "Does it.",
			path: disk.path("sk/skills/good"),
		});
	});

	test("may have CRLF line ends, a byte order mark, other fields and a folded description", async () => {
		disk.file("sk/crlf/SKILL.md", frontMatter("crlf").replaceAll("\n", "\r\n"));
		disk.file("sk/bom/SKILL.md", `\ufeff${frontMatter("bom")}`);
		disk.file(
			"sk/more/SKILL.md",
			"---\nname: more\nlicense: MIT\nmetadata: {a: {b: c}}\ndescription: >\n  two\n  lines\n---",
		);
		expect((await read("crlf")).name).toBe("sk:crlf");
		expect((await read("bom")).name).toBe("sk:bom");
		expect((await read("more")).description).toBe("two lines");
	});

	test.each(["Use when: a report is read", "@mentions", "`code` first", "%percent: of them"])(
		"is read with the value %j as text, and a warning says where quotes belong",
		async (description) => {
			disk.file("sk/skills/good/SKILL.md", frontMatter("good", description));
			expect(await read("skills/good")).toMatchObject({ name: "sk:good", description });
			expect(warnings).toEqual([expect.stringContaining('skill "skills/good": line 3 of SKILL.md is no YAML')]);
		},
	);

	test("keeps a description that looks like another type as text", async () => {
		disk.file("sk/1/SKILL.md", frontMatter("1", "true"));
		expect(await read("1")).toMatchObject({ name: "sk:1", description: "true" });
	});

	test("may have names and descriptions up to the limits", async () => {
		const name = "n".repeat(64);
		disk.file(`sk/${name}/SKILL.md`, frontMatter(name, "d".repeat(1_024)));
		expect((await read(name)).description).toHaveLength(1_024);
	});
});

describe("a path is refused", () => {
	test.each([
		"../outside",
		"/etc",
		"skills/../../outside",
		"",
		"skills/missing",
		"skills/good/SKILL.md",
		"skills/link",
	])("when it is %j", async (path) => {
		disk.file("sk/skills/good/SKILL.md", frontMatter("good"));
		disk.file("outside/SKILL.md", frontMatter("link"));
		disk.link("sk/skills/link", "../../outside");
		await refusal(path);
	});

	test.each(["./skills/good", "skills//good", "skills/good/", "skills/./good"])(
		"when %j is not normalized",
		async (path) => {
			disk.file("sk/skills/good/SKILL.md", frontMatter("good"));
			expect(await refusal(path)).toContain('write "skills/good"');
		},
	);

	test("when its SKILL.md is missing, a folder, a FIFO, or a link out of the plugin", async () => {
		disk.folder("sk/a");
		disk.folder("sk/b/SKILL.md");
		disk.fifo("sk/c/SKILL.md");
		disk.file("outside/SKILL.md", frontMatter("d"));
		disk.link("sk/d/SKILL.md", "../../outside/SKILL.md");
		expect(await refusal("a")).toContain("SKILL.md cannot be read: it does not exist");
		expect(await refusal("b")).toContain("it is a directory, not a file");
		expect(await refusal("c")).toContain("it is a FIFO, not a file");
		expect(await refusal("d")).toContain("a link leads out");
	});
});

describe("a document is refused", () => {
	test("without front matter, or with one that does not end", async () => {
		for (const text of ["", "# no front matter\n", "---\nname: good\n", "\n---\nname: good\n---\n"]) {
			expect(await refusalOf(text)).toContain("must begin with front matter");
		}
	});

	test("when the front matter holds no fields", async () => {
		for (const text of ["---\n---\n", "---\n- a\n---\n", "---\nword\n---\n"]) {
			expect(await refusalOf(text)).toContain("must hold fields");
		}
	});

	test("with the line in the file when it is no YAML", async () => {
		expect(await refusalOf(frontMatter("good", '"Records'))).toContain("line 3 of SKILL.md is no YAML");
		expect(await refusalOf(frontMatter("good", "Records: what\n  is: there"))).toContain(
			"line 3 of SKILL.md is no YAML",
		);
		expect(warnings).toEqual([]);
	});

	test("when a key is there twice or an alias is used", async () => {
		expect(await refusalOf("---\nname: good\nname: good\ndescription: d\n---\n")).toContain("line 3 of SKILL.md");
		expect(await refusalOf("---\nname: &n good\ndescription: *n\n---\n")).toContain("Alias");
	});

	test("when the name is missing, not allowed, or not that of its folder", async () => {
		expect(await refusalOf("---\ndescription: d\n---\n")).toContain("has no name");
		expect(await refusalOf("---\nname: [good]\ndescription: d\n---\n")).toContain("has no name");
		expect(await refusalOf(frontMatter("other"))).toContain('its name is "other", but its folder is called "good"');
		for (const name of ["Good", "go_od", "-good", "good-", "go--od", "g.d", "n".repeat(65)]) {
			expect(await refusalOf(frontMatter(name))).toContain("is not allowed");
		}
	});

	test("when the description is missing, blank or too long", async () => {
		expect(await refusalOf("---\nname: good\n---\n")).toContain("has no description");
		expect(await refusalOf(frontMatter("good", '"  "'))).toContain("has no description");
		expect(await refusalOf(frontMatter("good", "d".repeat(1_025)))).toContain("longer than 1024 characters");
	});

	test("when it, or its front matter, is too large", async () => {
		expect(await refusalOf(frontMatter("good") + " ".repeat(limits.text.documentBytesMax))).toContain("larger than");
		const many = Array.from({ length: 4_000 }, (_, index) => `key${index}: v`).join("\n");
		expect(await refusalOf(`---\n${many}\n---\n`)).toContain("longer than 16384 characters");
	});
});
