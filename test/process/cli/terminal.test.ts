import { beforeEach, describe, expect, test } from "bun:test";
import { createDesk, helper, launcher, main } from "./support.ts";

const desk = createDesk();
beforeEach(() => desk.write({ "helper.ts": helper }));

const node = Bun.which("node");

/** Runs the command line in a terminal of its own. */
function inTerminal(command: string[]) {
	let shown = "";
	let seen = 0;
	let arrived = () => {};
	const decoder = new TextDecoder();
	const child = Bun.spawn(command, {
		cwd: desk.path(),
		env: desk.environment({ TERM: "xterm-256color", NO_COLOR: "1", BROOD_BUN: process.execPath }),
		terminal: {
			cols: 100,
			rows: 40,
			data(_terminal, data) {
				shown += decoder.decode(data, { stream: true });
				arrived();
			},
		},
	});
	return {
		child,
		type: (keys: string) => child.terminal?.write(keys),
		raw: () => shown,
		plain: () => Bun.stripANSI(shown).replaceAll("\r", ""),
		/** Waits until a text is shown behind the last one that was waited for. */
		async see(text: string): Promise<void> {
			for (;;) {
				const at = Bun.stripANSI(shown).indexOf(text, seen);
				if (at !== -1) {
					seen = at + text.length;
					return;
				}
				const { promise, resolve } = Promise.withResolvers<void>();
				arrived = resolve;
				const ended = await Promise.race([promise, child.exited.then(() => true)]);
				if (ended && !Bun.stripANSI(shown).includes(text, seen)) throw new Error(`never saw ${text} in:\n${shown}`);
			}
		},
	};
}

test("a dialog is answered in the terminal, and not printed once more", async () => {
	const session = inTerminal([process.execPath, main, "-p", "helper.ts", "run", "ask"]);
	await session.see("[helper] Sure?");
	session.type("y");
	await session.see("[helper] the answer is true");
	expect(await session.child.exited).toBe(0);
	expect(session.plain()).toMatch(/Command "ask" of plugin "helper" took/);
	expect(session.plain()).not.toContain("confirm: Sure?");
});

test("text of a tool cannot command the terminal", async () => {
	const session = inTerminal([
		process.execPath,
		main,
		"-q",
		"-p",
		"helper.ts",
		"call",
		"greet",
		'{"name":"\\u001b[2Jme"}',
	]);
	expect(await session.child.exited).toBe(0);
	expect(session.raw()).toContain("Hello me");
	expect(session.raw()).not.toContain("\u001b[2J");
});

describe("Ctrl-C", () => {
	const launches: [name: string, command: string[]][] = [["under Bun", [process.execPath, main]]];
	if (node === null) console.log("skipped: Ctrl-C through the launcher, since there is no node on the PATH");
	else launches.push(["through the launcher under Node", [node, launcher]]);

	test.each(launches)("stops plugins in good order %s", async (_, command) => {
		// Time enough for a second SIGINT, which would kill, to arrive before it is done.
		const slow = 'amp.onDispose(async () => { await Bun.sleep(300); console.error("slowly disposed"); });';
		await desk.write({ "helper.ts": helper.replace("amp.onDispose", `${slow}\namp.onDispose`) });
		const session = inTerminal([...command, "-p", "helper.ts", "call", "greet", '{"name":"never"}']);
		await session.see("greeting never");
		session.type("\u0003");
		expect(await session.child.exited).toBe(130);
		expect(session.plain()).toContain("[helper] slowly disposed\n");
		expect(session.plain()).toContain("Interrupted by SIGINT.");
	});
});
