import { beforeEach, describe, expect, test } from "bun:test";
import { createDesk, helper, parseLines } from "./support.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper, "yes.json": "[true]" }));

const brood = (...parameters: string[]) => desk.run(["-p", "helper.ts", ...parameters]);

describe("run", () => {
	test("prints what was asked and answered", async () => {
		const { exitCode, stdout, stderr } = await brood("--answers", "yes.json", "run", "ask");
		expect(stdout).toBe("confirm: Sure? → true\nnotify: the answer is true\n");
		expect(stderr).toMatch(/^Command "ask" of plugin "helper" took [\d.]+ ms\.$/m);
		expect(exitCode).toBe(0);
	});

	test("--json prints the same as data", async () => {
		const { exitCode, stdout } = await brood("--answers", "yes.json", "run", "helper:ask", "--json");
		expect(JSON.parse(stdout)).toEqual({
			ok: true,
			plugin: "helper",
			ui: [
				{ kind: "confirm", plugin: "helper", title: "Sure?", answer: true },
				{ kind: "notify", plugin: "helper", message: "the answer is true" },
			],
			ms: expect.any(Number),
		});
		expect(exitCode).toBe(0);
	});

	const nobody = "nobody is there to answer: run it in a terminal, or give answers with --answers FILE";

	test("exits with 5 when nobody is there to answer, and says once what to do", async () => {
		const { exitCode, stdout, stderr } = await brood("run", "ask", "--json");
		const [code, message] = ["ui_not_available", "Plugin UI not available."];
		const error = { code, message: `Command "ask" of plugin "helper" failed: ${message}` };
		const ui = [{ kind: "confirm", error: { code, message } }];
		expect(JSON.parse(stdout)).toMatchObject({ ok: false, ui, error });
		const positions = [{ file: desk.path("helper.ts"), line: 17, column: 33 }];
		expect(parseLines(stderr).at(-1)).toEqual({ error: { ...error, plugin: "helper", hint: nobody, positions } });
		expect((stdout + stderr).split(nobody)).toHaveLength(2);
		expect(exitCode).toBe(5);

		const people = await brood("run", "ask");
		expect(people.stdout).toBe("confirm: Sure? → failed\n");
		expect(people.stderr).toContain(`error: ${error.message}\n`);
		expect(people.stderr).toEndWith(`\n\n  hint: ${nobody}\n`);
	});

	test("says that nobody is there to answer also when the plugin takes it as an answer", async () => {
		const calm = `export default (amp) => amp.registerCommand("calm", { title: "" }, ({ ui }) => ui.confirm({ title: "Sure?" }).catch(() => {}));`;
		await desk.write({ "calm.ts": calm });
		const { exitCode, stdout, stderr } = await brood("-p", "calm.ts", "run", "calm");
		expect(stdout).toBe("confirm: Sure? → failed: Plugin UI not available.\n");
		expect(stderr).toContain(`warning: ${nobody}\n`);
		expect(exitCode).toBe(0);
		const programs = await brood("-p", "calm.ts", "run", "calm", "-q", "--json");
		expect(parseLines(programs.stderr)).toEqual([{ warning: { message: nobody } }]);
	});

	test("takes the answers from stdin for -", async () => {
		const piped = await desk.run(["-p", "helper.ts", "--answers", "-", "run", "ask"], { stdin: "[true]\n" });
		expect(piped).toMatchObject({ exitCode: 0, stdout: "confirm: Sure? → true\nnotify: the answer is true\n" });
		const wrong = await desk.run(["-p", "helper.ts", "--answers", "-", "run", "ask"], { stdin: '["perhaps"]' });
		expect(wrong.stderr).toContain("answer 1 of stdin does not fit");
		expect(wrong.exitCode).toBe(5);
	});

	test("does not take both answers and input from stdin", async () => {
		const both = ["-p", "helper.ts", "--answers", "-", "call", "greet", "-"];
		const { exitCode, stdout, stderr } = await desk.run(both, { stdin: "{}" });
		expect(stderr).toContain("Stdin cannot hold both the input of the tool and the answers to dialogs.");
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
	});

	test("warns of answers that are left over, and its exit code stays", async () => {
		await desk.write({ "three.json": '[true, "a", null]' });
		const people = await brood("--answers", "three.json", "run", "ask");
		expect(people.stderr).toContain("warning: 2 of 3 answers in three.json were left over.\n");
		expect(people).toMatchObject({ exitCode: 0, stdout: "confirm: Sure? → true\nnotify: the answer is true\n" });
		const programs = await brood("--answers", "yes.json", "run", "fail", "-q", "--json");
		expect(parseLines(programs.stderr)).toMatchObject([
			{ warning: { message: "1 of 1 answers in yes.json was left over." } },
			{ error: { code: "plugin_error" } },
		]);
		expect(programs.exitCode).toBe(5);
	});

	test("exits with 5 when the prepared answer does not fit", async () => {
		await desk.write({ "wrong.json": '["perhaps"]' });
		const { exitCode, stdout, stderr } = await brood("--answers", "wrong.json", "run", "ask");
		expect(stderr).toContain("answer 1 of wrong.json does not fit, it takes true or false, not text");
		expect(stderr).not.toContain("left over");
		expect(stdout).toBe("confirm: Sure? → failed\n");
		expect(exitCode).toBe(5);
	});

	test("exits with 5 when the command throws, and shows the place", async () => {
		const { exitCode, stderr } = await brood("run", "fail");
		expect(stderr).toContain('error: Command "fail" of plugin "helper" failed: RangeError: out of reach.');
		expect(stderr).toMatch(/> \d+ \| .*new RangeError/);
		expect(exitCode).toBe(5);
	});

	test("exits with 6 when the command takes too long", async () => {
		const { exitCode, errors } = await brood("run", "hang", "--timeout", "300", "--json");
		expect(errors).toMatchObject([{ error: { code: "timeout", plugin: "helper" } }]);
		expect(exitCode).toBe(6);
	});

	test("exits with 2 for a command that there is not, and names those that there are", async () => {
		const { exitCode, stderr } = await brood("run", "dance");
		expect(stderr).toContain('error: There is no command "dance".');
		expect(stderr).toContain("helper:ask");
		expect(exitCode).toBe(2);
	});

	test.each([
		["gone.json", undefined, "--answers gone.json cannot be read: it does not exist"],
		["bad.json", "[true", "--answers bad.json is no JSON: line 1, column 6"],
		["object.json", "{}", "object.json must hold a JSON array"],
	])("exits with 2 when the file of answers cannot be used: %s", async (file, text, reason) => {
		if (text !== undefined) await desk.write({ [file]: text });
		const { exitCode, stderr } = await brood("--answers", file, "run", "ask");
		expect(stderr).toContain(reason);
		expect(exitCode).toBe(2);
	});
});

