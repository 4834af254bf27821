import type { PluginKind, Scope } from "../runtime/protocol.ts";

/** Which of the three plugin systems a plugin belongs to. */
export type PluginSystem = "amp" | "external" | "package";

/**
 * The place of a plugin in every order that brood keeps; fixed before anything starts.
 * System first, then the place within it, then the name by code unit.
 */
export type Rank = readonly [system: number, place: number, name: string];

/** One plugin that a source found on disk; nothing of it has run. */
export interface PluginSpec {
	system: PluginSystem;
	/** File name without its ending, or the directory's name. */
	name: string;
	scope: Scope;
	kind: PluginKind;
	/** Absolute path of the file that is imported; a link is kept as it is. */
	path: string;
	/** Absolute path of the plugin's folder: working directory and border of its files. */
	root: string;
	rank: Rank;
	/** The static `description` export, read without running the file. */
	description?: string;
	/** Agent modes that comments announce, read without running the file. */
	announcedModes: AnnouncedMode[];
	/** What is odd about the file and does not keep it from loading. */
	warnings: string[];
}

/** Says which plugin is meant in any host and workspace, also where others have its name. */
export interface PluginKey {
	system: PluginSystem;
	scope: Scope;
	/** The folder that it lies in, with every link on the way followed. */
	directory: string;
	name: string;
}

/** A mode named by a comment `// @amp-agent-mode {"key":"…","label":"…"}`. */
export interface AnnouncedMode {
	key: string;
	label: string;
	/** Counts from 1. */
	line: number;
}

/** Something in a plugin place that is no plugin, and why. */
export interface SkippedCandidate {
	path: string;
	reason: string;
}

/** What a source found in its places. */
export interface Discovery {
	/** In rank order; of two with the same name the first is used and the other is shadowed. */
	plugins: PluginSpec[];
	skipped: SkippedCandidate[];
}

/** Orders by rank. */
export function compareRank(a: Rank, b: Rank): number {
	return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : a[2] > b[2] ? 1 : 0);
}
