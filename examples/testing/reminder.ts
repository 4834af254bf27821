// A tool that acts later. Its test, which stands beside it, does not wait for that: it moves the time.
// Run its test: bun test ./examples/testing/reminder.test.ts
// Run it: brood -p examples/testing/reminder.ts call remind '{"text":"Tea","minutes":5}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Reminds of things";

export default function (amp: PluginAPI) {
	amp.registerTool<{ text: string; minutes: number }>({
		name: "remind",
		description: "Reminds the person of something in some minutes",
		inputSchema: {
			type: "object",
			properties: { text: { type: "string" }, minutes: { type: "number", minimum: 0 } },
			required: ["text", "minutes"],
		},
		execute({ text, minutes }) {
			setTimeout(() => void amp.ui.notify(`${text}, at ${new Date().toISOString()}`), minutes * 60_000);
			return `I remind you of it in ${minutes} minutes.`;
		},
	});
}
