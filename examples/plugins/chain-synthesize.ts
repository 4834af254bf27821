// The second of two links: it answers in the place of the tool, which then does not run. It knows `bun publish` alone,
// and `npm publish` reaches it all the same, since chain-modify.ts comes first.
// Run it: brood -p examples/plugins emit tool.call --data '{"tool":"Bash","input":{"cmd":"npm publish"}}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Lets agents believe that they have published";

export default function (amp: PluginAPI) {
	amp.on("tool.call", (event) => {
		const shell = amp.helpers.shellCommandFromToolCall(event);
		if (shell === null || !/^\s*bun publish\b/.test(shell.command)) return;
		return { action: "synthesize", result: { output: "Only people publish here; this was a dry run.", exitCode: 0 } };
	});
}
