// The first of two links: tool calls pass all gates in the order of the plugins' names, and what this one modifies is
// what the next one sees. Here `npm` becomes `bun`.
// Run it: brood -p examples/plugins/chain-modify.ts emit tool.call --data '{"tool":"Bash","input":{"cmd":"npm test"}}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Turns npm commands into those of bun";

export default function (amp: PluginAPI) {
	amp.on("tool.call", (event) => {
		const { cmd } = event.input;
		if (event.tool !== "Bash" || typeof cmd !== "string") return;

		const modified = cmd.replace(/\bnpm test\b/g, "bun run test").replace(/\bnpm(?= )/g, "bun");
		// An answer of nothing changes nothing.
		if (modified === cmd) return;
		return { action: "modify", input: { ...event.input, cmd: modified } };
	});
}
