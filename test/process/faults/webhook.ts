import type { WebhookRequest, WebhooksProvider } from "../../../host/contracts/webhooks.ts";
import type { Host } from "../../../host/host.ts";

const requests = new WeakMap<Host, Promise<WebhookRequest>>();

/** A provider that hands over what a scenario gives it; `belongsTo` says in which host. */
export function handingOver(): { provider: WebhooksProvider; belongsTo(host: Host): void } {
	const opened = Promise.withResolvers<WebhookRequest>();
	return {
		provider: {
			async open(request) {
				opened.resolve(request);
				return { url: "https://example.com/hook", close() {} };
			},
		},
		belongsTo: (host) => void requests.set(host, opened.promise),
	};
}

/** Hands one event to the webhook of the subject. @throws what the delivery ends with */
export async function handOver(host: Host): Promise<void> {
	const request = await requests.get(host);
	if (request === undefined) throw new Error("nobody has asked for a webhook");
	const event = { id: "event", body: new Uint8Array([7]), headers: {}, receivedAt: new Date(0), attempt: 1 };
	await request.deliver(event, { signal: new AbortController().signal });
}
