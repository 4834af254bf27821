import { beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, readlinkSync } from "node:fs";
import { driveDev, stateOf, version } from "./dev-support.ts";
import { createDesk, main } from "./support.ts";
import { openTerminal } from "./terminal.ts";

const desk = createDesk();
const key = { interrupt: "\u0003", suspend: "\u001a" };

const asking = `setTimeout(() => amp.ui.confirm({ title: "Sure?", confirmButtonText: "Yes" }), 20);
	amp.onDispose(() => console.log("disposed"));`;

beforeEach(() => desk.write({ "greeter.ts": version("greet", 1, 'amp.onDispose(() => console.log("disposed"));') }));

describe("however it ends", () => {
	test.each([
		["Ctrl-C", 130],
		["Ctrl-C in a question", 130],
		["Ctrl-C in a dialog of a plugin", 130],
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
		if (way.endsWith("plugin")) {
			await desk.write({ "greeter.ts": version("greet", 2, asking) });
			await dev.see("[greeter] Sure?");
			await dev.see("Cancel");
		}
		if (way.startsWith("Ctrl-C")) dev.type(key.interrupt);
		else {
			const [pid = ""] = desk.running().filter((id) => commandOf(id).startsWith(`${process.execPath}\0${main}\0dev`));
			process.kill(Number(pid), "SIGTERM");
		}
		expect(await dev.ended()).toBe(code);
		expect(dev.plain()).toContain("[greeter] disposed");
		// Whoever pressed the key knows why.
		expect(dev.plain().includes("error: ")).toBe(!way.startsWith("Ctrl-C"));
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

describe("once its lines have no reader", () => {
	const json = [process.execPath, main, "dev", "--json", "greeter.ts"];

	/** A program that reads a line and does what a script says. */
	async function reading(script: string) {
		const source = `
			const dev = Bun.spawn(${JSON.stringify(json)}, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
			const reader = dev.stdout.getReader();
			await reader.read();
			${script}
		`;
		const child = desk.start([], { command: [process.execPath, "-e", source] });
		return { exitCode: await child.exited, stderr: await child.stderr.text() };
	}

	test("that had read enough, as in brood dev --json | head -1, it ends in good order", async () => {
		const script = '{ "$@"; echo "exit code $?" >&2; } | head -n 1';
		const child = desk.start([], { command: ["sh", "-c", script, "sh", ...json] });
		expect(JSON.parse(await child.stdout.text())).toMatchObject({ event: "ready", plugin: "greeter" });
		const stderr = await child.stderr.text();
		expect(stderr).toContain('"message":"disposed"');
		expect(stderr).toEndWith("exit code 0\n");
	});

	test("which was a program over a socket, it ends in good order", async () => {
		const { stderr } = await reading('await reader.cancel(); console.error("exit code " + (await dev.exited));');
		expect(stderr).toContain('"message":"disposed"');
		expect(stderr).toEndWith("exit code 0\n");
	});

	// What stays is seen by the desk, and keeps stderr open.
	test("which was a program that was killed, it ends in good order", async () => {
		const { stderr } = await reading('process.kill(process.pid, "SIGKILL");');
		expect(stderr).toContain('"message":"disposed"');
	});

	test.skipIf(process.platform !== "linux")("but a full disk, it ends and says so", async () => {
		const child = desk.start([], { command: ["sh", "-c", 'exec "$@" > /dev/full', "sh", ...json] });
		expect(await child.exited).toBe(1);
		expect(await child.stderr.text()).toContain("The result could not be written");
	});
});

test("without a terminal, with a log for its lines, it goes on behind whoever started it", async () => {
	const script = '"$@" < /dev/null > log.txt 2>&1 & echo $!';
	const starter = desk.start([], { command: ["sh", "-c", script, "sh", process.execPath, main, "dev", "greeter.ts"] });
	const pid = Number(await starter.stdout.text());
	await starter.exited;
	const said = async (text: string) => {
		while (!(await Bun.file(desk.path("log.txt")).text()).includes(text)) await Bun.sleep(5);
	};
	await said("Watching 1 plugin.");
	await desk.write({ "greeter.ts": version("greet", 2) });
	await said("reload   greeter");
	process.kill(pid, "SIGTERM");
	await said("Interrupted by SIGTERM");
});

function commandOf(pid: string): string {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8");
	} catch {
		// It has ended meanwhile.
		return "";
	}
}
