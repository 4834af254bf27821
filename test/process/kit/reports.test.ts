import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../../house/support/tree.ts";
import { activating, createPlugins, isolations } from "./support.ts";

const plugins = createPlugins();
const asking = activating(`tool("ask", async (_, { ui }) => String(await ui.confirm({ title: "Sure?" })));`);

/** The lines that Bun has put above an error, of which the last is the one where it began, with a caret below. */
function shownAbove(said: string, error: string): string {
	const above = said.slice(0, said.indexOf(error)).trimEnd().split("\n");
	expect(above.at(-1)?.trim()).toBe("^");
	return above.at(-2) ?? "";
}

/** That no place in brood is shown: those are no lines of an author. */
function expectNoOwnPlaces(said: string): void {
	for (const room of ["host", "runtime", "child", "test/kit"]) expect(said).not.toContain(join(root, room));
	expect(said).not.toContain("core.js");
}

describe.each(isolations)("answers that no dialog has taken, isolation %s,", (isolation) => {
	const given = `{ isolation: "${isolation}", ui: [true, { kind: "input", title: "Name", answer: "Ada" }, { city: "Ulm" }, null] }`;
	const left =
		'has not asked for: "Ada" for an input dialog "Name"; {"city":"Ulm"} for a form dialog; null for a cancelled dialog.';

	test("fail the test that has given them, at its line", async () => {
		const { exitCode, said } = await plugins.tests(
			`test("asks once", async () => {
				await using plugin = await testPlugin(path, ${given});
				expect((await plugin.tools.call("ask", {})).text).toBe("true");
			});`,
			asking,
		);
		expect(said).toMatch(/The option ui of testPlugin holds 3 answers that plugin "plugin-\d+" has not asked for: /);
		expect(said).toContain(left);
		expect(shownAbove(said, "BroodError: The option ui")).toContain(`await testPlugin(path, ${given})`);
		expect(said).toContain("(fail) asks once");
		expectNoOwnPlaces(said);
		expect(exitCode).toBe(1);
	});

	test("do not hide that the test has failed already", async () => {
		const { said } = await plugins.tests(
			`test("expects too much", async () => {
				await using plugin = await testPlugin(path, ${given});
				expect((await plugin.tools.call("ask", {})).text).toBe("perhaps");
			});`,
			asking,
		);
		expect(said).toContain('Expected: "perhaps"');
		expect(said).toContain(left);
		expect(said).not.toContain("SuppressedError");
	});

	test("fail the run where tests run at once, whose failures they do not hide", async () => {
		const { exitCode, said } = await plugins.tests(
			`test.concurrent("expects too much", async () => {
				await using plugin = await testPlugin(path, ${given});
				expect((await plugin.tools.call("ask", {})).text).toBe("perhaps");
			});
			test.concurrent("expects what comes", async () => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}", ui: [true, false] });
				expect((await plugin.tools.call("ask", {})).text).toBe("true");
			});`,
			asking,
		);
		expect(said).toContain('Expected: "perhaps"');
		expect(said).toContain(left);
		expect(said).toContain("has not asked for: false for a confirm dialog");
		expect(said).not.toContain("SuppressedError");
		expect([exitCode, /^ (\d) errors$/m.exec(said)?.[1]]).toEqual([1, "2"]);
	});

	test("are told by the disposal where no single test has given them", async () => {
		const { exitCode, said } = await plugins.tests(
			`let plugin;
			beforeAll(async () => { plugin = await testPlugin(path, ${given}); });
			afterAll(() => plugin[Symbol.asyncDispose]());
			test("asks", async () => void (await plugin.tools.call("ask", {})));`,
			asking,
		);
		expect(said).toContain(left);
		expect(exitCode).toBe(1);
	});

	test("fail the test whose hooks have loaded the plugin and dispose of it", async () => {
		const { said } = await plugins.tests(
			`import { afterEach, beforeEach } from "bun:test";
			let plugin;
			beforeEach(async () => { plugin = await testPlugin(path, ${given}); });
			afterEach(() => plugin[Symbol.asyncDispose]());
			test("expects too much", async () => expect((await plugin.tools.call("ask", {})).text).toBe("perhaps"));
			test("expects what comes", async () => expect((await plugin.tools.call("ask", {})).text).toBe("true"));`,
			asking,
		);
		expect(said).toContain('Expected: "perhaps"');
		expect(said).toContain("(fail) expects what comes");
		expect(said.split(left)).toHaveLength(3);
	});

	test("may be left where the test says so", async () => {
		const { exitCode, said } = await plugins.tests(
			`import { scriptedUI } from "brood";
			const ui = [true, false];
			test.each([[{ ui, strict: false }], [{ ui: scriptedUI(ui) }]])("asks once", async (own) => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}", ...own });
				expect((await plugin.tools.call("ask", {})).text).toBe("true");
			});`,
			asking,
		);
		expect([exitCode, said]).toEqual([0, expect.stringContaining("2 pass")]);
	});
});

