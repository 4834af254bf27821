// A plugin that is a directory: it has skills beside its code, and other files that it imports. The skill is known as
// `release-notes:release-notes`, the plugin's name first.
// Run it: brood -p examples/plugins/release-notes emit changes.prompt
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Knows how release notes are written here";

export default async function (amp: PluginAPI) {
	await amp.registerSkill({ path: "skills/release-notes" });

	amp.on("changes.prompt", ({ workflow }) => {
		if (workflow !== "ship") return;
		return { append: "Add a line to CHANGELOG.md; the release-notes skill says how." };
	});
}
