import type { Host } from "../../../host/host.ts";
import type { ScenarioName } from "./points.ts";
import { handOver } from "./webhook.ts";

/** What a host does while the fault is committed; loading is done by making the host. */
export interface Scenario {
	/** Gives what the caller gets. @throws what the caller gets */
	act(host: Host, options: { timeoutMs?: number }): Promise<string>;
	/** What the caller gets when nothing is wrong. */
	answer: string;
	/** The message that carries it, or the last of those that do. */
	answeredBy: string;
}

const tool = async (host: Host, name: string, options: { timeoutMs?: number; events?: boolean }) => {
	const { ok, text, error } = await host.tools.call(name, { n: 7 }, { events: false, ...options });
	if (!ok) throw error;
	return text;
};

export const scenarios: Record<ScenarioName, Scenario> = {
	load: { act: async () => "", answer: "", answeredBy: "" },
	tool: {
		act: (host, options) => tool(host, "subject_plain", options),
		answer: "plain 7",
		answeredBy: "answer to tool.execute",
	},
	command: {
		async act(host, options) {
			const { ok, error } = await host.commands.run("subject:run", options);
			if (!ok) throw error;
			return "ran";
		},
		answer: "ran",
		answeredBy: "answer to command.execute",
	},
	/** The sibling's tool is called, the subject may object to it and sees its result. */
	gate: {
		act: (host) => tool(host, "sibling_gated", { events: true }),
		answer: "sibling_gated",
		answeredBy: "answer to event.dispatch",
	},
	ask: {
		act: (host, options) => tool(host, "subject_ask", options),
		answer: "Ada true red",
		answeredBy: "answer to tool.execute",
	},
	/** The webhook is there before. */
	webhook: {
		async act(host) {
			await handOver(host);
			return "handled";
		},
		answer: "handled",
		answeredBy: "answer to webhook.execute",
	},
	registration: {
		act: (host, options) => tool(host, "subject_grow", options),
		answer: "has grown",
		answeredBy: "answer to tool.execute",
	},
	/** Nothing happens but two signs of life. */
	idle: { act: async () => "", answer: "", answeredBy: "" },
	reload: {
		async act(host) {
			await host.reload("subject");
			return "reloaded";
		},
		answer: "reloaded",
		answeredBy: "",
	},
	stop: {
		async act(host) {
			await host.disable("subject");
			return "stopped";
		},
		answer: "stopped",
		answeredBy: "",
	},
};
