import { beforeEach, expect, test } from "bun:test";
import { createDesk, helper } from "./support.ts";

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

test("call --json prints the whole result, and the log still on stderr", async () => {
	const { exitCode, stdout, stderr } = await call('{"name":"Ada"}', "--json");
	expect(JSON.parse(stdout)).toEqual({
		ok: true,
		text: "Hello Ada",
		content: [{ type: "text", text: "Hello Ada" }],
		plugin: "helper",
		ms: expect.any(Number),
	});
	expect(stderr).toContain("[helper] greeting Ada\n");
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

test("a tool that throws is told to programs on both streams", async () => {
	const { exitCode, stdout, errors } = await call('{"name":"nobody"}', "--json");
	expect(JSON.parse(stdout)).toMatchObject({ ok: false, text: "there is nobody", plugin: "helper" });
	expect(errors).toEqual([{ error: { code: "plugin_error", message: expect.any(String), plugin: "helper" } }]);
	expect(exitCode).toBe(5);
});

test("a call that a gate stops exits with 5 and says so, unless events are left out", async () => {
	const gate = `export default (amp) => amp.on("tool.call", () => ({ action: "reject-and-continue", message: "not now" }));`;
	await desk.write({ "gate.ts": gate });
	const parameters = ["-p", "helper.ts", "-p", "gate.ts", "call", "greet", '{"name":"Ada"}'];
	const { exitCode, stderr } = await desk.run(parameters);
	expect(stderr).toContain('was stopped by plugin "gate": not now');
	expect(exitCode).toBe(5);
	expect(await desk.run([...parameters, "--no-events"])).toMatchObject({ exitCode: 0, stdout: "Hello Ada\n" });
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
});
