import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createBench } from "../support/host.ts";
import { holds, hookPlugin, notesIn, post, seenIn, seesEvents, soon, startHook, urlOf } from "./support.ts";

const bench = createBench();
const state = () => join(process.env.XDG_STATE_HOME ?? "", "brood");

describe("an event", () => {
	test("comes with its id, its bytes, the asked-for headers, its JSON and the context of an event", async () => {
		const running = await startHook(bench, hookPlugin(bench, { headers: ["X-Signature", "content-type", "x-absent"] }));
		running.host.threads?.create({ id: "T-1" });
		running.host.threads?.setActive("T-1");
		const before = Date.now();
		const answer = await post(urlOf(bench), '{"n":1}', {
			"x-signature": "abc",
			"X-OTHER": "no",
			"content-type": "application/json",
		});
		const { id } = (await answer.json()) as { id: string };
		const [event] = await seesEvents(bench, 1);
		expect(answer.status).toBe(202);
		expect(event).toEqual({
			key: "hook",
			id,
			body: btoa('{"n":1}'),
			headers: { "x-signature": "abc", "content-type": "application/json" },
			payload: { n: 1 },
			metadata: { attempt: 1 },
			receivedAt: expect.any(String),
			thread: "T-1",
			context: ["$", "ai", "logger", "signal", "system", "thread", "ui"],
			pid: expect.any(Number),
		});
		const receivedAt = Date.parse(event?.receivedAt ?? "");
		expect(receivedAt).toBeGreaterThanOrEqual(before);
		expect(receivedAt).toBeLessThanOrEqual(Date.now());
	});

	test("has the bytes that were sent, whatever they are", async () => {
		await startHook(bench, hookPlugin(bench));
		const binary = Uint8Array.from({ length: 256 }, (_, index) => index);
		const large = crypto.getRandomValues(new Uint8Array(65_536));
		const bodies = [
			new Uint8Array(0),
			binary,
			Bun.gzipSync(binary),
			Buffer.concat(Array.from({ length: 20 }, () => large)),
			new TextEncoder().encode("\ufeffnull"),
		];
		const headers = { "content-encoding": "gzip" };
		for (const body of bodies) expect((await post(urlOf(bench), body, headers)).status).toBe(202);
		const seen = await seesEvents(bench, bodies.length);
		expect(seen.map(({ body }) => Bun.hash(Buffer.from(body, "base64")))).toEqual(bodies.map((body) => Bun.hash(body)));
		expect(seen.map(({ payload }) => payload)).toEqual([null, null, null, null, null]);
	});

	test("of one webhook comes after the one before it is done", async () => {
		const handle = 'note("begin"); await Bun.sleep(20); note("end");';
		await startHook(bench, hookPlugin(bench, { handle }));
		await Promise.all(["1", "2", "3"].map((body) => post(urlOf(bench), body)));
		await holds(() => notesIn(bench).length === 6);
		expect(notesIn(bench)).toEqual(["begin", "end", "begin", "end", "begin", "end"]);
	});

	test("reaches a handler while another one of the plugin waits for its own", async () => {
		const source = `import { writeFileSync } from "node:fs";
			export default async (amp) => {
				const waiting = Promise.withResolvers();
				const a = await amp.createWebhook({ key: "a", handler: () => waiting.promise });
				const b = await amp.createWebhook({ key: "b", handler: () => waiting.resolve() });
				writeFileSync(${JSON.stringify(bench.path("a.url"))}, a.url);
				writeFileSync(${JSON.stringify(bench.path("b.url"))}, b.url);
			};`;
		const { host } = await startHook(bench, source);
		await post(urlOf(bench, "a"));
		await post(urlOf(bench, "b"));
		await holds(async () => (await host.webhooks.list()).every(({ pending }) => pending === 0));
	});
});

