import { failure } from "./errors.ts";

/** Every bound of brood, its unit in the name and its reason beside it. */
export const limits = {
	wire: {
		/** A larger message is a bug or an attack; a whole image or source file fits with room. */
		lineBytesMax: 64 * 1024 * 1024,
		/** Bytes accepted by a writer and not yet taken by the other side; past it a call fails with `busy`. */
		writeQueueBytesMax: 32 * 1024 * 1024,
		/** Errors and cancellations that may wait beyond the queue; past it nobody reads them, and the connection ends. */
		urgentMessagesMax: 16 * 1024,
		/** Calls without an answer, per plugin and direction; past it a call fails with `busy`. */
		pendingCallsMax: 1024,
		/** A member of a message that nests deeper is dropped: whoever walks it later would exhaust the stack. */
		depthMax: 1_000,
		/** Items of one kind that a plugin may register; each costs every change of the registry. */
		itemsMax: 10_000,
		/** Milliseconds of a second that may go into lists of one plugin that registers without pause. */
		listingMsPerSecondMax: 50,
		/** What a log entry quotes of a line that is no message. */
		noiseExcerptCharsMax: 200,
	},
	load: {
		/** Spawn to `runtime.ready`; Amp's own deadline. */
		readyMs: 10_000,
		/** A start keeps its place among those that run at once this long; one that hangs holds up nobody. */
		startPlaceMs: 150,
		/** How long the tail of stderr may lag behind the exit it explains. */
		exitDrainMs: 150,
	},
	call: {
		/** An event handler that needs longer holds up the agent; time with a dialog on screen is not counted. */
		eventHandlerMs: 30_000,
		/** How often in a row `agent.end` may continue a turn, unless the answer says otherwise. */
		continuationsMax: 5,
	},
	stop: {
		/** Dispose callbacks have this long together; Amp's own bound. */
		disposeMs: 3_000,
		/** SIGINT may be handled this long before SIGKILL follows; Amp's own bound. */
		interruptMs: 3_000,
		/** Calls in flight may finish this long on an instance that a reload has replaced. */
		drainMs: 30_000,
	},
	liveness: {
		/** How often a child is asked for a sign of life: rare enough to cost an idle one nothing. */
		pingEveryMs: 5_000,
		/** Without an answer for this long it counts, and is shown, as unresponsive. */
		silentMs: 10_000,
		/** Then it is killed: plugins in the wild block their loop for many seconds with spawnSync. */
		giveUpMs: 35_000,
	},
	restart: {
		/** Three restarts, four launches in all; Amp's own count. */
		retriesMax: 3,
		/** The wait before each restart; the last one repeats. */
		delaysMs: [200, 400, 800],
		/** One that served this long before it crashed begins its count anew; no length does, as in Amp, unless set. */
		stableAfterMs: Number.POSITIVE_INFINITY,
	},
	text: {
		/** A log line is cut here, so that one plugin cannot fill a terminal. */
		logLineBytesMax: 8 * 1024,
		/** Log entries kept in memory per plugin. */
		logEntriesMax: 1_000,
		/** The end of stderr that a failure quotes. */
		stderrTailBytesMax: 64 * 1024,
		/** Plugin text in a dialog is cut here. */
		uiTextCharsMax: 4 * 1024,
		/** Status items of a plugin; a screen has no room for more. */
		statusItemsMax: 100,
		/** A longer description in a plugin file is ignored, as in Amp. */
		descriptionCharsMax: 300,
		/** How much of a plugin file is read to find its description and mode comments. */
		headBytesMax: 256 * 1024,
		/** A SKILL.md or settings file past this is refused before it is parsed. */
		documentBytesMax: 1024 * 1024,
		/** Frames that a tap keeps. */
		tapFramesMax: 2_000,
		/** Bytes of messages that a tap keeps; one message alone may be as large as a whole line. */
		tapBytesMax: 16 * 1024 * 1024,
	},
} satisfies LimitsTable;

/** The longest time that a timer of the platform can count, some 24 days; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/** The bounds that a host may change, for every plugin alike. */
export type Limits = typeof limits;

/** Some bounds, by group; what is left out keeps its default. */
export type LimitOverrides = { [Group in keyof Limits]?: Partial<Limits[Group]> };

/** The defaults with a host's own bounds laid over them. @throws BroodError `usage` for what is no bound */
export function withOverrides(overrides: LimitOverrides = {}): Limits {
	for (const [group, bounds] of Object.entries(overrides)) {
		for (const [name, value] of Object.entries(bounds ?? {})) {
			const isBound = [value].flat().every((bound) => typeof bound === "number" && bound >= 0);
			if (isBound) continue;
			const reason = `limits.${group}.${name} is a number of at least 0, not ${String(value)}`;
			throw failure("usage", { reason });
		}
	}
	return {
		wire: { ...limits.wire, ...overrides.wire },
		load: { ...limits.load, ...overrides.load },
		call: { ...limits.call, ...overrides.call },
		stop: { ...limits.stop, ...overrides.stop },
		liveness: { ...limits.liveness, ...overrides.liveness },
		restart: { ...limits.restart, ...overrides.restart },
		text: { ...limits.text, ...overrides.text },
	};
}

type LimitsTable = Record<string, Record<string, number | number[]>>;
