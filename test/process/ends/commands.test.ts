import { describe, expect, test } from "bun:test";
import { createDesk, main } from "../cli/support.ts";
import { openTerminal } from "../cli/terminal.ts";
import { childrenOf } from "../support/processes.ts";
import { calm, hanging, spinning } from "./plugins.ts";
import { outlive } from "./support.ts";

/** Commands as hosts: a person gives one up in a terminal, and nothing of its plugins may be left. */
const desk = createDesk();
const brood = [process.execPath, main];

const lingering = `export default (amp) => amp.registerTool({
	name: "linger", description: "", inputSchema: { type: "object" },
	execute: () => { console.log("lingering"); return new Promise(() => {}); },
});`;

/** Runs a command in a terminal until the plugins have told of this many processes. */
async function startCommand(parameters: string[], announcements: number, plugins: Record<string, string>) {
	await desk.write(Object.fromEntries(Object.entries(plugins).map(([name, text]) => [`plugins/${name}.ts`, text])));
	const session = openTerminal(desk, [...brood, "-p", "plugins", "--no-places", ...parameters], { columns: 200 });
	for (let told = 0; told < announcements; told += 1) await session.see("] pids [");
	const family = [...session.plain().matchAll(/pids \[([\d,]+)/g)].flatMap(([, pids = ""]) =>
		pids.split(",").map(Number),
	);
	return { session, family: [...family, ...childrenOf(session.child.pid)] };
}

const isGiven = [
	["Ctrl-C", (session: ReturnType<typeof openTerminal>) => void session.type("\u0003"), 130],
	["the end of the terminal", (session: ReturnType<typeof openTerminal>) => session.child.terminal?.close(), 129],
] as const;

describe.each(isGiven)("%s", (_, act, exitCode) => {
	test("during a call ends the command and all that its plugins started", async () => {
		const notes = desk.path("notes");
		const plugins = { calm: calm(notes), lingering };
		const { session, family } = await startCommand(["call", "linger"], 1, plugins);
		await session.see("lingering");
		act(session);
		expect(await session.child.exited).toBe(exitCode);
		expect(family.length).toBeGreaterThan(7);
		expect(await outlive(family)).toEqual([]);
		expect(await Bun.file(notes).text()).toBe("disposing\ndisposed\nSIGINT\n");
	});

	test("while plugins load for a list ends it, and disposes of none", async () => {
		const notes = desk.path("notes");
		const { session, family } = await startCommand(["list"], 2, { one: hanging(notes), two: hanging(notes) });
		act(session);
		expect(await session.child.exited).toBe(exitCode);
		expect(await outlive(family)).toEqual([]);
		expect(await Bun.file(notes).exists()).toBe(false);
	});
});

test("two Ctrl-C end a command at once although a plugin blocks its loop", async () => {
	const slow = 'export default (amp) => amp.onDispose(() => { console.log("slowly"); return new Promise(() => {}); });';
	const { session, family } = await startCommand(["run", "spin"], 1, { spinning, slow });
	session.type("\u0003");
	await session.see("stopping slow, spinning");
	session.type("\u0003");
	expect(await session.child.exited).toBe(130);
	expect(await outlive(family)).toEqual([]);
});