describe("a handler", () => {
	test("that throws gets the event again, and again, with the same id; the log says why", async () => {
		const handle = 'if (count < 3) throw new Error("not " + count + " yet");';
		const running = await startHook(bench, hookPlugin(bench, { handle }));
		await post(urlOf(bench));
		const seen = await seesEvents(bench, 3);
		expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
		expect(seen.map(({ metadata }) => metadata)).toEqual([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }]);
		await holds(async () => (await running.host.webhooks.list())[0]?.pending === 0);
		const { level, message } = await running.logged("hook", "attempt 1");
		expect(level).toBe("warn");
		expect(message).toContain('webhook "hook": event evt_');
		expect(message).toContain("not 1 yet");
		expect(message).toContain("it is delivered again in");
	});

	test("lets later events pass while one waits to be delivered again", async () => {
		const handle = 'if (payload === "bad") throw new Error("bad");';
		const limits = { webhooks: { ...soon, retryFirstMs: 60_000, retryLastMs: 60_000 } };
		const { host } = await startHook(bench, hookPlugin(bench, { handle }), { limits });
		for (const body of ['"bad"', '"good"']) await post(urlOf(bench), body);
		const seen = await seesEvents(bench, 2);
		expect(seen.map(({ payload }) => payload)).toEqual(["bad", "good"]);
		await holds(async () => (await host.webhooks.list())[0]?.pending === 1);
	});

	test("that fails too long has the event put aside, which is told", async () => {
		const handle = 'throw new Error("never");';
		const limits = { webhooks: { ...soon, failingMs: 0 } };
		const running = await startHook(bench, hookPlugin(bench, { handle }), { limits });
		await post(urlOf(bench));
		const { message } = await running.logged("hook", "put aside");
		expect(message).toContain("it has failed 1 times since");
		const [webhook] = await running.host.webhooks.list();
		expect(webhook).toMatchObject({ plugin: "hook", key: "hook", pending: 0, failed: 1 });
	});

	test("that takes too long has its signal aborted, and the event comes again", async () => {
		const handle = `if (count === 1) {
			await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
			note(context.signal.reason.name);
			throw context.signal.reason;
		}`;
		const limits = { webhooks: { ...soon, handlerMs: 100 } };
		const running = await startHook(bench, hookPlugin(bench, { handle }), { limits });
		await post(urlOf(bench));
		await seesEvents(bench, 2);
		expect(notesIn(bench)).toEqual(["TimeoutError"]);
		expect((await running.logged("hook", "attempt 1")).message).toContain("did not answer within 100 ms");
	});

	test("of the last call with a key is the one that counts, under the same URL", async () => {
		const source = `import { writeFileSync, appendFileSync } from "node:fs";
			export default async (amp) => {
				const note = (text) => appendFileSync(${JSON.stringify(bench.path("notes"))}, text + "\\n");
				const one = await amp.createWebhook({ key: "k", headers: ["x-one"], handler: ({ headers }) => note("one") });
				const two = await amp.createWebhook({ key: "k", headers: ["x-two"],
					handler: ({ headers }) => note("two " + JSON.stringify(headers)) });
				writeFileSync(${JSON.stringify(bench.path("k.url"))}, two.url);
				note(String(one.url === two.url));
			};`;
		const { host } = await startHook(bench, source);
		await post(urlOf(bench, "k"), "1", { "x-one": "1", "x-two": "2" });
		await holds(() => notesIn(bench).length === 2);
		expect(notesIn(bench)).toEqual(["true", 'two {"x-two":"2"}']);
		expect((await host.webhooks.list()).map(({ key }) => key)).toEqual(["k"]);
	});

	test("made after the plugin was ready hears events", async () => {
		const source = `import { appendFileSync, writeFileSync } from "node:fs";
			export default (amp) => amp.registerCommand("open", { title: "Open" }, async () => {
				const { url } = await amp.createWebhook({ key: "late",
					handler: ({ id }) => appendFileSync(${JSON.stringify(bench.path("notes"))}, id + "\\n") });
				writeFileSync(${JSON.stringify(bench.path("late.url"))}, url);
			});`;
		const { host } = await startHook(bench, source);
		expect(existsSync(state())).toBe(false);
		expect((await host.commands.run("hook:open")).ok).toBe(true);
		const { id } = (await (await post(urlOf(bench, "late"))).json()) as { id: string };
		await holds(() => notesIn(bench).length === 1);
		expect(notesIn(bench)).toEqual([id]);
	});
});

