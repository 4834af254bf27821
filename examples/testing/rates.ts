// A tool that needs a setting, and asks an AI where nobody has set it. Its test stands beside it.
// Run its test: bun test ./examples/testing/rates.test.ts
// Run it: brood -p examples/testing/rates.ts call convert '{"amount":2}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Converts amounts of money";

export default function (amp: PluginAPI) {
	amp.registerTool<{ amount: number }>({
		name: "convert",
		description: "Converts euros to the currency of the person",
		inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
		async execute({ amount }) {
			const { rate } = await amp.configuration.get<{ rate?: number }>();
			if (rate !== undefined) return (amount * rate).toFixed(2);
			return await amp.ai.generate({ prompt: `Convert ${amount} EUR to the currency of the person.` });
		},
	});
}
