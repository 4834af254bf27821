import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, readlinkSync } from "node:fs";
import { driveDev, stateOf, version } from "./dev-support.ts";
import { createDesk, main } from "./support.ts";
import { openTerminal } from "./terminal.ts";

const desk = createDesk();
const key = { interrupt: "\u0003", suspend: "\u001a" };

beforeEach(() => desk.write({ "greeter.ts": version("greet", 1, 'amp.onDispose(() => console.log("disposed"));') }));

describe("however it ends", () => {
	test.each([
		["Ctrl-C", 130],
		["Ctrl-C in a question", 130],
		["SIGTERM", 143],
		["SIGTERM in a question", 143],
	])("by %s, the exit code is %d and the terminal as it was", async (way, code) => {
		await using dev = driveDev(desk, ["dev", "greeter.ts"]);
		await dev.see("h help, q quit");
		if (way.endsWith("question")) {
			dev.type("c");
			await dev.see("Call which");
			await dev.see("Enter: confirm");
		}
		if (way.startsWith("Ctrl-C")) dev.type(key.interrupt);
		else {
			const [pid = ""] = desk.running().filter((id) => commandOf(id).startsWith(`${process.execPath}\0${main}\0dev`));
			process.kill(Number(pid), "SIGTERM");
		}
		expect(await dev.ended()).toBe(code);
		expect(dev.plain()).toContain("[greeter] disposed");
		expect(dev.plain()).toContain("error: Interrupted by SIG");
		expect(dev.isRestored()).toBe(true);
		// A question hides the cursor.
		expect(dev.raw().lastIndexOf("\u001b[?25h")).toBeGreaterThanOrEqual(dev.raw().lastIndexOf("\u001b[?25l"));
	});

	test("while plugins end, Ctrl-C is a signal again", async () => {
		const slow = 'amp.onDispose(async () => { console.log("slowly"); await Bun.sleep(700); });';
		await desk.write({ "slow.ts": version("a", 1, slow) });
		const session = openTerminal(desk, [process.execPath, main, "dev", "slow.ts"]);
		await session.see("h help, q quit");
		session.type("q");
		await session.see("[slow] slowly");
		session.type(key.interrupt);
		expect(await session.child.exited).toBe(130);
	});

	test("by a mistake of its own, the terminal is as it was", async () => {
		const script = `
			const { openKeyboard } = await import(process.argv[1]);
			openKeyboard({ pressed() { throw new Error("a mistake"); }, interrupt() {}, resumed() {} });
			console.log("open");
		`;
		const keys = new URL("../../../host/cli/commands/dev-keys.ts", import.meta.url).pathname;
		const command = ["sh", "-c", '"$@"; stty -a', "sh", process.execPath, "-e", script, keys];
		const session = openTerminal(desk, command);
		await session.see("open");
		session.type("x");
		await session.child.exited;
		expect(session.plain()).toContain("a mistake");
		expect(session.plain()).toMatch(/[^-]icanon/);
		expect(session.raw()).toContain("\u001b[?25h");
	});
});

test.skipIf(process.platform !== "linux")("Ctrl-Z gives the terminal back, and what goes on has it again", async () => {
	const session = openTerminal(desk, [process.execPath, main, "dev", "greeter.ts"]);
	await session.see("h help, q quit");
	const { pid } = session.child;
	const terminal = readlinkSync(`/proc/${pid}/fd/0`);
	const isRaw = () => Bun.spawnSync(["stty", "-a", "-F", terminal]).stdout.toString().includes("-icanon");
	expect(isRaw()).toBe(true);
	session.type(key.suspend);
	while (stateOf(pid) !== "T") await Bun.sleep(5);
	expect(isRaw()).toBe(false);
	process.kill(pid, "SIGCONT");
	while (!isRaw()) await Bun.sleep(5);
	session.type("q");
	expect(await session.child.exited).toBe(0);
});

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8");
	} catch {
		// It has ended meanwhile.
		return "";
	}
}
