import { expect, test } from "bun:test";
import type { WebhookRequest, WebhooksProvider } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = `export default async (amp) => {
	const webhook = await amp.createWebhook({ key: "hook", headers: ["X-Kind"], async handler(event, ctx) {
		const { signal, thread, logger, system, ui, ai, $ } = ctx;
		if (event.payload === "wait") {
			logger.log("waiting");
			return new Promise((_, reject) => signal.addEventListener("abort", () => { logger.log("given up"); reject(signal.reason); }));
		}
		const refused = (call) => call.then(() => "answered", (error) => error.code);
		logger.log("got " + JSON.stringify({
			...event,
			body: [event.body instanceof Uint8Array, ...event.body],
			payload: event.payload,
			thread: [thread, typeof thread.messages],
			aborted: signal.aborted,
			system: system === amp.system,
			shell: (await $\`echo ran\`).stdout.trim(),
			ui: await refused(ui.confirm({ title: "?" })),
			ai: await refused(ai.ask("?")),
		}));
	} });
	// A log does not show it.
	amp.logger.log("its own URL: " + (webhook.url === "https://example.com/hooks/1"));
};`;

function listening() {
	const opened = Promise.withResolvers<WebhookRequest>();
	const provider: WebhooksProvider = {
		async open(request) {
			opened.resolve(request);
			return { url: "https://example.com/hooks/1", close() {} };
		},
	};
	return { opened: opened.promise, provider };
}

const delivery = (text: string) => ({
	id: "E-1",
	body: new TextEncoder().encode(text),
	headers: { "x-kind": "push" },
	receivedAt: new Date(0),
	attempt: 1,
});

test("a webhook has a URL, and its handler gets the request with the members of an event's context and a signal", async () => {
	const { opened, provider } = listening();
	const { logged } = await bench.start({ p: plugin }, { providers: { webhooks: provider } });
	await logged("p", "its own URL: true");
	const request = await opened;
	expect(request).toMatchObject({ key: "hook", headers: ["x-kind"] });
	await request.deliver(delivery('{"a":1}'), { signal: new AbortController().signal });
	const { message } = await logged("p", "got ");
	expect(JSON.parse(message.slice("got ".length))).toEqual({
		id: "E-1",
		body: [true, ...new TextEncoder().encode('{"a":1}')],
		payload: { a: 1 },
		headers: { "x-kind": "push" },
		metadata: { attempt: 1 },
		receivedAt: "1970-01-01T00:00:00.000Z",
		thread: [{ id: expect.any(String) }, "function"],
		aborted: false,
		system: true,
		shell: "ran",
		ui: "ui_not_available",
		ai: "provider_missing",
	});
});

test("the signal of a webhook's handler aborts when its delivery is given up", async () => {
	const { opened, provider } = listening();
	const { logged } = await bench.start({ p: plugin }, { providers: { webhooks: provider } });
	const controller = new AbortController();
	const delivered = (await opened).deliver(delivery('"wait"'), { signal: controller.signal });
	const ended = delivered.catch((error: unknown) => error);
	await logged("p", "waiting");
	controller.abort();
	await logged("p", "given up");
	expect(await ended).toBeInstanceOf(Error);
});
