import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { HostWebhook } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";
import { holds, hookPlugin, notesIn, post, seenIn, seesEvents, soon, startHook, urlOf } from "./support.ts";

const bench = createBench();
const program = join(import.meta.dir, "../../fixtures/webhooks/host-program.ts");
const running = new Set<Bun.Subprocess>();

afterEach(async () => {
	for (const host of running) host.kill("SIGKILL");
	await Promise.all([...running].map(({ exited }) => exited));
	running.clear();
});

/** A host in a process of its own, once its plugins are ready. */
async function hostProcess(source: string, then: "wait" | "end" = "wait") {
	const file = bench.write("hook", source);
	const command = [process.execPath, program, join(file, ".."), JSON.stringify(soon), then];
	const host = Bun.spawn(command, { stdout: "pipe", stderr: "inherit", env: process.env });
	running.add(host);
	const logs: string[] = [];
	const ready = Promise.withResolvers<HostWebhook[]>();
	void (async () => {
		let text = "";
		for await (const bytes of host.stdout) {
			text += Buffer.from(bytes).toString();
			for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
				const line = JSON.parse(text.slice(0, end));
				text = text.slice(end + 1);
				if (line.log !== undefined) logs.push(line.log);
				if (line.webhooks !== undefined) ready.resolve(line.webhooks);
			}
		}
		ready.reject(new Error(`the host ended: ${logs.join("\n")}`));
	})();
	return { host, logs, webhooks: await ready.promise };
}

test("an event that was accepted is delivered by the next host, though its own was killed before it could", async () => {
	const first = await hostProcess(hookPlugin(bench, { handle: "await new Promise(() => {});" }));
	const url = urlOf(bench);
	// The first one holds up the second, which is stored and nothing more.
	const told: unknown[] = [];
	for (const body of ["1", "2"]) told.push(((await (await post(url, body)).json()) as { id: string }).id);
	await seesEvents(bench, 1);
	first.host.kill("SIGKILL");
	await first.host.exited;
	const second = await hostProcess(hookPlugin(bench));
	expect(second.webhooks.map((webhook) => webhook.url)).toEqual([url]);
	const seen = await seesEvents(bench, 3);
	expect(seen.map(({ payload, id }) => [payload, id])).toEqual([
		[1, told[0]],
		[1, told[0]],
		[2, told[1]],
	]);
});

test("what is accepted in the very moment of a kill is delivered, and what was not is not", async () => {
	const accepted = new Set<string>();
	const source = hookPlugin(bench);
	for (let round = 0; round < 3; round += 1) {
		const { host } = await hostProcess(source);
		const url = urlOf(bench);
		const sending = Array.from({ length: 3 }, async () => {
			try {
				const answer = await post(url, `"round ${round}"`);
				if (answer.status === 202) accepted.add(((await answer.json()) as { id: string }).id);
			} catch {}
		});
		await Bun.sleep(round * 2);
		host.kill("SIGKILL");
		await Promise.all([...sending, host.exited]);
	}
	await hostProcess(source);
	await holds(() => new Set(seenIn(bench).map(({ id }) => id)).isSupersetOf(accepted));
});

test("two hosts at once share port and queue; when the one that listens is killed the other goes on", async () => {
	const source = hookPlugin(bench);
	const one = await hostProcess(source);
	const two = await hostProcess(source);
	const url = urlOf(bench);
	expect(two.webhooks).toEqual(one.webhooks);
	for (let number = 0; number < 4; number += 1) expect((await post(url, String(number))).status).toBe(202);
	await seesEvents(bench, 4);
	one.host.kill("SIGKILL");
	await one.host.exited;
	await holds(async () => (await post(url, "4").catch(() => undefined))?.status === 202);
	await holds(() => seenIn(bench).some(({ payload }) => payload === 4));
	// The one that was killed may not have noted the end of its last event.
	expect([...new Set(seenIn(bench).map(({ payload }) => payload))]).toEqual([0, 1, 2, 3, 4]);
	expect([...one.logs, ...two.logs].filter((log) => log.includes("webhook"))).toEqual([]);
});

test("a host with nothing left to do ends, webhooks or not; an event under delivery it sees to its end", async () => {
	const idle = await hostProcess(hookPlugin(bench), "end");
	expect(await idle.host.exited).toBe(0);
	const handle = 'await Bun.sleep(500); note("done");';
	const busy = await hostProcess(
		hookPlugin(bench, { handle }).replace("writeFileSync(", 'await fetch(url, { method: "POST" }); writeFileSync('),
		"end",
	);
	expect(await busy.host.exited).toBe(0);
	expect(notesIn(bench)).toEqual(["done"]);
});

test("the secret of a URL is in no log, no error and no trace; plugin and host get it whole", async () => {
	const source = hookPlugin(bench, { handle: 'throw new Error("failed at " + url);' }).replace(
		"writeFileSync(",
		"amp.logger.log(url); console.log(url); globalThis.hookURL = url; writeFileSync(",
	);
	const host = await startHook(bench, source.replace('"failed at " + url', '"failed at " + globalThis.hookURL'));
	const url = urlOf(bench);
	const [, secret = ""] = new URL(url).pathname.split("/");
	await post(url);
	await host.logged("hook", "failed at");
	await host.logged("hook", "[secret]");
	expect(await host.host.webhooks.list()).toMatchObject([{ url }]);
	const shown = JSON.stringify([
		host.host.plugins.log("hook"),
		host.frames("hook"),
		host.host.plugins.list(),
		host.events,
	]);
	expect(shown).toContain("webhook.create");
	expect(shown).not.toContain(secret);
});

