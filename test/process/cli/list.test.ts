import { expect, test } from "bun:test";
import { createDesk, helper } from "./support.ts";

const desk = createDesk();
const broken = "export default function (amp) {\n\tconst a = ;\n}\n";

test("list shows each plugin with its state, what it registers and its path in aligned columns", async () => {
	await desk.write({ ".brood/plugins/helper.ts": helper, ".brood/plugins/b.ts": "export default () => {};" });
	const { exitCode, stdout, stderr } = await desk.run(["list"]);
	const [heading = "", first = "", second = ""] = stdout.split("\n");
	expect(heading.trim().split(/ +/)).toEqual(["name", "state", "ready", "registers", "path"]);
	expect(first).toMatch(/^b +ready +[\d.]+ ms +- +\//);
	expect(second).toMatch(/^helper +ready +[\d.]+ ms +tools greet · commands ask, fail, hang · events agent\.start +\//);
	expect(second.indexOf(desk.path(".brood/plugins/helper.ts"))).toBe(heading.indexOf("path"));
	expect({ exitCode, stderr: stderr.trimEnd() }).toEqual({ exitCode: 0, stderr: "[helper] disposed" });
});

test("list names every kind, and marks a name that another plugin has", async () => {
	const names = Array.from({ length: 30 }, (_, index) => `tool-number-${index}`);
	const tools = names.map((name) => `amp.registerTool({ ...tool, name: "${name}" });`).join("\n");
	const rich = `// @amp-agent-mode {"key":"reviewer","label":"Reviewer"}
	export default async (amp) => {
		const tool = { name: "greet", description: "", inputSchema: { type: "object" }, execute() {} };
		amp.registerTool(tool);
		${tools}
		amp.registerAgentMode({ key: "reviewer", label: "Reviewer", agent: { model: "acme/large", instructions: "i" } });
		await amp.registerSkill({ path: "a" });
		amp.registerLinkPattern({ id: "issue", pattern: "#(?<id>[0-9]+)", href: "https://example.com/{{id}}" });
	};`;
	await desk.write({
		"helper.ts": helper,
		"rich/index.ts": rich,
		"rich/a/SKILL.md": "---\nname: a\ndescription: does a\n---\n",
	});
	const { stdout, stderr } = await desk.run(["-p", "helper.ts", "-p", "rich", "list"]);
	expect(stderr).toBe("[helper] disposed\n");
	expect(stdout).toContain(
		` tools greet (lost to helper), ${names.join(", ")} · skills rich:a · modes reviewer · links issue  `,
	);
	const { plugins } = JSON.parse((await desk.run(["-p", "helper.ts", "-p", "rich", "list", "--json"])).stdout);
	const listed: { name: string; why?: object }[] = plugins.flatMap((plugin: { tools: [] }) => plugin.tools);
	const clashing = listed.filter(({ name }) => name === "greet");
	expect(clashing.map(({ why }) => why)).toEqual([undefined, { plugin: "helper", reason: expect.any(String) }]);
});

test("list --json has every promised member, and milliseconds or null for each fact", async () => {
	await desk.write({ ".brood/plugins/helper.ts": helper, ".brood/plugins/note.txt": "" });
	const { exitCode, stdout } = await desk.run(["list", "--json"]);
	const { plugins, skipped } = JSON.parse(stdout);
	const number = expect.any(Number);
	expect(plugins).toEqual([
		expect.objectContaining({
			name: "helper",
			system: "amp",
			scope: "project",
			path: desk.path(".brood/plugins/helper.ts"),
			state: "ready",
			pid: number,
			launches: 1,
			facts: {
				found: 0,
				spawned: number,
				clientInfo: number,
				imported: number,
				activated: number,
				registered: number,
				ready: number,
				published: number,
			},
			events: ["agent.start"],
			skills: [],
			modes: [],
			links: [],
			statusItems: [],
		}),
	]);
	expect(plugins[0].commands.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
		["ask", "Ask"],
		["fail", "Fail"],
		["hang", "Hang"],
	]);
	expect(plugins[0].tools).toMatchObject([{ name: "greet" }]);
	expect(plugins[0]).not.toHaveProperty("error");
	expect(skipped).toEqual([{ path: desk.path(".brood/plugins/note.txt"), reason: expect.any(String) }]);
	expect(exitCode).toBe(0);
});

test("a plugin that fails is shown on stderr with a code frame, exits with 4 and harms no other", async () => {
	await desk.write({ "plugins/broken.ts": broken, "plugins/helper.ts": helper });
	const { exitCode, stdout, stderr } = await desk.run(["-p", "plugins", "list"]);
	expect(stdout).toMatch(/^broken +failed +- +- +\//m);
	expect(stdout).toMatch(/^helper +ready /m);
	expect(stderr).toContain('error: Plugin "broken" failed to load');
	expect(stderr).toMatch(/> 2 \| \tconst a = ;\n.*\^/);
	expect(exitCode).toBe(4);
});

test("a plugin that fails stands with its error in the JSON and as the one error line", async () => {
	await desk.write({ "plugins/broken.ts": broken, "plugins/helper.ts": helper });
	const { exitCode, stdout, errors } = await desk.run(["list", "-p", "plugins", "--json"]);
	const [failed, ready] = JSON.parse(stdout).plugins;
	expect(failed).toMatchObject({ name: "broken", state: "failed", pid: null, facts: { ready: null } });
	expect(failed.error).toMatchObject({ code: "load_failed", stage: "import", message: expect.any(String) });
	expect(ready).toMatchObject({ name: "helper", state: "ready" });
	expect(errors).toEqual([{ error: expect.objectContaining({ code: "load_failed", plugin: "broken" }) }]);
	expect(exitCode).toBe(4);
});

test("list --allow-failed exits with 0 and still tells what failed", async () => {
	await desk.write({ "broken.ts": broken });
	const { exitCode, stderr } = await desk.run(["-p", "broken.ts", "list", "--allow-failed"]);
	expect(stderr).toContain('Plugin "broken" failed to load');
	expect(exitCode).toBe(0);
});

test("list --all names what lies in a plugin place and is no plugin", async () => {
	await desk.write({ ".brood/plugins/note.txt": "" });
	const without = await desk.run(["list"]);
	const { stdout, exitCode } = await desk.run(["list", "--all"]);
	expect(without.stdout).toBe("");
	expect(without.stderr).toContain("No plugin was found");
	expect(stdout).toContain(`skipped\n  ${desk.path(".brood/plugins/note.txt")}  `);
	expect(exitCode).toBe(0);
});

test("--no-places leaves out the plugins of project and user, --cwd looks in another workspace", async () => {
	await desk.write({
		".brood/plugins/mine.ts": "export default () => {};",
		"other/.git/HEAD": "",
		"other/.brood/plugins/theirs.ts": "export default () => {};",
		"one.ts": "export default () => {};",
	});
	const names = async (...parameters: string[]) => {
		const { stdout } = await desk.run([...parameters, "list", "--json"]);
		return JSON.parse(stdout).plugins.map(({ name }: { name: string }) => name);
	};
	expect(await names("-p", "one.ts")).toEqual(["one", "mine"]);
	expect(await names("-p", "one.ts", "--no-places")).toEqual(["one"]);
	expect(await names("--cwd", "other")).toEqual(["theirs"]);
});

test("colours are left out of pipes, and FORCE_COLOR brings them back", async () => {
	await desk.write({ "one.ts": "export default () => {};" });
	const plain = await desk.run(["-p", "one.ts", "list"]);
	const forced = await desk.run(["-p", "one.ts", "list"], { env: { FORCE_COLOR: "1" } });
	expect(plain.stdout).not.toContain("\u001b");
	expect(forced.stdout).toContain("\u001b[32mready\u001b[39m");
	// Columns are as wide as the times in them.
	const heading = (text: string) => Bun.stripANSI(text).split("\n")[0]?.split(/ {2,}/);
	expect(heading(forced.stdout)).toEqual(heading(plain.stdout));
});

test("info shows all about a plugin, and why it lost a name", async () => {
	const second = helper.replaceAll('"ask"', '"other"').replace("amp.on(", "amp.logger.log('one line'); amp.on(");
	await desk.write({ "first.ts": helper, "second.ts": second });
	const parameters = ["-p", "first.ts", "-p", "second.ts", "info", "second"];
	const { exitCode, stdout } = await desk.run(parameters);
	expect(stdout).toMatch(/^second {2}ready$/m);
	expect(stdout).toMatch(/^ {2}path +\/.*second\.ts$/m);
	expect(stdout).toMatch(/^ {2}about +Greets people$/m);
	expect(stdout).toMatch(/^ {2}scope +explicit, named with -p$/m);
	expect(stdout).toMatch(/^ {2}process +started from source, wire on a socket of its own, Bun \d\S+$/m);
	expect(stdout).toMatch(/^ {2}pid +\d+$/m);
	expect(stdout).toMatch(/^ {2}launches +1, no restart$/m);
	expect(stdout).toMatch(/^load, since its process was spawned$/m);
	expect(stdout).toMatch(/^ +[\d.]+ ms {2}default export called$/m);
	expect(stdout).toMatch(/^ +[\d.]+ ms {2}visible to everybody$/m);
	expect(stdout).toMatch(/^ {2}greet +not available: "first" has a better rank$/m);
	expect(stdout).toMatch(/^ {2}\d\d:\d\d:\d\d\.\d{3} +info +one line$/m);
	expect(exitCode).toBe(0);

	const record = JSON.parse((await desk.run([...parameters, "--json"])).stdout);
	expect(record).toMatchObject({ name: "second", state: "ready", description: "Greets people", warnings: [] });
	expect(record.tools).toMatchObject([{ name: "greet", why: { plugin: "first", reason: expect.any(String) } }]);
	expect(record.log).toMatchObject([{ plugin: "second", source: "plugin", level: "info", message: "one line" }]);
});

test("info of a plugin that failed tells what is known and exits with 4", async () => {
	await desk.write({ "broken.ts": broken });
	const { exitCode, stdout, stderr } = await desk.run(["-p", "broken.ts", "info", "broken"]);
	expect(stdout).toMatch(/^broken {2}failed$/m);
	expect(stdout).toMatch(/^ {2}pid +none, its process has ended$/m);
	expect(stdout).not.toContain("visible to everybody");
	expect(stderr).toContain("> 2 |");
	expect(exitCode).toBe(4);
});

test("info of a plugin that there is not names those that there are", async () => {
	await desk.write({ "helper.ts": helper });
	const { exitCode, stderr } = await desk.run(["-p", "helper.ts", "info", "nobody"]);
	expect(stderr).toContain('error: There is no plugin "nobody".\n  hint: Known');
	expect(stderr).toContain("helper.");
	expect(exitCode).toBe(2);
});
