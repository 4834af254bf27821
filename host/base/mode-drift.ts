import type { ModeItem } from "../../runtime/records.ts";
import type { PluginSpec } from "../spec.ts";

/** One difference between what the comments of a plugin announce and what it has registered. */
export interface Drift {
	kind: "mode_not_registered" | "mode_label_differs" | "mode_not_announced";
	key: string;
	/** Of the comment; the first line where there is none. */
	line: number;
	message: string;
	/** The comment that would announce the mode as it is. */
	comment?: string;
}

/** Where the modes that comments announce and those that were registered differ; hosts may show the former unrun. */
export function findDrift({ announcedModes }: Pick<PluginSpec, "announcedModes">, modes: ModeItem[]): Drift[] {
	const keyOf = ({ key }: { key: string }) => key.toLowerCase();
	const registered = new Map(modes.map((mode) => [keyOf(mode), mode]));
	const announced = new Set(announcedModes.map(keyOf));
	const commentOf = ({ key, label }: ModeItem) => `// @amp-agent-mode ${JSON.stringify({ key, label })}`;
	const fromComments = announcedModes.flatMap(({ key, label, line }): Drift[] => {
		const mode = registered.get(key.toLowerCase());
		if (mode === undefined) {
			const message = `mode "${key}" is announced by a comment and was not registered`;
			return [{ kind: "mode_not_registered", key, line, message }];
		}
		if (mode.label === label) return [];
		const message = `mode "${mode.key}" is announced as "${label}" and was registered as "${mode.label}"`;
		return [{ kind: "mode_label_differs", key: mode.key, line, message, comment: commentOf(mode) }];
	});
	const unannounced = modes
		.filter((mode) => !announced.has(keyOf(mode)))
		.map((mode): Drift => {
			const message = `mode "${mode.key}" was registered and no comment announces it`;
			return { kind: "mode_not_announced", key: mode.key, line: 1, message, comment: commentOf(mode) };
		});
	return [...fromComments, ...unannounced];
}

/** The same as lines for a log, each with its place. */
export function modeDrift(spec: PluginSpec, modes: ModeItem[]): string[] {
	return findDrift(spec, modes).map(({ kind, line, message, comment }) => {
		const hint = kind === "mode_not_announced" ? `; add ${comment}` : "";
		return `${spec.path}:${line}: ${message}${hint}`;
	});
}
