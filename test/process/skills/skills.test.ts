import { expect, test } from "bun:test";
import { appendFileSync, rmSync } from "node:fs";
import type { CreateHostOptions, Host } from "../../../host/host.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { createSite, type Site } from "../cases/modules-support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const skill = (name: string, body = "\nDo it.\n") => `---\nname: ${name}\ndescription: Use ${name}.\n---\n${body}`;

/** Registers skills/a and skills/b, and gives up or takes up skills/a when its tools are called. */
const author = `
export default async (amp) => {
	let first = await amp.registerSkill({ path: "skills/a" });
	await amp.registerSkill({ path: "skills/b" });
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	tool("drop", async () => { first.unsubscribe(); first.unsubscribe(); });
	tool("take", async () => { first = await amp.registerSkill({ path: "skills/a" }); });
	tool("again", async () => {
		const refused = await amp.registerSkill({ path: "skills/a" }).catch((error) => error);
		return JSON.stringify({ code: refused.code, message: refused.message });
	});
	tool("careless", async () => void amp.registerSkill({ path: "skills/a" }));
	tool("race", async () => {
		const both = await Promise.allSettled([amp.registerSkill({ path: "c" }), amp.registerSkill({ path: "c" })]);
		return both.map(({ status }) => status).join(" ");
	});
};`;

async function startAuthor(options: CreateHostOptions = {}) {
	const site = createSite(bench);
	site.write({
		"sk/index.ts": author,
		"sk/skills/a/SKILL.md": skill("a"),
		"sk/skills/b/SKILL.md": skill("b"),
		"sk/c/SKILL.md": skill("c"),
	});
	return { site, ...(await site.start(["sk"], options)) };
}

async function codeOf(task: Promise<unknown>): Promise<[code: string, message: string]> {
	const error: unknown = await task.then(
		() => undefined,
		(thrown) => thrown,
	);
	if (!isBroodError(error)) throw new Error(`expected a failure, got ${String(error)}`);
	return [error.code, error.message];
}

const names = (host: Host) => host.skills.list().map(({ key }) => key);

test("a skill is read when it is asked for: what stands in the file now, without its front matter", async () => {
	const { site, host } = await startAuthor();
	expect(await host.skills.read("sk:a")).toBe("Do it.\n");
	site.write({ "sk/skills/a/SKILL.md": skill("a", "\r\n  \r\n\r\n  # Newly\r\n---\r\nsaid\r\n\r\n") });
	expect(await host.skills.read("sk:a")).toBe("  # Newly\r\n---\r\nsaid\r\n\r\n");
	site.write({ "sk/skills/a/SKILL.md": `\ufeff${skill("a", "")}` });
	expect(await host.skills.read("sk:a")).toBe("");
});

test("a skill that is unknown, gone, or no skill any more is a named error that says so", async () => {
	const { site, host } = await startAuthor();
	const [unknown, told] = await codeOf(host.skills.read("sk:z"));
	expect([unknown, told]).toEqual(["skill_not_found", expect.stringContaining('no skill "sk:z"')]);
	expect(told).toContain("There are sk:a, sk:b.");
	site.write({ "sk/skills/a/SKILL.md": "no front matter" });
	expect(await codeOf(host.skills.read("sk:a"))).toEqual([
		"skill_unreadable",
		expect.stringContaining('Skill "sk:a" of plugin "sk" cannot be read: SKILL.md must begin with front matter'),
	]);
	appendFileSync(site.path("sk/skills/b/SKILL.md"), "x".repeat(1024 * 1024));
	expect(await codeOf(host.skills.read("sk:b"))).toEqual(["skill_unreadable", expect.stringContaining("larger than")]);
	rmSync(site.path("sk/skills/a"), { recursive: true });
	const tasks = [host.skills.read("sk:a"), host.skills.files("sk:a"), host.skills.readFile("sk:a", "assets/x")];
	for (const outcome of await Promise.all(tasks.map((task) => codeOf(task)))) {
		expect(outcome).toEqual(["skill_unreadable", expect.stringContaining("it does not exist")]);
	}
});

