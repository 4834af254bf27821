// A command that asks before it acts, and a gate that keeps an agent from acting without it. Its test stands beside it.
// Run its test: bun test ./examples/testing/release.test.ts
// Run it: brood -p examples/testing/release.ts run release
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Releases, after asking for a version";

export default function (amp: PluginAPI) {
	amp.registerCommand("release", { title: "Release" }, async ({ ui }) => {
		const version = await ui.input({ title: "Version" });
		if (version === undefined || !(await ui.confirm({ title: `Release ${version}?` }))) return;
		await ui.notify(`Released ${version}`);
	});

	amp.on("tool.call", ({ input }) =>
		String(input.cmd).includes("npm publish")
			? { action: "reject-and-continue", message: "Only the command release publishes." }
			: { action: "allow" },
	);
}