test("a provider of the embedder is asked in the place of the default, and hands over events", async () => {
	const asked: unknown[] = [];
	let deliver: ((event: { id: string; attempt: number }) => Promise<void>) | undefined;
	const { host } = await startHook(bench, hookPlugin(bench, { headers: ["X-A"] }), {
		providers: {
			webhooks: {
				async open({ key, headers, workspaceRoot, deliver: hand }, { plugin }) {
					asked.push({ key, headers, plugin, inWorkspace: workspaceRoot.length > 0 });
					const rest = { body: new Uint8Array([1]), headers: {}, receivedAt: new Date(0) };
					const { signal } = new AbortController();
					deliver = (event) => hand({ ...event, ...rest }, { signal });
					return { url: "https://example.com/secret/path", close: () => void asked.push("closed") };
				},
			},
		},
	});
	expect(asked).toEqual([{ key: "hook", headers: ["x-a"], plugin: "hook", inWorkspace: true }]);
	expect(await host.webhooks.list()).toEqual([
		{ plugin: "hook", key: "hook", headers: ["x-a"], url: "https://example.com/secret/path" },
	]);
	await deliver?.({ id: "e1", attempt: 7 });
	expect(seenIn(bench)).toMatchObject([
		{ id: "e1", body: "AQ==", metadata: { attempt: 7 }, receivedAt: "1970-01-01T00:00:00.000Z" },
	]);
	await host.disable("hook");
	await expect(deliver?.({ id: "e2", attempt: 1 })).rejects.toMatchObject({ code: "plugin_not_ready" });
	await host.stop();
	expect(asked).toContain("closed");
});

test.each([
	["rejects", "Promise.reject(new Error('down'))", "provider_failed"],
	["answers nothing", "Promise.resolve()", "invalid_answer"],
	["answers another kind of URL", "Promise.resolve({ url: 'ftp://x', close() {} })", "invalid_answer"],
])("a provider that %s fails that one call, and the plugin goes on", async (_, answer, code) => {
	const source = `import { appendFileSync } from "node:fs";
		export default async (amp) => {
			const told = await amp.createWebhook({ key: "k", handler() {} }).catch((error) => error.code);
			appendFileSync(${JSON.stringify(bench.path("notes"))}, told + "\\n");
			void amp.createWebhook({ key: "unawaited", handler() {} });
		};`;
	const open = new Function(`return ${answer}`);
	const running = await startHook(bench, source, { providers: { webhooks: { open: async () => open() } } });
	expect(notesIn(bench)).toEqual([code]);
	await running.logged("hook", "amp call webhook.create failed and nobody awaited it");
	expect(running.host.plugins.get("hook").state).toBe("ready");
});

test("a state folder that cannot be written rejects the call by name, and the plugin goes on", async () => {
	process.env.XDG_STATE_HOME = bench.write("blocked.txt", "");
	const source = `import { appendFileSync } from "node:fs";
		export default async (amp) => {
			const { code, message } = await amp.createWebhook({ key: "k", handler() {} }).catch((error) => error);
			appendFileSync(${JSON.stringify(bench.path("notes"))}, code + " " + message.split("\\n")[0] + "\\n");
		};`;
	const { host } = await startHook(bench, source);
	expect(notesIn(bench)[0]).toStartWith("webhooks_unavailable Webhooks");
	expect(notesIn(bench)[0]).toContain("webhooks.sqlite cannot be written");
	expect(host.plugins.get("hook").state).toBe("ready");
	expect(await host.webhooks.list()).toEqual([]);
});

test("a plugin has as many webhooks as the bound allows", async () => {
	const source = `import { appendFileSync } from "node:fs";
		export default async (amp) => {
			for (const key of ["a", "b", "a", "c"]) {
				const told = await amp.createWebhook({ key, handler() {} }).then(() => "ok", (error) => error.code);
				appendFileSync(${JSON.stringify(bench.path("notes"))}, key + " " + told + "\\n");
			}
		};`;
	await startHook(bench, source, { limits: { webhooks: { webhooksMax: 2 } } });
	expect(notesIn(bench)).toEqual(["a ok", "b ok", "a ok", "c busy"]);
});

test("a plugin that asks for many webhooks at once gets no more than the bound", async () => {
	const source = `import { appendFileSync } from "node:fs";
		export default async (amp) => {
			const keys = Array.from({ length: 30 }, (_, index) => "k" + index);
			const told = await Promise.allSettled(keys.map((key) => amp.createWebhook({ key, handler() {} })));
			appendFileSync(${JSON.stringify(bench.path("notes"))}, told.filter(({ status }) => status === "fulfilled").length + "\\n");
		};`;
	const { host } = await startHook(bench, source, { limits: { webhooks: { webhooksMax: 10 } } });
	expect(notesIn(bench)).toEqual(["10"]);
	expect(await host.webhooks.list()).toHaveLength(10);
});
