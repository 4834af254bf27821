import { beforeEach, describe, expect, test } from "bun:test";
import { findNode } from "../support/node.ts";
import { createDesk, helper, launcher, main } from "./support.ts";
import { openTerminal } from "./terminal.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper }));

const node = findNode();

const brood = [process.execPath, main];
const launches: [name: string, command: string[]][] = [["under Bun", brood]];
if (node === null) console.log("skipped: Ctrl-C through the launcher, since there is no node on the PATH");
else launches.push(["through the launcher under Node", [node, launcher]]);

test("a dialog is answered in the terminal, and not printed once more", async () => {
	const session = openTerminal(desk, [...brood, "-p", "helper.ts", "run", "ask"]);
	await session.see("[helper] Sure?");
	session.type("y");
	await session.see("[helper] the answer is true");
	expect(await session.child.exited).toBe(0);
	expect(session.plain()).toMatch(/Command "ask" of plugin "helper" took/);
	expect(session.plain()).not.toContain("confirm: Sure?");
});

test("text of a tool cannot command the terminal", async () => {
	const parameters = ["-q", "-p", "helper.ts", "call", "greet", '{"name":"\\u001b[2Jme"}'];
	const session = openTerminal(desk, [...brood, ...parameters]);
	expect(await session.child.exited).toBe(0);
	expect(session.raw()).toContain("Hello me");
	expect(session.raw()).not.toContain("\u001b[2J");
});

describe("Ctrl-C", () => {
	test.each(launches)("stops plugins in good order %s", async (_, command) => {
		// Time enough for a second SIGINT, which would kill, to arrive before it is done.
		const slow = 'amp.onDispose(async () => { await Bun.sleep(300); console.error("slowly disposed"); });';
		await desk.write({ "helper.ts": helper.replace("amp.onDispose", `${slow}\namp.onDispose`) });
		const session = openTerminal(desk, [...command, "-p", "helper.ts", "call", "greet", '{"name":"never"}']);
		await session.see("greeting never");
		session.type("\u0003");
		expect(await session.child.exited).toBe(130);
		expect(session.plain()).toContain("[helper] slowly disposed\n");
		expect(session.plain()).toContain("Interrupted by SIGINT.");
	});

	test.each(launches)("in a dialog ends the command as it does elsewhere %s", async (_, command) => {
		const asking = `export default (amp) => {
			amp.registerCommand("both", { title: "Both" }, ({ ui }) =>
				Promise.all([ui.confirm({ title: "Sure? One" }), ui.confirm({ title: "Sure? Two" })]));
			amp.onDispose(() => console.error("disposed"));
		};`;
		await desk.write({ "asking.ts": asking });
		const session = openTerminal(desk, [...command, "-p", "asking.ts", "run", "both"]);
		await session.see("[asking] Sure? ");
		session.type("\u0003");
		expect(await session.child.exited).toBe(130);
		expect(session.plain()).toContain("[asking] disposed\n");
		expect(session.plain()).toEndWith("error: Interrupted by SIGINT.\n");
		// The other one is not drawn on the way out.
		expect(new Set(session.plain().match(/Sure\? \w+/g)).size).toBe(1);
	});
});

test("Escape cancels a dialog and the command goes on", async () => {
	const session = openTerminal(desk, [...brood, "-p", "helper.ts", "run", "ask"]);
	await session.see("[helper] Sure?");
	session.type("\u001b");
	await session.see("[helper] the answer is false");
	expect(await session.child.exited).toBe(0);
});

describe("--json in a terminal", () => {
	const parameters = ["-p", "helper.ts", "run", "ask", "--json"];
	const result = { ok: true, ui: [{ kind: "confirm", answer: true }, { kind: "notify" }] };

	test("asks on stderr, and a file takes the result", async () => {
		const session = openTerminal(desk, [...brood, ...parameters], { stdout: "out.json" });
		await session.see("[helper] Sure?");
		session.type("y");
		expect(await session.child.exited).toBe(0);
		expect(await Bun.file(desk.path("out.json")).json()).toMatchObject(result);
		expect(session.plain()).not.toContain('{"ok"');
	});

	test("asks where the result is shown too", async () => {
		const session = openTerminal(desk, [...brood, ...parameters]);
		await session.see("[helper] Sure?");
		session.type("y");
		expect(await session.child.exited).toBe(0);
		const line = session
			.plain()
			.split("\n")
			.find((text) => text.startsWith('{"ok"'));
		expect(JSON.parse(line ?? "null")).toMatchObject(result);
	});
});

test("list fits the terminal: registrations are wrapped in their column, paths keep their end", async () => {
	const commands = ["first", "second", "third", "fourth"].map(
		(id) => `amp.registerCommand("${id}-command", { title: "" }, () => {});`,
	);
	await desk.write({ "wide.ts": `export default (amp) => { ${commands.join("\n")} };` });
	const session = openTerminal(desk, [...brood, "-q", "-p", "wide.ts", "list"], { columns: 72 });
	expect(await session.child.exited).toBe(0);
	const lines = session.plain().trimEnd().split("\n");
	const [heading = "", first = "", second = ""] = lines;
	const column = heading.indexOf("registers");
	expect(first.slice(column)).toMatch(/^commands first-command, .*…[^ ]*wide\.ts$/);
	expect(second.slice(0, column).trim()).toBe("");
	expect(lines.join(" ")).toContain("fourth-command");
	for (const line of lines) expect(line.length).toBeLessThanOrEqual(72);
});
