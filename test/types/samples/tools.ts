import { defineTool, type PluginAPI, type ToolContentBlock } from "@ampcode/plugin";

const add = defineTool<{ a: number; b: number }>({
	name: "add",
	title: "Add",
	transcriptGroup: { active: "Adding", complete: "Added" },
	description: "Adds two numbers.",
	inputSchema: {
		type: "object",
		properties: { a: { type: "number" }, b: { type: "number" } },
		required: ["a", "b"],
	},
	execute: async ({ a, b }, ctx) => {
		ctx.logger.log(ctx.thread.id, ctx.signal.aborted);
		await ctx.ui.notify("adding");
		return String(a + b);
	},
});

export default function (amp: PluginAPI) {
	const inputSchema = { type: "object" } as const;
	const blocks: ToolContentBlock[] = [
		{ type: "text", text: "t" },
		{ type: "image", mimeType: "image/png", data: "AAAA" },
		{ type: "image", mimeType: "image/png", url: "https://example.com/a.png" },
	];
	const subscription = amp.registerTool(add);
	amp.registerTool({ name: "blocks", description: "", inputSchema, execute: () => blocks });
	amp.registerTool({ name: "nothing", description: "", inputSchema, execute: async () => {} });
	amp.registerTool({ name: "object", description: "", inputSchema, execute: async (input) => ({ given: input.path }) });
	amp.registerTool({
		name: "typed",
		description: "",
		inputSchema,
		execute: async (input: { path?: string }) => input.path ?? "none",
	});
	amp.onDispose(() => subscription.unsubscribe());
}
