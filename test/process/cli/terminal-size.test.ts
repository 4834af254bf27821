import { expect, test } from "bun:test";
import { createDesk, helper, main } from "./support.ts";
import { openTerminal } from "./terminal.ts";

const desk = createDesk();

/** Runs brood in a terminal that tells no size. */
function openUnsized(...parameters: string[]) {
	const script = 'stty cols 0 rows 0; exec "$0" "$@"';
	return openTerminal(desk, [
		"sh",
		"-c",
		script,
		process.execPath,
		main,
		"-q",
		"--no-places",
		"-p",
		"p",
		...parameters,
	]);
}

test("a terminal without a size counts as one of 80 columns: dialogs are drawn, answered and not wrapped", async () => {
	await desk.write({ "p/helper.ts": helper });
	const session = openUnsized("run", "ask");
	await session.see("[helper] Sure?");
	await session.see("Yes");
	session.type("y");
	await session.see("[helper] the answer is true");
	expect(await session.child.exited).toBe(0);
	// Wrapped at nothing, each letter had a line.
	expect(session.plain()).toContain("[helper] Sure?");
});

test("a terminal without a size counts as one of 80 columns: tables are cut to them", async () => {
	const name = "n".repeat(100);
	await desk.write({ [`p/folder-${name}.ts`]: "export default () => {};" });
	await desk.write({ "p/helper.ts": helper });
	const session = openUnsized("list");
	expect(await session.child.exited).toBe(0);
	expect(session.plain()).toMatch(/…\S*helper\.ts$/m);
});

test("a dialog whose plugin ends says so, and so does what is told of it afterwards", async () => {
	const dying = `export default (amp) => amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		process.stdin.resume();
		setTimeout(() => process.exit(3), 300);
		await ui.confirm({ title: "Sure?" });
	});`;
	await desk.write({ "p/dying.ts": dying });
	const session = openTerminal(desk, [process.execPath, main, "-q", "--no-places", "-p", "p", "run", "ask"]);
	await session.see("[dying] Sure?");
	await session.see('Withdrawn: plugin "dying" ended.');
	expect(await session.child.exited).toBe(5);
	expect(session.plain()).not.toContain("nobody waits");
});
