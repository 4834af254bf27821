import { beforeEach, expect, test } from "bun:test";
import { createDesk, helper, parseLines } from "./support.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper }));

const call = (input: string, ...more: string[]) => desk.run(["-p", "helper.ts", "call", "greet", input, ...more]);

test("call prints the text of the answer on stdout and the plugin's log on stderr", async () => {
	expect(await call('{"name":"Ada"}')).toMatchObject({
		exitCode: 0,
		stdout: "Hello Ada\n",
		stderr: "[helper] greeting Ada\n[helper] disposed\n",
	});
	expect(await call('{"name":"Ada"}', "--quiet")).toMatchObject({ stdout: "Hello Ada\n", stderr: "" });
});

test("warnings of a plugin have their level before them, and --quiet leaves them in", async () => {
	await desk.write({ "odd.ts": `export default (amp) => { console.error("printed"); amp.on("no.such", () => {}); };` });
	const parameters = ["-p", "helper.ts", "-p", "odd.ts", "call", "greet", '{"name":"Ada"}'];
	const loud = await desk.run(parameters);
	expect(loud.stderr).toMatch(/^\[odd\] printed$/m);
	expect(loud.stderr).toMatch(/^\[odd\] warn: on\("no\.such"\): /m);
	const quiet = await desk.run([...parameters, "--quiet"]);
	expect(quiet.stderr).toMatch(/^\[odd\] warn: on\("no\.such"\): [^\n]*\n$/);
});

test("call --json prints the whole result, and the log as lines of JSON on stderr", async () => {
	const { exitCode, stdout, stderr } = await call('{"name":"Ada"}', "--json");
	expect(JSON.parse(stdout)).toEqual({
		ok: true,
		text: "Hello Ada",
		content: [{ type: "text", text: "Hello Ada" }],
		plugin: "helper",
		ms: expect.any(Number),
	});
	const time = expect.any(String);
	const log = (message: string) => ({ log: { time, plugin: "helper", level: "info", source: "output", message } });
	expect(parseLines(stderr)).toEqual([log("greeting Ada"), log("disposed")]);
	expect(exitCode).toBe(0);
});

test("call takes its input from stdin for -, and an empty object when there is none", async () => {
	const piped = await desk.run(["-p", "helper.ts", "call", "greet", "-"], { stdin: '{"name":"Eve"}\n' });
	expect(piped).toMatchObject({ exitCode: 0, stdout: "Hello Eve\n" });
	const none = await desk.run(["-p", "helper.ts", "call", "greet"]);
	expect(none).toMatchObject({ exitCode: 0, stdout: "Hello undefined\n" });
});

test("call describes an image in one line", async () => {
	expect((await call('{"name":"image"}')).stdout).toBe("a dot\n[image image/png, 3 bytes]\n");
});

test("a tool that throws exits with 5 and shows the place", async () => {
	const { exitCode, stdout, stderr } = await call('{"name":"nobody"}');
	expect(stdout).toBe("");
	expect(stderr).toContain('error: Tool "greet" of plugin "helper" failed: TypeError: there is nobody.');
	expect(stderr).toMatch(/> \d+ \| .*throw new TypeError\("there is nobody"\)/);
	expect(exitCode).toBe(5);
});

test("a tool that throws is told to programs on both streams in the same words, the error last", async () => {
	const { exitCode, stdout, stderr } = await call('{"name":"nobody"}', "--json");
	const error = {
		code: "plugin_error",
		message: 'Tool "greet" of plugin "helper" failed: TypeError: there is nobody.',
	};
	expect(JSON.parse(stdout)).toMatchObject({ ok: false, text: "there is nobody", plugin: "helper", error });
	const lines = parseLines(stderr);
	expect(lines.map((line) => Object.keys(line)[0])).toEqual(["log", "log", "error"]);
	const positions = [{ file: desk.path("helper.ts"), line: 10, column: 37 }];
	expect(lines.at(-1)).toEqual({ error: { ...error, plugin: "helper", positions } });
	expect(exitCode).toBe(5);
});

test("a call that a gate stops exits with 5 and says so, unless events are left out", async () => {
	const gate = `export default (amp) => amp.on("tool.call", () => ({ action: "reject-and-continue", message: "not now" }));`;
	await desk.write({ "gate.ts": gate });
	const parameters = ["-p", "helper.ts", "-p", "gate.ts", "call", "greet", '{"name":"Ada"}'];
	const { exitCode, stderr } = await desk.run(parameters);
	expect(stderr).toEndWith('was stopped by plugin "gate": not now.\n');
	expect(stderr.match(/not now/g)).toHaveLength(1);
	expect(exitCode).toBe(5);
	expect(await desk.run([...parameters, "--no-events"])).toMatchObject({ exitCode: 0, stdout: "Hello Ada\n" });
});

