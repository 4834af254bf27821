import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Entry, Registry } from "../registry.ts";
import type { SkillFile, SkillPlace } from "../sources/skill-files.ts";

export type { SkillFile } from "../sources/skill-files.ts";

/** The skills of all plugins. Only their names and descriptions are kept; the rest is read when it is asked for. */
export interface Skills {
	/** What can be used; `key` is `<plugin>:<skill>`. */
	list(): readonly Entry<"skill">[];
	/**
	 * The text of its SKILL.md as it is now, without the front matter and the blank lines after that.
	 *
	 * @throws BroodError `skill_not_found`, `skill_unreadable`
	 */
	read(name: string): Promise<string>;
	/**
	 * The files directly in its folders `assets`, `references` and `scripts`, sorted by path. A link counts as what it
	 * leads to, and is left out when that is not in the plugin's folder.
	 *
	 * @throws BroodError `skill_not_found`, `skill_unreadable`
	 */
	files(name: string): Promise<SkillFile[]>;
	/**
	 * The bytes of one of these files, by its path such as `scripts/check.sh`.
	 *
	 * @throws BroodError `skill_not_found`, or `skill_unreadable` also for a path that leads elsewhere
	 */
	readFile(name: string, path: string): Promise<Uint8Array>;
}

interface Parts {
	registry: Registry;
	limits: Pick<Limits["text"], "skillFileBytesMax" | "skillFilesMax">;
	/** The folder of a plugin. */
	root(plugin: string): string;
}

export function createSkills({ registry, limits, root }: Parts): Skills {
	async function reading<Result>(
		name: string,
		read: (files: Files, place: SkillPlace) => Promise<Result>,
	): Promise<Result> {
		const { plugin, item } = find(registry, name);
		try {
			return await read(await import("../sources/skill-files.ts"), { root: root(plugin), folder: item.path });
		} catch (error) {
			const reason = messageOf(error);
			throw failure("skill_unreadable", { plugin, subject: name, reason, cause: error });
		}
	}

	return {
		list: () => registry.list("skill"),
		read: (name) => reading(name, ({ readSkillBody }, place) => readSkillBody(place)),
		files: (name) => reading(name, ({ listSkillFiles }, place) => listSkillFiles(place, limits.skillFilesMax)),
		readFile: (name, path) =>
			reading(name, ({ readSkillFile }, place) => readSkillFile(place, path, limits.skillFileBytesMax)),
	};
}

type Files = typeof import("../sources/skill-files.ts");

function find(registry: Registry, name: string): Entry<"skill"> {
	const entry = registry.find("skill", name);
	if (entry !== undefined) return entry;
	const names = registry.list("skill").map(({ key }) => key);
	throw failure("skill_not_found", {
		subject: name,
		hint: names.length === 0 ? "No plugin has a skill." : `There are ${names.join(", ")}.`,
	});
}