describe("emit", () => {
	const second = `export default (amp) => {
		amp.on("agent.start", () => ({ message: { content: "from second", display: false } }));
		amp.on("tool.call", ({ tool }) => ({ action: "error", message: "no " + tool }));
	};`;

	test("prints the answer of each handler and the merged result", async () => {
		await desk.write({ "second.ts": second });
		const parameters = ["-p", "second.ts", "emit", "agent.start"];
		const { exitCode, stdout } = await brood(...parameters);
		const [first, other, result] = stdout.split("\n");
		expect(first).toMatch(/^helper +[\d.]+ ms +\{"message":\{"content":"from helper","display":true\}\}$/);
		expect(other).toMatch(/^second +[\d.]+ ms +\{"message":\{"content":"from second","display":false\}\}$/);
		expect(result).toStartWith('result  {"messages":[{"content":"from helper"');
		expect(exitCode).toBe(0);

		expect(JSON.parse((await brood(...parameters, "--json")).stdout)).toEqual({
			event: "agent.start",
			handlers: [
				{ plugin: "helper", result: { message: { content: "from helper", display: true } }, ms: expect.any(Number) },
				{ plugin: "second", result: { message: { content: "from second", display: false } }, ms: expect.any(Number) },
			],
			result: {
				messages: [
					{ content: "from helper", display: true, plugin: "helper" },
					{ content: "from second", display: false, plugin: "second" },
				],
			},
		});
	});

	test("hands the data to the handlers, from an argument and from stdin", async () => {
		await desk.write({ "second.ts": second });
		const parameters = ["-p", "second.ts", "emit", "tool.call", "--json", "--data"];
		const expected = { result: { action: "error", message: "no Bash" } };
		expect(JSON.parse((await desk.run([...parameters, '{"tool":"Bash"}'])).stdout)).toMatchObject(expected);
		expect(JSON.parse((await desk.run([...parameters, "-"], { stdin: '{"tool":"Bash"}' })).stdout)).toMatchObject(
			expected,
		);
	});

	test("exits with 5 when a handler failed, and prints what the others answered", async () => {
		await desk.write({ "second.ts": second });
		const parameters = ["-p", "second.ts", "emit", "agent.start", "--data", '{"message":"bad"}', "--json"];
		const { exitCode, stdout, stderr } = await brood(...parameters);
		const { handlers, result } = JSON.parse(stdout);
		const error = {
			code: "plugin_error",
			message: expect.stringMatching(
				/^The handler of agent\.start of plugin "helper" failed: Error: a bad start \(.*helper\.ts:\d+:\d+\)\.$/,
			),
		};
		expect(handlers).toMatchObject([
			{ plugin: "helper", error },
			{ plugin: "second", result: { message: { content: "from second" } } },
		]);
		expect(result.messages).toHaveLength(1);
		expect(parseLines(stderr).at(-1)).toEqual({ error: { ...error, plugin: "helper" } });
		expect(exitCode).toBe(5);
	});

	test("tells once why a gate failed, and once what a gate answered", async () => {
		await desk.write({
			"second.ts": second,
			"gate.ts": `export default (amp) => amp.on("tool.call", () => { throw new Error("boom"); });`,
		});
		const parameters = ["emit", "tool.call", "--data", '{"tool":"Bash"}'];
		const failed = await brood("-p", "gate.ts", ...parameters);
		expect((failed.stdout + failed.stderr).match(/boom/g)).toHaveLength(1);
		expect(failed.stdout).toMatch(
			/^gate +[\d.]+ ms +failed\nresult +the call is rejected, because the handler of gate failed\n$/,
		);
		expect(failed.stderr).toMatch(
			/error: The handler of tool\.call of plugin "gate" failed: Error: boom \(.*gate\.ts:1:\d+\)\.\n$/,
		);
		expect(failed.exitCode).toBe(5);
		const answered = await brood("-p", "second.ts", ...parameters);
		expect(answered.stdout).toMatch(/^second +[\d.]+ ms +\{.*no Bash.*\nresult {2}the answer of second\n$/);
		expect(answered.exitCode).toBe(0);
	});

	test("exits with 4 when the plugin that was named did not load", async () => {
		await desk.write({ "broken.ts": "export const nothing = 1;" });
		const { exitCode, stdout, errors } = await brood("-p", "broken.ts", "emit", "agent.start", "--json");
		expect(JSON.parse(stdout).handlers).toHaveLength(1);
		expect(errors).toMatchObject([{ error: { code: "no_default_export", plugin: "broken" } }]);
		expect(exitCode).toBe(4);
	});

	test("says when nobody handles the event", async () => {
		expect(await brood("emit", "agent.end", "-q")).toMatchObject({
			exitCode: 0,
			stdout: "",
			stderr: "No plugin handles agent.end.\n",
		});
	});

	test.each([
		[["emit", "tool.cal"], 'There is no event "tool.cal"', "changes.prompt"],
		[["emit", "tool.call", "--data", "{"], "The data of the event is no JSON", "line 1, column 2"],
		[["emit", "tool.call"], "tool is the name of the tool", ""],
	])("exits with 2 for %j", async (parameters, reason, more) => {
		const { exitCode, stdout, stderr } = await brood(...parameters);
		expect(stderr).toContain(reason);
		expect(stderr).toContain(more);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
	});
});
