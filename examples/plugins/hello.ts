// A tool: a function that an agent, a person or a program may call. The host checks each input against the schema,
// so that `execute` can trust its type.
// Run it: brood -p examples/plugins/hello.ts call greet '{"name":"Ada"}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Greets people by name";

export default function (amp: PluginAPI) {
	amp.registerTool<{ name: string; times?: number }>({
		name: "greet",
		description: "Greets a person",
		inputSchema: {
			type: "object",
			properties: {
				name: { type: "string", description: "Who is greeted" },
				times: { type: "integer", minimum: 1, maximum: 3 },
			},
			required: ["name"],
			additionalProperties: false,
		},
		execute({ name, times = 1 }, { logger }) {
			logger.log("greeting", { name, times });
			return Array.from({ length: times }, () => `Hello, ${name}!`).join("\n");
		},
	});
}
