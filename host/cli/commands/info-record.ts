import type { SkillItem } from "../../../runtime/records.ts";
import { logRecord } from "../../base/log-sink.ts";
import type { SkillFile } from "../../calls/skills.ts";
import type { Host } from "../../host.ts";
import type { HostWebhook } from "../../providers/webhooks/service.ts";
import { type WhyLost, withLosses } from "./lost.ts";
import { pluginRecord } from "./record.ts";

/** The plugin as `list` has it, with `why` where it lost a name, its log, and the files that it shadows. */
export async function infoRecord(host: Host, name: string, { urls = false } = {}) {
	const { skills, ...record } = withLosses(host, pluginRecord(host.plugins.get(name)));
	const others = host.plugins.list().filter((plugin) => plugin.name === name && plugin.state === "shadowed");
	return {
		...record,
		skills: await Promise.all(skills.map((item) => withFiles(host, item))),
		webhooks: await webhooksOf(host, name, urls),
		shadows: others.map(({ path }) => path),
		log: host.plugins.log(name).map(logRecord),
	};
}

export type InfoRecord = Awaited<ReturnType<typeof infoRecord>>;

/** Their URLs are secrets, and shown only where somebody asks for them. */
async function webhooksOf(
	host: Host,
	name: string,
	urls: boolean,
): Promise<(Omit<HostWebhook, "plugin" | "url"> & { url?: string })[]> {
	const own = (await host.webhooks.list()).filter(({ plugin }) => plugin === name);
	return own.map(({ plugin: _, url, ...webhook }) => (urls ? { ...webhook, url } : webhook));
}

/** A skill with what it brings along; without that where another plugin has the name, or its folder is gone. */
async function withFiles<Skill extends SkillItem & { why?: WhyLost }>(
	host: Host,
	skill: Skill,
): Promise<Skill & { files?: SkillFile[] }> {
	if (skill.why !== undefined) return skill;
	const files = await host.skills.files(skill.name).catch(() => undefined);
	return files === undefined ? skill : { ...skill, files };
}
