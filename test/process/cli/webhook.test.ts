import { beforeEach, expect, test } from "bun:test";
import { createDesk, main, parseLines } from "./support.ts";

const desk = createDesk();
beforeEach(() =>
	desk.write({
		"hook.ts": `export default async (amp) => {
			await amp.createWebhook({ key: "build", headers: ["X-Sig"], async handler(event, context) {
				const { payload, headers, metadata } = event;
				if (payload === "bad") throw new RangeError("out of reach");
				if (payload === "hang") await new Promise(() => {});
				if (payload === "ask") await context.ui.notify("is it " + await context.ui.confirm({ title: "Sure?" }));
				console.log("got " + JSON.stringify({ body: event.body.toHex(), payload, headers, metadata, thread: context.thread.id }));
			} });
		};`,
		"yes.json": "[true]",
	}),
);

const brood = (...parameters: string[]) => desk.run(["--no-places", "-p", "hook.ts", ...parameters]);

/** What the handler saw, by what it printed. */
function seen(stderr: string): unknown {
	const [, json = ""] = /got (\{.*\})/.exec(stderr) ?? [];
	return JSON.parse(json);
}

test("the handler gets the body and the headers that it asked for, and what it asks is answered", async () => {
	const headers = ["--header", "x-sig: a", "--header", "X-SIG:b", "--header", "Other: 1"];
	const { exitCode, stdout, stderr } = await brood("webhook", "build", '{"a":1}', ...headers);
	expect(seen(stderr)).toMatchObject({ payload: { a: 1 }, headers: { "x-sig": "a, b" }, metadata: { attempt: 1 } });
	expect(stderr).toContain("so its handler did not get other.\n");
	expect(stderr).toMatch(/^Webhook "build" of plugin "hook" took [\d.]+ ms\.$/m);
	expect([exitCode, stdout]).toEqual([0, ""]);

	const asked = await brood("--answers", "yes.json", "webhook", "hook:build", '"ask"');
	expect(asked).toMatchObject({ exitCode: 0, stdout: "confirm: Sure? → true\nnotify: is it true\n" });
});

test("the bytes on stdin come as they are, and the thread is the one that was chosen", async () => {
	const bytes = Bun.spawn([process.execPath, "-e", "process.stdout.write(new Uint8Array([255, 0, 13, 10, 97]))"], {
		stdout: "pipe",
	});
	const child = Bun.spawn(
		[process.execPath, main, "--no-places", "-p", "hook.ts", "webhook", "build", "-", "--thread", "T-9"],
		{ cwd: desk.path(), env: desk.environment(), stdin: bytes.stdout, stdout: "pipe", stderr: "pipe" },
	);
	const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
	expect(seen(stderr)).toMatchObject({ body: "ff000d0a61", payload: null, thread: "T-9" });
});

test("--json prints what became of it as data", async () => {
	const { exitCode, stdout } = await brood("--answers", "yes.json", "webhook", "build", '"ask"', "--json");
	expect(JSON.parse(stdout)).toEqual({
		ok: true,
		plugin: "hook",
		key: "build",
		ms: expect.any(Number),
		ui: [
			{ kind: "confirm", plugin: "hook", title: "Sure?", answer: true },
			{ kind: "notify", plugin: "hook", message: "is it true" },
		],
	});
	expect(exitCode).toBe(0);
});

test("a handler that throws makes it exit with 5, with the place in its source", async () => {
	const people = await brood("webhook", "build", '"bad"');
	expect(people.stderr).toContain('The handler of webhook "build" of plugin "hook" failed: RangeError: out of reach');
	expect(people.stderr).toContain("hook.ts:4:");
	expect(people.exitCode).toBe(5);
	const program = await brood("webhook", "build", '"bad"', "--json");
	expect(JSON.parse(program.stdout)).toMatchObject({ ok: false, plugin: "hook", error: { code: "plugin_error" } });
	expect(parseLines(program.stderr).at(-1)).toMatchObject({ error: { code: "plugin_error", plugin: "hook" } });
	expect(program.exitCode).toBe(5);
});

test("a handler that takes longer than --timeout makes it exit with 6", async () => {
	const { exitCode, stderr } = await brood("webhook", "build", '"hang"', "--timeout", "200", "--json");
	expect(parseLines(stderr).at(-1)).toMatchObject({ error: { code: "timeout", plugin: "hook" } });
	expect(exitCode).toBe(6);
});

test.each([
	["a key that no plugin has", ["webhook", "other"], "Known: hook:build."],
	["a key with a slip", ["webhook", "buld"], 'Is it "build"?'],
	["a header without a name", ["webhook", "build", "x", "--header", "none"], "--header takes 'name: value'"],
	["a header over two lines", ["webhook", "build", "x", "--header", "a: b\nc: d"], "--header takes 'name: value'"],
])("%s is a mistake in the usage", async (_, parameters, text) => {
	const { exitCode, stderr } = await brood(...parameters);
	expect(stderr).toContain(text);
	expect(stderr).not.toContain("got ");
	expect(exitCode).toBe(2);
});

test("a key of a plugin that failed to load names what failed", async () => {
	await desk.write({ "broken.ts": "export default () => { throw new Error('no'); };" });
	const { exitCode, stderr } = await desk.run(["--no-places", "-p", "broken.ts", "webhook", "build"]);
	expect(stderr).toContain("broken");
	expect(exitCode).toBe(4);
});
