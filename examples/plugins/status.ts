// Small things that a host shows: a status item that runs a command when it is clicked, and a pattern that makes links.
// The branch comes from `amp.$`, which runs `sh`, quotes what is put in and resolves whatever the exit code.
// Run it: brood -p examples/plugins/status.ts info status
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Shows the branch and links issues";

export default async function (amp: PluginAPI) {
	const url = "command:refresh-branch";
	const status = amp.createStatusItem({ text: "branch …", url });

	async function refresh(): Promise<void> {
		// Commands run in the plugin's folder; the workspace is somewhere else.
		const workspace = amp.system.workspaceRoot?.fsPath ?? ".";
		const { exitCode, stdout } = await amp.$`git -C ${workspace} branch --show-current`;
		const branch = exitCode === 0 ? stdout.trim() : "";
		status.update({ text: branch === "" ? "no branch" : `branch ${branch}`, url });
	}

	await refresh();
	amp.registerCommand("refresh-branch", { title: "Look at the branch again" }, refresh);
	// A turn may have changed it.
	amp.on("agent.end", () => refresh());

	amp.registerLinkPattern({
		id: "issue",
		pattern: "GH-(?<number>[0-9]+)",
		href: "https://github.com/acme/app/issues/{{number}}",
	});
}
