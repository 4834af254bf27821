import type { Limits } from "../../runtime/limits.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { WebhookService } from "../contracts/services.ts";
import { askProvider } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskWebhooksParts {
	webhooks: WebhookService;
	limits: Limits["webhooks"];
	problem(message: string): void;
}

/** Answers `webhook.create`. */
export function createAskWebhooks({ webhooks, limits, problem }: AskWebhooksParts) {
	return async (params: unknown, context: AskContext): Promise<{ url: string }> => {
		const webhook = await parseParams("webhook.create", params);
		const question = { provider: "webhooks", subject: "createWebhook", context, ms: limits.openMs, problem } as const;
		return askProvider(question, (within) => webhooks.open(webhook, within));
	};
}
