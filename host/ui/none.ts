import { failure } from "../../runtime/errors.ts";
import type { AskContext, UIProvider } from "../contracts/providers.ts";

/** The UI of a host that nobody watches: every method rejects with `ui_not_available`. */
export function noUI(): UIProvider {
	return { available: false, notify: refuse, input: refuse, confirm: refuse, form: refuse, select: refuse };
}

async function refuse(_request: unknown, context: AskContext): Promise<never> {
	throw failure("ui_not_available", {
		plugin: context.plugin,
		reason: "nobody is there to answer",
		hint: "Run it in a terminal, or prepare the answers.",
	});
}
