import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	amp.registerCommand("status", { title: "Status", category: "Git" }, async (ctx) => {
		const files = ["a b.txt", "c.txt"];
		const { exitCode, stdout, stderr } = await ctx.$`git status --short -- ${files} | head -n ${5}`;
		await ctx.ui.notify(exitCode === 0 ? stdout.trim() : `git failed with ${exitCode}: ${stderr}`);
	});
	amp.on("agent.end", async (_event, { $ }) => {
		const result = await $`true`;
		if (result.exitCode !== 0) return { action: "continue", userMessage: result.stderr };
	});
	return amp.$`echo loaded`.then(({ stdout }) => amp.logger.log(stdout));
}
