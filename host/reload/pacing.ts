import { differing, type Fingerprint } from "./fingerprint.ts";
import { decideOwnWrites, noOwnWrites, type OwnWritesEvent } from "./own-writes.ts";

/** Remembers the changes and loads of one plugin, to say when a change may be loaded. */
export interface Pacing {
	/** A load has ended, ready or not. */
	loaded(now: number): void;
	/** When these contents of changed files may be loaded. */
	wait(contents: ReadonlyMap<string, Fingerprint>, change: Change, now: number): Waiting;
}

export interface Change {
	/** When it was first heard of. */
	since: number;
	isLoading: boolean;
	/** What this has said of the same change before. */
	before: Waiting | undefined;
}

/** Contents that may be loaded from some time on. */
export interface Waiting {
	contents: ReadonlyMap<string, Fingerprint>;
	until: number;
}

/** @param warn tells the author of the plugin */
export function createPacing(warn: (message: string) => void): Pacing {
	let own = noOwnWrites;

	function decide(event: OwnWritesEvent, now: number): number {
		const verdict = decideOwnWrites(own, event, now);
		own = verdict.own;
		if (verdict.told !== undefined) {
			warn(describe(verdict.told));
		}
		return verdict.until;
	}

	return {
		loaded: (now) => void decide({ type: "loaded" }, now),
		wait(contents, { since, isLoading, before }, now) {
			if (before === undefined) {
				const files = [...contents.keys()];
				return { contents, until: decide({ type: "changed", files, since, isLoading }, now) };
			}
			const { until } = before;
			const files = differing(before.contents, contents);
			if (files.length === 0) return before;
			const waiting = new Set(before.contents.keys());
			return { contents, until: decide({ type: "changed_again", files, waiting, until }, now) };
		},
	};
}

function describe({ file, isAtOnce }: { file: string; isAtOnce: boolean }): string {
	return isAtOnce
		? `${file}: it changes each time the plugin is loaded. Does the plugin write its own module? As long as it goes on like that, reloads wait, up to half a minute.`
		: `${file}: it has changed soon after each of the last loads. In case the plugin writes it, reloads now come once a second at most, until it is left alone for two seconds.`;
}
