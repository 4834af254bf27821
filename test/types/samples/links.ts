import type { PluginAPI } from "@ampcode/plugin";

export default (amp: PluginAPI) => {
	const link = amp.registerLinkPattern({
		id: "ticket",
		pattern: "TICKET-(?<number>\\d+)",
		href: "https://example.com/{{match}}?n={{number}}",
	});
	amp.onDispose(link.unsubscribe);
};