describe("a plugin", () => {
	test("hears no event before it is ready", async () => {
		const source = hookPlugin(bench, { handle: 'note("handled");' }).replace(
			"writeFileSync(",
			'await fetch(url, { method: "POST", body: "1" }); await Bun.sleep(100); note("loaded"); writeFileSync(',
		);
		await startHook(bench, source);
		await seesEvents(bench, 1);
		await holds(() => notesIn(bench).length === 2);
		expect(notesIn(bench)).toEqual(["loaded", "handled"]);
	});

	test("that crashes gets the event again from its next process", async () => {
		await startHook(
			bench,
			hookPlugin(bench, { handle: 'if (metadata.attempt === 1) process.kill(process.pid, "SIGKILL");' }),
		);
		await post(urlOf(bench));
		const [first, second] = await seesEvents(bench, 2);
		expect(second?.id).toBe(first?.id ?? "");
		expect(second?.pid).not.toBe(first?.pid);
	});

	test("is not brought down for good by an event that crashes it each time", async () => {
		const running = await startHook(
			bench,
			hookPlugin(bench, { handle: 'if (payload === "bad") process.kill(process.pid, "SIGKILL");' }),
		);
		await post(urlOf(bench), '"bad"');
		await running.logged("hook", "put aside: the plugin ended 3 times while it handled it");
		await running.reaches("hook", "ready");
		await post(urlOf(bench), '"good"');
		expect((await seesEvents(bench, 4)).map(({ payload }) => payload)).toEqual(["bad", "bad", "bad", "good"]);
	});

	test("that is disabled has what comes kept, and gets it when it is enabled", async () => {
		const { host } = await startHook(bench, hookPlugin(bench));
		await host.disable("hook");
		expect((await post(urlOf(bench), "1")).status).toBe(202);
		expect((await post(urlOf(bench), "2")).status).toBe(202);
		expect(await host.webhooks.list()).toMatchObject([{ key: "hook", pending: 2 }]);
		expect(seenIn(bench)).toEqual([]);
		await host.enable("hook");
		expect((await seesEvents(bench, 2)).map(({ payload }) => payload)).toEqual([1, 2]);
	});

	test("that is stopped in the middle of an event gets it again, and that is no failure", async () => {
		const running = await startHook(
			bench,
			hookPlugin(bench, { handle: "if (count === 1) await new Promise(() => {});" }),
		);
		await post(urlOf(bench));
		await seesEvents(bench, 1);
		await running.host.disable("hook");
		await running.host.enable("hook");
		const seen = await seesEvents(bench, 2);
		expect(seen.map(({ metadata }) => metadata.attempt)).toEqual([1, 1]);
	});

	test("that does not ask for the key any more has its events wait until it does", async () => {
		const running = await startHook(bench, hookPlugin(bench));
		const url = urlOf(bench);
		bench.write("hook", "export default () => {};");
		await running.host.reload("hook");
		expect((await post(url, '"kept"')).status).toBe(202);
		bench.write("hook", hookPlugin(bench));
		await running.host.reload("hook");
		expect(urlOf(bench)).toBe(url);
		expect((await seesEvents(bench, 1))[0]).toMatchObject({ payload: "kept", metadata: { attempt: 1 } });
	});

	test("keeps one process for an event that began before a reload", async () => {
		const handle =
			'note("begin"); await context.ui.confirm({ title: "Go on?" }).catch(() => {}); await Bun.sleep(200); note("end");';
		const running = await startHook(bench, hookPlugin(bench, { handle }));
		await post(urlOf(bench));
		await holds(() => notesIn(bench).includes("begin"));
		await running.host.reload("hook");
		await holds(() => notesIn(bench).includes("end"));
		await holds(async () => (await running.host.webhooks.list())[0]?.pending === 0);
		expect(notesIn(bench)).toEqual(["begin", "end"]);
	});
});

test("nothing is opened while no plugin asks; then the file is for this user alone", async () => {
	await startHook(bench, hookPlugin(bench));
	const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
	expect(modeOf(state())).toBe("700");
	const files = readdirSync(state()).filter((name) => name.startsWith("webhooks.sqlite"));
	expect(files).toContain("webhooks.sqlite");
	expect(files.map((name) => modeOf(join(state(), name)))).toEqual(files.map(() => "600"));
});
