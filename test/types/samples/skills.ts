import type { PluginAPI, Subscription } from "@ampcode/plugin";

export default async function (amp: PluginAPI) {
	const skills: Subscription[] = [];
	for (const path of ["skills/one", "skills/two"]) {
		await amp.registerSkill({ path }).then(
			(skill) => skills.push(skill),
			(error: Error) => amp.logger.log(error.message),
		);
	}
	amp.onDispose(() => {
		for (const skill of skills) skill.unsubscribe();
	});
}
