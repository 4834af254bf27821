import type { ModeItem } from "../../runtime/records.ts";
import type { PluginSpec } from "../spec.ts";

/** Where the modes that comments announce and those that were registered differ; hosts may show the former unrun. */
export function modeDrift({ announcedModes, path }: PluginSpec, modes: ModeItem[]): string[] {
	const keyOf = ({ key }: { key: string }) => key.toLowerCase();
	const registered = new Map(modes.map((mode) => [keyOf(mode), mode]));
	const announced = new Set(announcedModes.map(keyOf));
	const fromComments = announcedModes.flatMap((comment) => {
		const mode = registered.get(keyOf(comment));
		const place = `${path}:${comment.line}: `;
		if (mode === undefined) return [`${place}mode "${comment.key}" is announced by a comment and was not registered`];
		if (mode.label === comment.label) return [];
		return [`${place}mode "${mode.key}" is announced as "${comment.label}" and was registered as "${mode.label}"`];
	});
	const unannounced = modes
		.filter((mode) => !announced.has(keyOf(mode)))
		.map(({ key, label }) => {
			const comment = `// @amp-agent-mode ${JSON.stringify({ key, label })}`;
			return `${path}:1: mode "${key}" was registered and no comment announces it; add ${comment}`;
		});
	return [...fromComments, ...unannounced];
}
