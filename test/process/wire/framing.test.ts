import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { startFake } from "./fake.ts";

/** Programs in the place of the child that frame their messages in ways that have broken other hosts. */
const bench = createBench();
const start = (parts: string) => startFake(bench, parts);

describe("messages are found", () => {
	test("glued together and torn apart, in order (case 002)", async () => {
		const { call, told } = await start(`last: undefined, async tool(wire, id, { text }) {
			await this.last;
			const { promise, resolve } = Promise.withResolvers();
			this.last = promise;
			const line = wire.line(id, "first " + text) + "\\n";
			const extra = JSON.stringify({ jsonrpc: "2.0", method: "later.thing", params: { text: "nobody asked" } }) + "\\n";
			wire.raw(extra + line.slice(0, 10)); await Bun.sleep(10);
			wire.raw(line.slice(10) + extra.slice(0, 5)); await Bun.sleep(10);
			wire.raw(extra.slice(5));
			resolve();
		}`);
		expect(await call("one")).toBe("first one");
		expect(await call("two")).toBe("first two");
		expect(told()).toEqual([expect.stringContaining('the notification "later.thing" is not known')]);
	});

	test("between blank lines and with CRLF ends, without a word in the log (case 003)", async () => {
		const { call, told } = await start(`
			begin(wire) { wire.raw("\\r\\n\\n"); wire.hello(); },
			tool(wire, id) { wire.raw("\\r\\n" + wire.line(id, "fine") + "\\r\\n\\r\\n"); },
		`);
		expect(await call()).toBe("fine");
		expect(told()).toEqual([]);
	});

	test("after one byte order mark at the very start (case 004)", async () => {
		const { call, told } = await start(`
			begin(wire) { wire.raw([0xef, 0xbb, 0xbf]); wire.hello(); },
			tool(wire, id) { wire.answer(id, "after bom"); },
		`);
		expect(await call()).toBe("after bom");
		expect(told()).toEqual([]);
	});

	test("after a banner, which is told with a hint where such text belongs (case 018)", async () => {
		const { call, told } = await start(`
			begin(wire) { wire.raw("Probe plugin v1.0.0 starting...\\nLoaded 3 rules\\n"); wire.hello(); },
			tool(wire, id) { wire.answer(id, "ready anyway"); },
		`);
		expect(await call()).toBe("ready anyway");
		expect(told()).toEqual([expect.stringMatching(/Probe plugin v1\.0\.0 starting\.\.\. .*belongs on stderr/)]);
	});

	test("after JSON that is no message, which is told once (case 008)", async () => {
		const { call, told } = await start(`tool(wire, id) {
			for (const odd of ["42", "null", "true", '"hi"', "{}", "[1,[2]]"]) wire.raw(odd + "\\n");
			wire.answer(id, "survived");
		}`);
		expect(await call()).toBe("survived");
		expect(told()).toEqual([expect.stringContaining("(it is no object): 42"), expect.stringContaining("batches")]);
	});

	test("after bytes that are not UTF-8, which are told once and escaped (case 015)", async () => {
		const { call, told } = await start(`tool(wire, id) {
			wire.raw([0xff, 0xfe, 0x00, 0x80, 0x0a]);
			wire.raw([0x3c, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d, 0x0a]);
			wire.answer(id, "still here");
		}`);
		expect(await call()).toBe("still here");
		expect(told()).toEqual([expect.stringMatching(/it is not UTF-8\): \S*\\u0000/)]);
	});

	test("without the member jsonrpc, which is not needed to understand them", async () => {
		const { call } = await start(`tool(wire, id) {
			wire.raw(JSON.stringify({ id, result: { content: [{ type: "text", text: "short" }] } }) + "\\n");
		}`);
		expect(await call()).toBe("short");
	});

	test("whole at the exit although their end is missing; half of one is told with its beginning (case 007)", async () => {
		const parts = `tool(wire, id, { text }) {
			const line = wire.line(id, "last words");
			wire.raw(text === "half" ? line.slice(0, 20) : line); process.exit(0);
		}`;
		const [whole, half] = await Promise.all([start(parts), start(parts)]);
		expect(await whole.call("whole")).toBe("last words");
		expect(await half.failing("half")).toMatchObject({
			code: "plugin_exited",
			exit: { code: 0 },
			message: expect.stringMatching(/exited with code 0 before tool "t" was done.*\{\\"jsonrpc\\":\\"2\.0/),
		});
	});
});

describe("what is no message", () => {
	test("with headers before it fails the load and is quoted with a hint, in the error and in the log (case 005)", async () => {
		const { host, told } = await startFake(
			bench,
			`begin(wire) {
				const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "client.info", params: {} });
				wire.raw("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);
			}`,
			{ limits: { load: { readyMs: 500 } } },
		);
		const { state, pid, error } = host.plugins.get("one");
		expect({ state, pid, code: error?.code }).toEqual({ state: "failed", pid: null, code: "ready_timeout" });
		expect(error?.message).toContain('Plugin "one"');
		expect(error?.message).toMatch(/Content-Length: \d+/);
		expect(told()[0]).toMatch(/Content-Length: \d+.*There are no headers/);
	});

	test("glued to an answer fails that call, quoted, and the next one works (case 019)", async () => {
		const { call, failing, host } = await start(`tool(wire, id, { text }) {
			if (text === "first") wire.raw("progress 100% ");
			wire.answer(id, text);
		}`);
		expect(await failing("first", 300)).toMatchObject({
			code: "timeout",
			plugin: "one",
			message: expect.stringContaining("progress 100% {"),
		});
		expect(await call("second")).toBe("second");
		expect(host.plugins.get("one").launches).toBe(1);
	});

	test("because it was printed over many lines is one report with a hint, and quoted by the call that fails", async () => {
		const { failing, told } = await start(`tool(wire, id) {
			const result = { content: [{ type: "text", text: "pretty", list: [1, 2] }] };
			wire.raw(JSON.stringify({ jsonrpc: "2.0", id, result }, null, 2) + "\\n");
		}`);
		expect(await failing("", 300)).toMatchObject({ code: "timeout", message: expect.stringMatching(/no message: \{/) });
		const [first, ...more] = told();
		expect(first).toContain("each line of stdout is one JSON message");
		// The tenth of a kind is told as a count.
		expect(more).toEqual([expect.stringContaining("(10 of this kind so far)")]);
	});

	test("is a batch: one answer with the number -32600, and the calls in it are not made", async () => {
		const { call, frames } = await start(`
			load(wire) { wire.raw('[{"jsonrpc":"2.0","id":5,"method":"client.info"},{"jsonrpc":"2.0","id":6,"method":"client.info"}]\\n'); wire.ready(); },
			tool(wire, id) { wire.answer(id, "fine"); },
		`);
		expect(await call()).toBe("fine");
		const errors = frames("one").filter(({ direction, kind }) => direction === "out" && kind === "error");
		expect(errors.map(({ message }) => message)).toEqual([
			expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
		]);
	});

	test("is an answer with neither a result nor an error, or with both: its call fails at once (case 010)", async () => {
		const { failing, call, host } = await start(`tool(wire, id, { text }) {
			if (text === "neither") wire.say({ id });
			else if (text === "both") wire.say({ id, result: { content: [] }, error: { code: 1, message: "y" } });
			else wire.answer(id, text);
		}`);
		for (const text of ["neither", "both"]) {
			const error = await failing(text);
			expect(error).toMatchObject({ code: "invalid_answer", plugin: "one" });
			expect(String(error)).toContain('tool "t" of plugin "one"');
		}
		expect(await call("good")).toBe("good");
		expect(host.plugins.get("one").launches).toBe(1);
	});

	test("nested 100,000 levels deep costs at most the call that it answers (case 013)", async () => {
		const { call, host } = await start(`tool(wire, id, { text }) {
			if (text === "good") return wire.answer(id, text);
			const deep = "[".repeat(100_000) + "]".repeat(100_000);
			wire.raw('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[{"type":"text","text":"deep"}],"meta":' + deep + '}}\\n');
		}`);
		for (let time = 0; time < 2; time += 1) {
			expect(await call("bad").catch(String)).toMatch(/^deep$|tool "t" of plugin "one"/);
		}
		expect(await call("good")).toBe("good");
		expect(host.plugins.get("one").launches).toBe(1);
	});
});
