import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { createDesk, parseLines } from "../cli/support.ts";
import { around, filesBelow } from "./support.ts";

const desk = createDesk();

const typed = ["typed", "canary", "word"].join("-");
const inherited = ["inherited", "canary", "word"].join("-");

const leaky = `export default (amp) => {
	const token = process.env.DEMO_API_TOKEN;
	console.log("loading with", token);
	amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		const all = (await ui.input({ title: "Key", secret: true })) + " & " + token;
		console.log("printed", all);
		amp.logger.log("logged", { all });
		await ui.notify("shown " + all);
		const more = await ui.input({ title: "Again " + all, initialValue: all });
		throw new Error("thrown " + all + more, { cause: new Error(all) });
	});
	amp.registerCommand("die", { title: "Die" }, () => { console.error("dying", token); process.exit(3); });
};`;

test("a secret is in nothing that the command line writes, with all logs on, for people and programs", async () => {
	const prefix = `throw new Error("no " + process.env.DEMO_API_TOKEN);`;
	await desk.write({ "p/leaky.ts": leaky, "p/broken.ts": prefix });
	await desk.write({ "answers.json": JSON.stringify([typed, "ordinary"]) });
	const env = { BROOD_LOG: "debug", DEMO_API_TOKEN: inherited, XDG_CACHE_HOME: desk.home(".cache") };
	const commands = [
		["--answers", "answers.json", "run", "ask"],
		["--answers", "answers.json", "run", "ask", "--json"],
		["run", "die", "--json"],
		["info", "leaky"],
		["info", "broken", "--json"],
		["list", "--all"],
	];
	const plugins = ["--no-places", "-p", "p"];
	const outcomes = await Promise.all(commands.map((command) => desk.run([...plugins, ...command], { env })));
	expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([5, 5, 5, 0, 4, 4]);
	const written = outcomes.map(({ stdout, stderr }) => `${stdout}\n${stderr}`);
	for (const part of [
		"printed [secret] & [secret]",
		"thrown [secret]",
		"dying [secret]",
		"no [secret]",
		"shown [secret]",
	])
		expect(written.join("\n")).toContain(part);
	// The file with the answer is the person's own.
	const files = [...filesBelow(dirname(desk.home()))].filter(([path]) => !path.endsWith("/answers.json"));
	for (const word of [typed, inherited]) {
		expect(written.flatMap((text) => around(text, word))).toEqual([]);
		expect(files.filter(([, text]) => text.includes(word)).map(([path]) => path)).toEqual([]);
	}
});

describe("BROOD_LOG", () => {
	const chatty = (name: string) => `export default (amp) => {
		amp.on("no.such.event", () => {});
		console.log("${name} prints");
	};`;
	const run = async (filter: string | undefined, ...flags: string[]) => {
		const env: Record<string, string> = filter === undefined ? {} : { BROOD_LOG: filter };
		return desk.run(["--no-places", "-p", "p", ...flags, "list"], { env });
	};
	const shown = ({ stderr }: { stderr: string }) =>
		["one prints", "[one] warn", "two prints", "[two] warn"].filter((text) => stderr.includes(text));

	test("says which log lines there are; without it there are all, and with -q what is grave", async () => {
		await desk.write({ "p/one.ts": chatty("one"), "p/two.ts": chatty("two") });
		const all = ["one prints", "[one] warn", "two prints", "[two] warn"];
		const [without, empty, off, warn, one, quiet, louder] = await Promise.all([
			run(undefined),
			run(""),
			run("off"),
			run("warn"),
			run("off,o*=info"),
			run(undefined, "-q"),
			run("two=info", "-q"),
		]);
		expect([without, empty, off, warn, one, quiet, louder].map(shown)).toEqual([
			all,
			all,
			[],
			["[one] warn", "[two] warn"],
			["one prints", "[one] warn"],
			["[one] warn", "[two] warn"],
			["[one] warn", "two prints", "[two] warn"],
		]);
		expect(parseLines((await run("two=warn,error", "--json")).stderr)).toMatchObject([
			{ log: { plugin: "two", level: "warn", source: "plugin" } },
		]);
	});

	test("that cannot be used ends the command before a plugin runs, with what is allowed", async () => {
		await desk.write({ "p/one.ts": `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");` });
		const { exitCode, stderr, errors } = await run("one=loud", "--json");
		expect({ exitCode, stdout: errors.map(({ error }) => error.code) }).toEqual({ exitCode: 2, stdout: ["usage"] });
		expect(stderr).toContain("off, error, warn, info, debug");
		expect(await Bun.file(desk.path("p/ran")).exists()).toBe(false);
	});
});