function writeFiles(site: Site): void {
	site.write({
		"sk/skills/a/scripts/run.sh": "echo run",
		"sk/skills/a/scripts/deep/er.sh": "",
		"sk/skills/a/references/z.md": "é",
		"sk/skills/a/references/B.md": "",
		"sk/skills/a/assets/logo.bin": "\u0000\u0001",
		"sk/skills/a/other/x": "",
		"sk/skills/a/top.md": "",
		"sk/shared/inside.md": "inside",
		"outside/secret": "secret",
	});
	site.link("sk/skills/a/references/inside.md", "../../../shared/inside.md");
	site.link("sk/skills/a/references/secret", "../../../../outside/secret");
	site.link("sk/skills/a/references/nowhere", "nothing");
	site.link("sk/skills/b/scripts", "../../../outside");
}

test("the files of a skill are those directly in its three folders; links out of the plugin are left out", async () => {
	const { site, host } = await startAuthor();
	writeFiles(site);
	expect(await host.skills.files("sk:a")).toEqual([
		{ path: "assets/logo.bin", bytes: 2 },
		{ path: "references/B.md", bytes: 0 },
		{ path: "references/inside.md", bytes: 6 },
		{ path: "references/z.md", bytes: 2 },
		{ path: "scripts/run.sh", bytes: 8 },
	]);
	expect(await host.skills.files("sk:b")).toEqual([]);
	expect(await host.skills.readFile("sk:a", "assets/logo.bin")).toEqual(Uint8Array.of(0, 1));
	expect(await host.skills.readFile("sk:a", "references/B.md")).toEqual(new Uint8Array());
	expect(new TextDecoder().decode(await host.skills.readFile("sk:a", "references/inside.md"))).toBe("inside");
});

const elsewhere = [
	"",
	"top.md",
	"other/x",
	"scripts",
	"scripts/",
	"scripts/.",
	"scripts/..",
	"scripts/deep/er.sh",
	"scripts/../top.md",
	"/etc/passwd",
	"./scripts/run.sh",
	"scripts//run.sh",
	"..",
	"scripts\\run.sh",
	"scripts/run.sh\0",
];

test("a path that is none of these files is refused, whatever it looks like, and so is what is no file", async () => {
	const { site, host } = await startAuthor();
	writeFiles(site);
	Bun.spawnSync(["mkfifo", site.path("sk/skills/a/assets/pipe")]);
	const told = await Promise.all(elsewhere.map((path) => codeOf(host.skills.readFile("sk:a", path))));
	expect(told.map(([code]) => code)).toEqual(elsewhere.map(() => "skill_unreadable"));
	const reasons: [path: string, reason: string][] = [
		["references/secret", "a link leads out of"],
		["references/nowhere", "it does not exist"],
		["scripts/deep", "it is a directory, not a file"],
		["assets/pipe", "it is a FIFO, not a file"],
	];
	for (const [path, reason] of reasons) {
		const [code, message] = await codeOf(host.skills.readFile("sk:a", path));
		expect([code, message]).toEqual(["skill_unreadable", expect.stringContaining(`${path}: ${reason}`)]);
	}
	const [, linked] = await codeOf(host.skills.readFile("sk:b", "scripts/secret"));
	expect(linked).toContain("a link leads out of");
});

test("more and larger files than the host allows are not listed and not read", async () => {
	const { site, host } = await startAuthor({ limits: { text: { skillFilesMax: 3, skillFileBytesMax: 10 } } });
	const files = ["1", "2", "3", "4"].map((name) => [`sk/skills/a/scripts/${name}`, "x".repeat(7 + Number(name))]);
	site.write(Object.fromEntries(files));
	expect((await host.skills.files("sk:a")).map(({ path }) => path)).toEqual(["scripts/1", "scripts/2", "scripts/3"]);
	expect(await host.skills.readFile("sk:a", "scripts/3")).toHaveLength(10);
	const [, message] = await codeOf(host.skills.readFile("sk:a", "scripts/4"));
	expect(message).toContain("scripts/4: its 11 bytes are more than the limit of 10");
});

