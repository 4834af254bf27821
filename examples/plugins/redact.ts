// A filter: it sees the result of each tool call before the agent does, and takes access tokens out of its text.
// Several filters form a chain: each sees what the one before it left.
// Run it: brood -p examples/plugins/redact.ts emit tool.result --data '{"tool":"Bash","output":"ghp_0123456789abcdefghij"}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Takes access tokens out of tool results";

const tokens = /\b(?:gh[pousr]_|sk-|xox[abpr]-)[\w-]{16,}/g;

export default function (amp: PluginAPI) {
	amp.on("tool.result", ({ status, output }) => {
		if (typeof output !== "string") return;
		const redacted = output.replace(tokens, "[redacted]");
		return redacted === output ? undefined : { status, output: redacted };
	});
}
