import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type {
	EventContext,
	PluginAPI,
	PluginThread,
	Webhook,
	WebhookEvent,
	WebhookHandlerContext,
} from "../../child/plugin.ts";
import { createHost, type HostWebhook, loopbackWebhooks, type WebhooksProvider } from "../../host/index.ts";
import type { HostCalls } from "../../runtime/protocol.ts";
import type { WebhookCreateParams, WebhookExecuteParams } from "../../runtime/protocol-providers.ts";
import type { providerParamsSchemas } from "../../runtime/schema/providers.ts";

/** Compiled, never run: each line is a claim about what authors and embedders may write. */
async function _claims({ createWebhook }: PluginAPI): Promise<void> {
	expectTypeOf(createWebhook).toEqualTypeOf<(webhook: Webhook) => Promise<{ url: string }>>();
	const names = ["x-github-event", "x-hub-signature-256"] as const;
	await createWebhook({
		key: "k",
		headers: names,
		handler: async (event, context) => {
			expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
			expectTypeOf(event.body).toEqualTypeOf<Uint8Array>();
			expectTypeOf(event.payload).toEqualTypeOf<unknown>();
			expectTypeOf(event.receivedAt).toEqualTypeOf<string>();
			expectTypeOf(context).toEqualTypeOf<WebhookHandlerContext>();
			expectTypeOf(context).toExtend<EventContext>();
			expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
			expectTypeOf(context.thread).toEqualTypeOf<PluginThread>();
		},
	});
	// @ts-expect-error a webhook has a handler
	await createWebhook({ key: "k" });

	const host = await createHost({ providers: { webhooks: loopbackWebhooks({ port: 0, file: "f", publicURL: "u" }) } });
	expectTypeOf(await host.webhooks.list()).toEqualTypeOf<HostWebhook[]>();
	const provider: WebhooksProvider = { open: async () => ({ url: "https://example.com", close() {} }) };
	await createHost({ providers: { webhooks: provider } });
}

test("what goes over the wire about webhooks is what the schema infers", () => {
	type Params = z.infer<(typeof providerParamsSchemas)["webhook.create"]>;
	expectTypeOf<Params>().toEqualTypeOf<WebhookCreateParams>();
	expectTypeOf<HostCalls["webhook.execute"]["params"]>().toEqualTypeOf<WebhookExecuteParams>();
	expect(typeof _claims).toBe("function");
});