test("a skill that a plugin gives up is gone for everybody, and may be registered again", async () => {
	const { host, next } = await startAuthor();
	const removed = next("registry", ({ change }) => change.removed.length > 0);
	await host.tools.call("drop", {});
	expect((await removed).change.removed).toEqual([
		expect.objectContaining({ kind: "skill", key: "sk:a", plugin: "sk" }),
	]);
	expect(names(host)).toEqual(["sk:b"]);
	expect((await codeOf(host.skills.read("sk:a")))[0]).toBe("skill_not_found");
	const added = next("registry", ({ change }) => change.added.length > 0);
	await host.tools.call("take", {});
	expect((await added).change.added).toEqual([expect.objectContaining({ kind: "skill", key: "sk:a", plugin: "sk" })]);
	expect(names(host)).toEqual(["sk:b", "sk:a"]);
	await host.disable("sk");
	expect(names(host)).toEqual([]);
	expect((await codeOf(host.skills.read("sk:b")))[1]).toContain("No plugin has a skill.");
});

test("a skill can be registered once, also when two registrations wait at the same time", async () => {
	const { host, logged } = await startAuthor();
	const { text } = await host.tools.call("again", {});
	expect(JSON.parse(text)).toEqual({
		code: "invalid_skill",
		message: expect.stringContaining('Skill "sk:a" of plugin "sk" was refused: this plugin has registered it already'),
	});
	expect((await host.tools.call("race", {})).text).toBe("fulfilled rejected");
	expect(names(host).filter((name) => name === "sk:c")).toHaveLength(1);
	await host.tools.call("careless", {});
	expect((await logged("sk", "amp call skill.register failed and nobody awaited it")).message).toContain("already");
	expect(host.plugins.get("sk")).toMatchObject({ state: "ready", launches: 1 });
});

test("a plugin's own folder can be a skill, also where a link leads to the plugin", async () => {
	const site = createSite(bench);
	site.write({
		"real/whole/index.ts": `export default (amp) => amp.registerSkill({ path: "." });`,
		"real/whole/SKILL.md": skill("whole"),
		"real/whole/scripts/run.sh": "run",
	});
	site.link("link", "real");
	const { host } = await site.start(["link/whole"]);
	expect(names(host)).toEqual(["whole:whole"]);
	expect(await host.skills.read("whole:whole")).toBe("Do it.\n");
	expect(await host.skills.files("whole:whole")).toEqual([{ path: "scripts/run.sh", bytes: 3 }]);
	expect(await host.skills.readFile("whole:whole", "scripts/run.sh")).toHaveLength(3);
});

test("a plugin that claims another folder for its skill gets nothing outside its own folder read", async () => {
	const site = createSite(bench);
	const forged = { name: "liar:passwd", description: "d", path: "/etc" };
	site.write({
		"liar/index.ts": `export default async (amp) => {
			const { set } = Map.prototype;
			Map.prototype.set = function (key, value) {
				return set.call(this, key, key === "liar:s" ? { ...value, item: ${JSON.stringify(forged)} } : value);
			};
			await amp.registerSkill({ path: "s" });
		};`,
		"liar/s/SKILL.md": skill("s"),
	});
	const { host } = await site.start(["liar"]);
	expect(names(host)).toEqual(["liar:passwd"]);
	for (const ask of [() => host.skills.read("liar:passwd"), () => host.skills.files("liar:passwd")]) {
		expect(await codeOf(ask())).toEqual(["skill_unreadable", expect.stringContaining("holds ..")]);
	}
});
