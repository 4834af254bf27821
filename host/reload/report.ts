import type { BroodError } from "../../runtime/errors.ts";
import { type Kind, kinds } from "../../runtime/records.ts";
import type { Capabilities } from "../contracts/backend.ts";

/** What came of a change on disk for one plugin. */
export interface ReloadReport extends Difference {
	plugin: string;
	/**
	 * `ready`: a plugin that did not run serves; `reload`: a new version serves; `kept`: the new version failed, and the old
	 * one serves on; `failed`: it failed, and nothing serves; `removed`: its file is gone.
	 */
	outcome: "ready" | "reload" | "kept" | "failed" | "removed";
	/** Milliseconds from the first sign of the change until then; of the newest, where loads were given up for it. */
	ms: number;
	/** The files that changed, absolute; also those whose load was given up for this one. */
	files: string[];
	/** Why it failed. */
	error?: BroodError;
}

/** Registrations by kind and name, as in "tool hello". */
export interface Difference {
	added: string[];
	removed: string[];
	changed: string[];
}

/** What of a plugin's registrations is other than before. */
export function differenceOf(before: Capabilities, after: Capabilities): Difference {
	const [old, current] = [textsOf(before), textsOf(after)];
	return {
		added: [...current.keys()].filter((key) => !old.has(key)),
		removed: [...old.keys()].filter((key) => !current.has(key)),
		changed: [...current].filter(([key, text]) => old.has(key) && old.get(key) !== text).map(([key]) => key),
	};
}

/** Each registration with all that others see of it; several of one name are told together. */
function textsOf(capabilities: Capabilities): Map<string, string> {
	const texts = new Map<string, string>();
	for (const kind of kinds) {
		for (const item of capabilities[kind]) {
			const key = registrationName(kind, item);
			// The number of a handler is another one in each process.
			const { handler: _, ...shown } = item as object & { handler?: unknown };
			texts.set(key, (texts.get(key) ?? "") + JSON.stringify(shown));
		}
	}
	return texts;
}

/** A registration by kind and name, as in "tool hello". */
export function registrationName(kind: Kind, item: Capabilities[Kind][number]): string {
	return `${kind} ${"id" in item ? item.id : "key" in item ? item.key : item.name}`;
}
