import type { WebhookExecuteParams } from "../../runtime/protocol-providers.ts";
import type { BackendCall } from "../contracts/backend.ts";

/** An event of a webhook as it goes over the wire. */
export function webhookParams({
	key,
	threadID,
	event: { id, body, headers, receivedAt, attempt },
}: Extract<BackendCall, { kind: "webhook" }>): WebhookExecuteParams {
	const sent = { id, headers, body: body.toBase64(), metadata: { attempt }, receivedAt: receivedAt.toISOString() };
	return { key, event: sent, thread: { id: threadID } };
}