test.each(isolations)(
	"what a plugin asked for behind the test's back fails the test, isolation %s",
	async (isolation) => {
		const { exitCode, said } = await plugins.tests(
			`test("waits", async () => {
			await using plugin = await testPlugin(path, { isolation: "${isolation}" });
			await plugin.tools.call("later", {});
			while (plugin.logs.length === 0) await Bun.sleep(1);
			expect(1).toBe(2);
		});`,
			activating(
				`tool("later", () => { setTimeout(() => amp.ai.ask("?").catch(() => amp.logger.log("refused"))); return "soon"; });`,
			),
		);
		expect(said).toContain("Expected: 2");
		expect(shownAbove(said, "BroodError: amp.ai.ask has no provider")).toContain("await testPlugin(path");
		expect(exitCode).toBe(1);
	},
);

describe.each(isolations)("an error of the kit begins at the line of the author, isolation %s:", (isolation) => {
	test.each([
		["a tool that there is none of", 'plugin.tools.call("gone", {})', 'There is no tool "gone"'],
		["a command that there is none of", 'plugin.commands.run("gone")', 'There is no command "gone"'],
		["a dialog without an answer", 'plugin.tools.call("ask", {})', "amp.ui.confirm has no provider"],
		["a turn that cannot be played", "plugin.turn({})", "message"],
		["an event that there is none of", 'plugin.emit("tool.cal", {})', "tool.cal"],
		["a clock that was not given", "plugin.clock.now()", "This plugin has the real time"],
	])("%s", async (_, call, says) => {
		const { said } = await plugins.tests(
			`test("calls", async () => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}" });
				await Bun.sleep(1);
				await ${call};
			});`,
			asking,
		);
		expect(said).toContain(says);
		expect(shownAbove(said, "BroodError: ")).toContain(`await ${call};`);
		expectNoOwnPlaces(said);
	});

	test.each([
		["is thrown as it is activated", 'throw new Error("wrong");', activating],
		["is thrown as it is imported", 'throw new Error("wrong");', (line: string) => `const one = 1;\n${line}`],
		["does not parse", "amp.on(;", activating],
		["is not found", 'import "./gone.ts";', (line: string) => `const one = 1;\n${line}`],
	])("a load, and what %s in the plugin at its own", async (_, line, sourceOf) => {
		const { said } = await plugins.tests(
			`test("loads", async () => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}" });
			});`,
			sourceOf(line),
		);
		expect(shownAbove(said, "BroodError: ")).toContain("await testPlugin(path");
		const cause = said.slice(said.indexOf("BroodError: "));
		const name = /^(?:error|\w+Message): /m.exec(cause)?.[0] ?? "no cause";
		expect(shownAbove(cause, `\n${name}`)).toContain(line);
		expectNoOwnPlaces(said);
		expect(said).not.toContain(": undefined,");
	});

	test("an option that cannot be used", async () => {
		const { said } = await plugins.tests(`test("loads", async () => {
			await testPlugin(path, { isolation: "${isolation}", clok: true });
		});`);
		expect(shownAbove(said, "BroodError: ")).toContain("clok: true");
		expectNoOwnPlaces(said);
	});
});

describe.each(isolations)("a turn that does not go as its script says, isolation %s,", (isolation) => {
	const gated = activating(
		`amp.on("tool.call", ({ tool }) => ({ action: tool === "rm" ? "reject-and-continue" : "allow", message: "No." }));
		amp.on("agent.start", () => { throw new Error("fell over"); });
		let left = 1;
		amp.on("agent.end", () => left-- > 0 ? { action: "continue", userMessage: "go on" } : undefined);`,
	);
	const script = `{
		message: "m",
		tools: [{ tool: "ls", expect: { decision: "allow" } }, { tool: "rm", expect: { decision: "allow" } }],
		end: { expect: { continue: false } },
		rounds: [{ start: { expect: { messages: [] } }, tools: [{ tool: "rm", expect: { status: "done" } }] }, {}],
	}`;

	test("fails its test at its line, and each failure names its place in the script", async () => {
		const { exitCode, said } = await plugins.tests(
			`test("plays", async () => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}" });
				const script = ${script};
				await plugin.turn(script);
			});`,
			gated,
		);
		const told = said.slice(said.indexOf("BroodError: "));
		expect(told).toMatch(/^BroodError: The turn of plugin "plugin-\d+" did not go as its script says:\n/);
		for (const line of [
			'  tools[1] (rm).expect.decision should be "allow", and it is "reject-and-continue"',
			'  end.expect.continue should be false, and it is "go on"',
			'  rounds[0].tools[0] (rm).expect.status should be "done", and it is "error"',
			"  start: the handler of agent.start failed: Error: fell over",
			"  rounds has 2 entries, of which 1 was played",
		]) {
			expect(told).toContain(`\n${line}`);
		}
		expect(told).not.toContain("tool.result");
		expect(shownAbove(said, "BroodError: ")).toContain("await plugin.turn(script);");
		expectNoOwnPlaces(said);
		expect(exitCode).toBe(1);
	});

	test("tells it in its outcome where the test is not strict", async () => {
		const { exitCode, said } = await plugins.tests(
			`test("plays", async () => {
				await using plugin = await testPlugin(path, { isolation: "${isolation}", strict: false });
				const { ok, failures } = await plugin.turn(${script});
				expect(ok).toBe(false);
				expect(new Set(failures.map(({ kind }) => kind))).toEqual(new Set(["handler", "expectation", "rounds"]));
			});`,
			gated,
		);
		expect([exitCode, said]).toEqual([0, expect.stringContaining("1 pass")]);
	});
});
