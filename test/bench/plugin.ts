/** The plugin that every variant loads: a tool, a command and an event, in words that Node reads too. */
export const trivialPlugin = `export default function (amp) {
	amp.registerTool({
		name: "echo",
		description: "Gives a text back",
		inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
		execute: ({ text }) => text,
	});
	amp.registerCommand("hello", { title: "Hello" }, () => {});
	amp.on("session.start", () => {});
}
`;

/** The same with one more tool. */
export function pluginWith(tool: string): string {
	const schema = '{ type: "object" }';
	const more = `amp.registerTool({ name: "${tool}", description: "", inputSchema: ${schema}, execute: () => "${tool}" });`;
	return trivialPlugin.replace(/}\n$/, `\t${more}\n}\n`);
}
