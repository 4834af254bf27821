/** What is remembered of the changes of one plugin, to tell those that its own loads bring about. */
export interface OwnWrites {
	/** When the last load ended, ready or not. */
	readonly loadedAt: number;
	/** How many changes in a row came while it loaded or soon after that: of each file, and of any. */
	readonly ofFile: ReadonlyMap<string, number>;
	readonly ofAny: number;
	/** Whether its author was told. */
	readonly isTold: boolean;
}

export type OwnWritesEvent =
	| { type: "loaded" }
	/** Files have changed, since that time; a load of what was there before may be under way, in the time that loads take. */
	| { type: "changed"; files: readonly string[]; since: number; isLoading: boolean }
	/** While a change of some files waits for its time, files have changed: others, or the same once more. */
	| { type: "changed_again"; files: readonly string[]; waiting: ReadonlySet<string>; until: number };

export interface OwnWritesVerdict {
	own: OwnWrites;
	/** When the change may be loaded. */
	until: number;
	/** A file that its author should hear of, and whether it changes with the loads, or some time after each. */
	told?: { file: string; isAtOnce: boolean };
}

export const noOwnWrites: OwnWrites = {
	loadedAt: Number.NEGATIVE_INFINITY,
	ofFile: new Map(),
	ofAny: 0,
	isTold: false,
};

/**
 * Decides when a change is loaded: at once, unless the plugin seems to write what it is made of. Pure; nothing is left
 * out for good.
 */
export function decideOwnWrites(own: OwnWrites, event: OwnWritesEvent, now: number): OwnWritesVerdict {
	switch (event.type) {
		case "loaded":
			return { own: { ...own, loadedAt: now }, until: now };
		case "changed":
			return changed(own, event, now);
		case "changed_again":
			return changedAgain(own, event, now);
	}
}

type Changed = Extract<OwnWritesEvent, { type: "changed" }>;
type ChangedAgain = Extract<OwnWritesEvent, { type: "changed_again" }>;

function changed(own: OwnWrites, { files, since, isLoading }: Changed, now: number): OwnWritesVerdict {
	// No load has brought it about.
	if (!isLoading && since > own.loadedAt + soonMs) {
		return { own: { ...noOwnWrites, loadedAt: own.loadedAt }, until: now };
	}
	const ofFile = new Map(own.ofFile);
	for (const file of files) ofFile.set(file, (own.ofFile.get(file) ?? 0) + 1);
	const ofAny = own.ofAny + 1;
	// A file that seldom changes is its author's, whatever else changes with it.
	const times = Math.max(Math.min(...files.map((file) => ofFile.get(file) ?? 0)), ofAny - moreOfAny);
	const next = { ...own, ofFile, ofAny };
	if (times < freeTimes) return { own: next, until: now };
	const isAtOnce = isLoading || since <= own.loadedAt + atOnceMs;
	// Somebody may look at what came of a save, and save again.
	const until = (isLoading ? now : own.loadedAt) + Math.min(pauseMs(times), isAtOnce ? longestPauseMs : steadyMs);
	const [file] = [...files].sort((a, b) => (ofFile.get(b) ?? 0) - (ofFile.get(a) ?? 0));
	const told = own.isTold || file === undefined ? {} : { told: { file, isAtOnce } };
	return { own: { ...next, isTold: true }, until, ...told };
}

/** Nothing was loaded meanwhile: this is somebody else's doing, or that of a plugin which writes all the time. */
function changedAgain(own: OwnWrites, { files, waiting, until }: ChangedAgain, now: number): OwnWritesVerdict {
	const ofFile = new Map([...own.ofFile].map(([file, times]) => [file, Math.min(times, steadyTimes)]));
	const next = { ...own, ofFile, ofAny: Math.min(own.ofAny, steadyTimes + moreOfAny) };
	const isOther = files.some((file) => !waiting.has(file));
	return { own: next, until: isOther ? now : Math.min(until, Math.max(now, own.loadedAt + steadyMs)) };
}

/** A change up to so long after a load may be its doing. */
const soonMs = 2_000;
/** No hand is as quick as that every time. */
const atOnceMs = 150;
/** So many in a row are loaded at once: more than an editor or a person saves. */
const freeTimes = 8;
/** A plugin may write other files each time; whoever saves many of them may do so more often. */
const moreOfAny = 24;
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** Whoever saves without pause sees each version after about so long, and brings about no more reloads than one in that time. */
const steadyMs = 1_000;
/** The next pause is that long. */
const steadyTimes = freeTimes + Math.log2(steadyMs / firstPauseMs) - 1;

function pauseMs(times: number): number {
	return Math.min(firstPauseMs * 2 ** (times - freeTimes), longestPauseMs);
}
