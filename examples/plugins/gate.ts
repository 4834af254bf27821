// A gate: it sees each tool call before it is made and rejects shell commands that cannot be undone. The agent reads
// the message and goes on. A gate that throws or is late rejects the call as well, so that none slips through.
// Run it: brood -p examples/plugins/gate.ts emit tool.call --data '{"tool":"Bash","input":{"cmd":"sudo rm -rf /"}}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Rejects shell commands that cannot be undone";

const dangers: [pattern: RegExp, reason: string][] = [
	[/\brm\s+(?:-\w+\s+)*-\w*[rR]\w*\s+(?:-\w+\s+)*["']?(?:\/|~|\$HOME)["']?(?:\s|\/?\*|$)/, "it deletes everything"],
	[/\bsudo\b/, "it acts as the administrator"],
	[/\bgit\s+push\b.*\s(?:-f|--force)(?:\s|$)/, "it overwrites what others have pushed"],
	[/\b(?:curl|wget)\b[^|]*\|\s*(?:ba|z)?sh\b/, "it runs a script that nobody has read"],
];

export default function (amp: PluginAPI) {
	amp.on("tool.call", (event, { logger }) => {
		// Knows the tools that run shell commands; null for all others.
		const shell = amp.helpers.shellCommandFromToolCall(event);
		if (shell === null) return { action: "allow" };

		const danger = dangers.find(([pattern]) => pattern.test(shell.command));
		if (danger === undefined) return { action: "allow" };

		logger.log("rejected", shell.command);
		return { action: "reject-and-continue", message: `Not run, since ${danger[1]}. Find another way, or ask.` };
	});
}