test("a gate that fails is told once, and to programs also as its log", async () => {
	await desk.write({ "gate.ts": `export default (amp) => amp.on("tool.call", () => { throw new Error("boom"); });` });
	const parameters = ["-p", "helper.ts", "-p", "gate.ts", "call", "greet"];
	const { exitCode, stdout, stderr } = await desk.run(parameters);
	expect(stderr.match(/boom/g)).toHaveLength(1);
	expect(stderr).toMatch(
		/^error: The call of tool "greet" was stopped by plugin "gate": .*Error: boom \(.*gate\.ts:1:\d+\)\.$/m,
	);
	expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: "" });
	const [log] = parseLines((await desk.run([...parameters, "--json"])).stderr);
	expect(log).toMatchObject({ log: { plugin: "gate", level: "error", source: "host" } });
});

test("what a handler of tool.result makes of a failure is told beside the failure", async () => {
	const spy = `export default (amp) => amp.on("tool.result", () => ({ status: "error", error: "ask somebody else" }));`;
	await desk.write({ "spy.ts": spy });
	const { stderr } = await desk.run(["-p", "helper.ts", "-p", "spy.ts", "call", "greet", '{"name":"nobody"}']);
	expect(stderr).toMatch(/^ask somebody else$/m);
	expect(stderr).toContain("TypeError: there is nobody.");
});

test("--thread names the thread that gates see", async () => {
	const spy = `export default (amp) => amp.on("tool.call", ({ thread }) => { console.log("in " + thread.id); });`;
	await desk.write({ "spy.ts": spy });
	const parameters = ["-p", "helper.ts", "-p", "spy.ts", "call", "greet", "--thread", "T-one"];
	expect((await desk.run(parameters)).stderr).toContain("[spy] in T-one\n");
});

test("a call that takes too long exits with 6", async () => {
	const { exitCode, errors } = await call('{"name":"never"}', "--timeout", "300", "--json");
	expect(errors).toMatchObject([{ error: { code: "timeout", plugin: "helper" } }]);
	expect(exitCode).toBe(6);
});

test.each([
	['{"name":', "line 1, column 9: expected a value, found its end"],
	["{'name': 1}", "line 1, column 2: expected a name in double quotes"],
	['{"name":1,}', "a comment or a comma too many"],
	["[1]", "must be a JSON object, not an array"],
	["null", "must be a JSON object, not null"],
])("the argument %j is refused before any plugin starts", async (input, reason) => {
	const { exitCode, stdout, stderr } = await call(input);
	expect(stderr).toStartWith("error: The input of the tool ");
	expect(stderr).toContain(reason);
	expect(stderr).not.toContain("[helper]");
	expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});

test("an input that does not fit the schema exits with 2 and never reaches the tool", async () => {
	const { exitCode, stderr } = await call('{"name":5}');
	expect(stderr).toContain(
		'The input for tool "greet" of plugin "helper" does not fit its schema: name must be string',
	);
	expect(stderr).not.toContain("greeting");
	expect(exitCode).toBe(2);
});

test("a tool that there is not exits with 2 and names one like it", async () => {
	const { exitCode, stderr } = await desk.run(["-p", "helper.ts", "call", "gre"]);
	expect(stderr).toContain('error: There is no tool "gre".\n  hint: Is it "greet"?');
	expect(exitCode).toBe(2);
});

test("a tool that is missed is explained by the plugin that did not load", async () => {
	await desk.write({ ".brood/plugins/broken.ts": "throw new Error('too early');" });
	const found = await desk.run(["-p", "helper.ts", "call", "greet", '{"name":"Ada"}']);
	expect(found).toMatchObject({ exitCode: 0, stdout: "Hello Ada\n" });
	expect(found.stderr).toContain('warning: Plugin "broken" failed to load: Error: too early');
	const programs = await desk.run(["-p", "helper.ts", "call", "greet", '{"name":"Ada"}', "--json", "--quiet"]);
	expect(parseLines(programs.stderr)).toMatchObject([{ warning: { code: "load_failed", plugin: "broken" } }]);

	const missed = await desk.run(["-p", "helper.ts", "call", "other"]);
	expect(missed.stderr).toContain('There is no tool "other"');
	expect(missed.stderr).toContain('hint: It may belong to what failed to load: "broken"');
	expect(missed.exitCode).toBe(2);

	const named = await desk.run(["-p", ".brood/plugins/broken.ts", "call", "other", "--json"]);
	expect(named.errors).toMatchObject([{ error: { code: "load_failed", plugin: "broken" } }]);
	expect(named.exitCode).toBe(4);
});

test("a schema that cannot be compiled lets the plugin load and its calls fail with 5", async () => {
	const schema = '{ type: "object", properties: { a: { type: "nonsense" } } }';
	await desk.write({
		"odd.ts": `export default (amp) => amp.registerTool({ name: "odd", description: "", inputSchema: ${schema}, execute() {} });`,
	});
	expect((await desk.run(["-p", "odd.ts", "list"])).exitCode).toBe(0);
	const { exitCode, errors } = await desk.run(["-p", "odd.ts", "call", "odd", "--json"]);
	expect(errors).toMatchObject([{ error: { code: "invalid_schema" } }]);
	expect(exitCode).toBe(5);
	const people = await desk.run(["-p", "odd.ts", "call", "odd"]);
	expect(people.stderr.match(/cannot be used/g)).toHaveLength(1);
});
