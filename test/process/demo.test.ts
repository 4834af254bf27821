import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadFacts } from "../../host/contracts/backend.ts";
import { root } from "../house/support/tree.ts";

setDefaultTimeout(20_000);

const demo = join(root, "host/cli/demo.ts");
const plugins = readdirSync(join(root, "examples/plugins")).map((name) => name.replace(/\.ts$/, ""));
const heads = loadFacts.map((fact) => (fact === "clientInfo" ? "client.info" : fact));
const escapeCharacter = "\u001b";
const nothingLeft = /✓ No process is left: \d+ ran/;

// Neither git nor another program is found: the demo needs no more than Bun and the shell of the system.
const bare = { PATH: "" };

async function runPiped(command: string[], env: Record<string, string> = {}) {
	const run = Bun.spawn(command, {
		cwd: tmpdir(),
		env: { ...bare, ...env },
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	const [text, errors] = await Promise.all([run.stdout.text(), run.stderr.text()]);
	return { exitCode: await run.exited, text, errors };
}

/** Runs the demo in a terminal; gives all that was written to it. */
async function runInTerminal(size: { cols: number; rows: number }, env: Record<string, string> = {}) {
	const decoder = new TextDecoder();
	let written = "";
	const closed = Promise.withResolvers<void>();
	const run = Bun.spawn([process.execPath, demo], {
		cwd: tmpdir(),
		env: { ...bare, TERM: "xterm-256color", ...env },
		terminal: {
			...size,
			data(_, data) {
				written += decoder.decode(data, { stream: true });
				if (/Done in [^\n]*\n/.test(written)) closed.resolve();
			},
		},
	});
	const exitCode = await run.exited;
	await closed.promise;
	run.terminal?.close();
	return { exitCode, written };
}

describe("the demo in a pipe", () => {
	test("tells each fact of each plugin, what was asked and answered, and ends with the proof, all in plain text", async () => {
		const { exitCode, text, errors } = await runPiped([process.execPath, demo]);
		expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
		expect(text).not.toContain(escapeCharacter);
		const facts = heads.map((head) => `${head.replace(".", "\\.")} +\\d+\\.\\d`).join(" +");
		for (const plugin of plugins) expect(text).toMatch(new RegExp(`^  ${plugin} +${facts}$`, "m"));
		for (const plugin of plugins) expect(text).toMatch(new RegExp(`^  ${plugin} +░+[░▒▓█]* +\\d+\\.\\d ms$`, "m"));
		expect(text).toMatch(nothingLeft);
	});

	test("shows what is contributed, called, asked, gated, killed and stopped", async () => {
		const { text } = await runPiped([process.execPath, demo]);
		const lines = [
			/^ {2}tool +greet +hello/m,
			/^ {2}skill +release-notes:release-notes/m,
			/^ {2}mode +reviewer/m,
			/^ {2}link +status:issue/m,
			/^ {2}status +no branch/m,
			/^ {2}event +tool\.call +chain-modify → chain-synthesize → gate$/m,
			/› Hello, Ada! {2}hello, \d/,
			/^ {2}select +Where to\? +staging · production\n +› production$/m,
			/^ {2}secret +Token .*\n +› •+$/m,
			/^ {2}confirm +Deploy to production\? .*\n +› Deploy$/m,
			/chain-modify +modify .*sudo bun install.*\n +chain-synthesize +– .*\n +gate +reject-and-continue/,
			/SIGKILL +process (\d+)\n.*withdrawn +tool greet\n.*restarting\n.*starting\n.*published +tool greet\n.*ready +process (?!\1)/,
			/› Hello, Grace!/,
			new RegExp(`${plugins.length} plugins disposed and ended in \\d`),
		];
		for (const line of lines) expect(text).toMatch(line);
		expect(text).not.toContain("a secret");
	});

	test("ends with 1 and names what is left when a process stays", async () => {
		// It ends when the program that reads from it does.
		const child = 'Bun.spawn(["/bin/sh", "-c", "read -r line"], { stdin: "pipe" })';
		const program = `const child = ${child}; child.unref(); console.log("stays", child.pid); await import("${demo}");`;
		const { exitCode, text } = await runPiped([process.execPath, "-e", program]);
		const pid = /^stays (\d+)$/m.exec(text)?.[1];
		expect(text).toMatch(new RegExp(`✗ 1 of \\d+ processes are left:\\n +${pid} sh`));
		expect(text).not.toMatch(nothingLeft);
		expect(exitCode).toBe(1);
	});
});

describe("the demo in a terminal", () => {
	test("fills in a row for each plugin, in colours", async () => {
		const { exitCode, written } = await runInTerminal({ cols: 80, rows: 30 });
		expect(exitCode).toBe(0);
		expect(written).toContain(`${escapeCharacter}[36m`);
		const screen = render(written);
		for (const plugin of plugins) {
			// Where the row stands first, its facts are still to come.
			expect(Bun.stripANSI(written)).toMatch(new RegExp(`^  ${plugin} +(?:·|0\\.0) +·`, "m"));
			const row = screen.find((line) => line.startsWith(`  ${plugin} `));
			expect(row).toMatch(new RegExp(`^  ${plugin}(?: +\\d+\\.\\d){${heads.length}}$`));
		}
		expect(screen.slice(0, 6).join("\n")).toMatch(
			/found +client\.info +activated +ready\n +spawned +imported +registered +published\n/,
		);
		expect(Math.max(...screen.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(80);
		expect(screen.join("\n")).toMatch(nothingLeft);
	});

	test("writes no escape sequence under NO_COLOR", async () => {
		const { exitCode, written } = await runInTerminal({ cols: 80, rows: 30 }, { NO_COLOR: "1" });
		expect(exitCode).toBe(0);
		expect(written).not.toContain(escapeCharacter);
		expect(written).toMatch(nothingLeft);
	});

	test("does not write rows again that have left a small screen", async () => {
		const { exitCode, written } = await runInTerminal({ cols: 60, rows: 10 });
		expect(exitCode).toBe(0);
		const colours = new RegExp(`${escapeCharacter}\\[\\d+m`, "g");
		expect(written).toMatch(colours);
		expect(written.replace(colours, "")).not.toContain(escapeCharacter);
	});
});

const pieces = new RegExp(
	`${escapeCharacter}\\[(\\d*)([A-Z])|${escapeCharacter}\\[\\d+m|\\r|\\n|([^${escapeCharacter}\\r\\n]+)`,
	"g",
);

/** What stands on an endless screen after this was written to it; colours are left out. */
function render(written: string): string[] {
	const lines: string[] = [];
	let row = 0;
	let column = 0;
	for (const [piece, count, command, text] of written.matchAll(pieces)) {
		const line = lines[row] ?? "";
		if (command === "A") row -= Number(count);
		else if (command === "B") row += Number(count);
		else if (command === "K") lines[row] = line.slice(0, column);
		else if (piece === "\r") column = 0;
		else if (piece === "\n") row += 1;
		else if (text !== undefined) {
			lines[row] = line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
			column += text.length;
		}
	}
	return Array.from(lines, (line) => line ?? "");
}
