// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are sources of a plugin
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Providers } from "../../../host/contracts/providers.ts";
import { createBench } from "../support/host.ts";
import { comesTrue, survivorsOf } from "../support/processes.ts";

const bench = createBench();

/** A plugin whose tool, command and handler give the values of these expressions, which see `$`. */
function asking(expressions: string[]): string {
	return `
const ask = async ($) => {
	const seen = await Promise.allSettled([${expressions.join(",\n")}]);
	return JSON.stringify(seen.map(({ value, reason }) => value ?? String(reason)));
};
export default (amp) => {
	amp.registerTool({ name: "ask", description: "", inputSchema: { type: "object" }, execute: () => ask(amp.$) });
	amp.registerCommand("ask", { title: "Ask" }, async (ctx) => ctx.ui.notify(await ask(ctx.$), { type: "ignored" }));
	amp.on("agent.start", async (event, ctx) => ({ message: { content: await ask(ctx.$) } }));
};`;
}

let told: string[] = [];
const listening: Providers = {
	ui: {
		available: true,
		form: async () => undefined,
		notify: async ({ message }) => void told.push(message),
		input: async () => undefined,
		confirm: async () => false,
		select: async () => undefined,
	},
};
const script = "for (const item of await Bun.stdin.json())\\n    console.log(item[\\'q\\'].repeat(2))\\n";

const rows: [expression: string, result: { exitCode: number; stdout: string; stderr?: string }][] = [
	["$`seq 5 | tail -n 2`", { exitCode: 0, stdout: "4\n5\n" }],
	["$`if true; then echo yes 1>&2; fi; exit 3`", { exitCode: 3, stdout: "", stderr: "yes\n" }],
	['$`basename "$(pwd)"`', { exitCode: 0, stdout: "plugins\n" }],
	['$`cd /; pwd`.then(() => $`basename "$PWD"`)', { exitCode: 0, stdout: "plugins\n" }],
	[
		'$`printf \'[%s]\' ${"it\'s; $(date) `x` \\n"} ${["a b", "", \'"\']} ${[]} ${7}`',
		{ exitCode: 0, stdout: "[it's; $(date) `x` \n][a b][][\"][7]" },
	],
	['$`bash -lc ${"echo \\"$((40 + 2))\\" | cat; [[ a == a ]]"}`', { exitCode: 0, stdout: "42\n" }],
	[
		`$\`printf %s \${JSON.stringify([{ q: "it's \\"é\\" $x" }])} | $BUN -e \${'${script}'}\``,
		{ exitCode: 0, stdout: 'it\'s "é" $xit\'s "é" $x\n' },
	],
	["$`kill -TERM $$`", { exitCode: 143, stdout: "" }],
	["$`cat; echo $?`", { exitCode: 0, stdout: "0\n" }],
	["$`echo $MADE_BY_HOST:$BUN_BE_BUN:$SET_LATER`", { exitCode: 0, stdout: "host::later\n" }],
	["$`printf '\\377ok'`", { exitCode: 0, stdout: "\ufffdok" }],
	[
		'$`nosuchprogram`.then(({ exitCode, stdout }) => ({ exitCode, stdout, stderr: "" }))',
		{ exitCode: 127, stdout: "" },
	],
];

test("amp.$ of a tool and ctx.$ of commands and handlers do what sh does", async () => {
	const source = `process.env.SET_LATER = "later";${asking(rows.map(([expression]) => expression))}`;
	// A login shell of this machine's own user may print what it likes.
	const env = { ...definedEnvironment(), MADE_BY_HOST: "host", HOME: bench.path("home"), BUN: process.execPath };
	const { host } = await bench.start({ sh: source }, { env, providers: listening });
	told = [];
	const expected = rows.map(([, result]) => ({ stderr: "", ...result }));
	const [{ text }, , { result }] = await Promise.all([
		host.tools.call("ask", {}),
		host.commands.run("ask"),
		host.emit("agent.start", { message: "m", id: "1" }),
	]);
	expect(JSON.parse(text)).toEqual(expected);
	expect(told.map((message) => JSON.parse(message))).toEqual([expected]);
	const { messages } = result as { messages: { content: string }[] };
	expect(messages.map(({ content }) => JSON.parse(content))).toEqual([expected]);
});

test("what amp.$ refuses rejects in the plugin, and harms neither it nor the other calls", async () => {
	const source = asking(["$`touch ${undefined}`", '$`echo ${{ raw: "; touch injected" }}`', "$('ls')", "$`echo fine`"]);
	const { host } = await bench.start({ sh: source });
	const { text } = await host.tools.call("ask", {});
	expect(JSON.parse(text)).toEqual([
		expect.stringContaining("TypeError: Value 1 of amp.$ is undefined"),
		expect.stringContaining("TypeError: Value 1 of amp.$ is an object without a text"),
		expect.stringContaining("template tag"),
		{ exitCode: 0, stdout: "fine\n", stderr: "" },
	]);
	expect(host.plugins.get("sh").state).toBe("ready");
});

test("a large document goes through the stdin of a program that the plugin starts, and both outputs come back", async () => {
	const source = `export default (amp) => {
		amp.on("agent.end", async ({ messages }) => {
			const child = Bun.spawn(["sh", "-c", "cat; echo noise >&2"], { stdin: new Blob([JSON.stringify(messages)]), stdout: "pipe", stderr: "pipe" });
			const [text, noise] = await Promise.all([child.stdout.text(), child.stderr.text()]);
			const same = text === JSON.stringify(messages) && noise === "noise\\n";
			return { action: "continue", userMessage: String(same && JSON.parse(text).length) };
		});
	};`;
	const { host } = await bench.start({ sh: source });
	const messages = Array.from({ length: 500 }, (_, id) => ({ role: "user", id, content: "é'\"\\\n".repeat(300) }));
	const { result } = await host.emit("agent.end", { message: "m", id: "1", status: "done", messages });
	expect(result).toMatchObject({ userMessage: "500" });
});

const starter = `export default (amp) => {
	amp.registerTool({ name: "stay", description: "", inputSchema: { type: "object" }, execute: async ({ file }) => {
		await amp.$\`sleep 300 & echo $! $$ > \${file}.part; mv \${file}.part \${file}; sleep 300; echo late\`;
	} });
	amp.registerTool({ name: "crash", description: "", inputSchema: { type: "object" }, execute: () => process.kill(process.pid, "SIGKILL") });
};`;
const ways = ["stop", "disable", "crash"] as const;

test.each(ways)("what amp.$ runs ends with its plugin, by %s, background jobs included", async (way) => {
	const { host } = await bench.start({ sh: starter });
	const file = bench.path(way);
	const call = host.tools.call("stay", { file }).catch((error: Error) => error);
	expect(await comesTrue(() => existsSync(file), 10_000)).toBe(true);
	const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
	if (way === "stop") await host.stop();
	if (way === "disable") await host.disable("sh");
	if (way === "crash") await host.tools.call("crash", {}).catch(() => {});
	expect(await call).toBeInstanceOf(Error);
	expect(pids).toHaveLength(2);
	expect(await survivorsOf(pids)).toEqual([]);
});

function definedEnvironment(): Record<string, string> {
	return Object.fromEntries(
		Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
}
