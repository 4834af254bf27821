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
		/** Values of one message; each costs far more memory than its bytes, and time of whoever walks them. */
		valuesMax: 250_000,
		/** Items of one kind that a plugin may register; each costs every change of the registry. */
		itemsMax: 10_000,
		/** Handlers of one event that a plugin may have; they are asked one after the other, each by a message. */
		handlersPerEventMax: 250,
		/** Milliseconds of a second that may go into lists of one plugin that registers without pause. */
		listingMsPerSecondMax: 50,
		/** Titles and states of threads that one process of a plugin may hear at a time. */
		threadSubscriptionsMax: 1_000,
		/** Bytes of a plugin's calls that wait for an answer; past it they fail with `busy`. */
		askedBytesMax: 128 * 1024 * 1024,
		/** Answers that a plugin leaves unread beyond the queue; past it its calls fail with `busy`. */
		unsentAnswersMax: 64,
		/** Milliseconds of a second that may go into files and answers which one plugin asks for. */
		askingMsPerSecondMax: 50,
		/** What a log entry quotes of a line that is no message. */
		noiseExcerptCharsMax: 200,
	},
	load: {
		/** Spawn to `runtime.ready`; Amp's own deadline. */
		readyMs: 10_000,
		/** What a plugin that may fetch packages has beside; Bun gives up on a registry that says nothing after 30 s. */
		installMs: 60_000,
		/** A start keeps its place among those that run at once this long, and less where it only waits: it holds up nobody. */
		startPlaceMs: 100,
		/** How long the tail of stderr may lag behind the exit it explains. */
		exitDrainMs: 150,
		/** Plugins that a diagnosis loads; more are a folder that nobody meant to be a place, and each is a process. */
		diagnosedMax: 200,
	},
	call: {
		/** An event handler that needs longer holds up the agent; time with a dialog on screen is not counted. */
		eventHandlerMs: 30_000,
		/** How often in a row `agent.end` may continue a turn, unless the answer says otherwise. */
		continuationsMax: 5,
		/** Rounds of a turn that is played, whatever plugins allow themselves. */
		turnRoundsMax: 50,
		/** The link patterns of a plugin have this long for a text; a hostile one blocks its own process for longer. */
		linkResolveMs: 1_000,
		/** A plugin whose patterns took longer is not asked again this long. */
		linkPauseMs: 10_000,
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
	reload: {
		/** A save is over when nothing was written for this long: editors write in several steps. */
		settleMs: 10,
		/** What is written without pause is loaded all the same after this long. */
		longestMs: 100,
		/** A file may be away or empty for this long before it counts as removed or emptied: editors delete and write anew. */
		goneMs: 500,
		/** Files that are watched for the first time are looked at again after this long: it takes a moment until changes are heard. */
		checkMs: 150,
	},
	text: {
		/** A log line is cut here, so that one plugin cannot fill a terminal. */
		logLineBytesMax: 8 * 1024,
		/** Log lines of one plugin in a second; each costs the host, so that a faster one has the rest counted and dropped. */
		logLinesPerSecondMax: 10_000,
		/** Log entries kept in memory per plugin. */
		logEntriesMax: 1_000,
		/** A message or stack that a plugin throws is cut here; all texts of one error may take eight times as many. */
		errorTextCharsMax: 16 * 1024,
		/** The end of stderr that a failure quotes. */
		stderrTailBytesMax: 64 * 1024,
		/** Plugin text in a dialog is cut here. */
		uiTextCharsMax: 4 * 1024,
		/** A text in which links are looked for; a message of an agent is far shorter. */
		linkTextCharsMax: 256 * 1024,
		/** Options of a select; nobody finds one among more. */
		uiOptionsMax: 5_000,
		/** Fields of a form, which are asked one by one. */
		uiFieldsMax: 500,
		/** Dialogs of a plugin that wait for a person at once, and messages that wait behind them. */
		uiDialogsMax: 64,
		/** Status items of a plugin; a screen has no room for more. */
		statusItemsMax: 100,
		/** A longer description in a plugin file is ignored, as in Amp. */
		descriptionCharsMax: 300,
		/** How much of a plugin file is read to find its description and mode comments. */
		headBytesMax: 256 * 1024,
		/** A SKILL.md or settings file past this is refused before it is parsed. */
		documentBytesMax: 1024 * 1024,
		/** A file of a skill past this is not read. */
		skillFileBytesMax: 16 * 1024 * 1024,
		/** Files of a skill that are listed; nobody reads a longer list. */
		skillFilesMax: 1_000,
		/** A longer text in a thought, tool input or tool output is cut here when a plugin reads messages and not `full`. */
		messageExcerptCharsMax: 2_000,
		/** Frames that a tap keeps. */
		tapFramesMax: 2_000,
		/** Bytes of messages that a tap keeps; one message alone may be as large as a whole line. */
		tapBytesMax: 16 * 1024 * 1024,
	},
	ai: {
		/** One answer, with its retries; models that reason take minutes. */
		answerMs: 5 * 60_000,
		/** What a server sends for one answer; no model writes as much. */
		answerBytesMax: 16 * 1024 * 1024,
		/** The longest `Retry-After` of a server that is waited for. */
		retryAfterMsMax: 10_000,
	},
	validate: {
		/** How long a plugin that is only examined is watched after its load, for what it left unawaited to fail. */
		settleMs: 100,
		/** What is told of one plugin; nobody reads more. */
		findingsMax: 2_000,
		/** Source files of one plugin that are read; real ones have some dozens. */
		filesMax: 500,
	},
	attachments: {
		/** Images past this are refused, as in Amp. */
		imageBytesMax: 4_900_000,
		/** Width and height of an image, as in Amp. */
		imageSidePixelsMax: 8_000,
		/** One upload. */
		uploadMs: 2 * 60_000,
	},
	configuration: {
		/** One answer of a provider of settings, which may ask a server. */
		answerMs: 30_000,
		/** Subscriptions of one process of a plugin; it needs one, however many of its parts listen. */
		subscriptionsMax: 16,
		/** The lock of a settings file is waited for so long; who holds it writes one small file. */
		lockMs: 5_000,
	},
	webhooks: {
		/** One answer of a provider of webhooks to `createWebhook`, which may ask a server. */
		openMs: 30_000,
		/** A delivery has this long, as in Amp; time with a dialog of it on screen is not counted. */
		handlerMs: 30_000,
		/** New events that one webhook takes at once, as in Amp. */
		burstEventsMax: 10,
		/** New events that one webhook takes in a minute, as in Amp. */
		eventsPerMinuteMax: 10,
		/** Eight times what Amp takes, since senders such as GitHub send more. */
		bodyBytesMax: 8 * 1024 * 1024,
		/** A request must have come whole within this; a slower sender holds a place for nothing. */
		receiveMs: 30_000,
		/** Events of one webhook that wait, as in Amp; more than a day of failures brings. */
		pendingEventsMax: 100,
		/** The wait after the first failure of an event, as in Amp; each further one doubles it. */
		retryFirstMs: 5_000,
		/** The longest wait between two deliveries of an event, as in Amp. */
		retryLastMs: 5 * 60_000,
		/** An event whose first failure is older is put aside when it fails again: whoever mends a handler has a day. */
		failingMs: 24 * 60 * 60_000,
		/** An event during which the process ended so often is put aside: one more would use up the plugin's restarts. */
		crashesMax: 3,
		/** An Idempotency-Key is remembered at least this long; senders retry for hours. */
		rememberedMs: 24 * 60 * 60_000,
		/** Events that nobody took, and those that were put aside, are dropped after this. */
		keptMs: 7 * 24 * 60 * 60_000,
		/** A webhook that no host has opened for this long is forgotten; its URL is the same when it is opened again. */
		forgottenMs: 90 * 24 * 60 * 60_000,
		/** A host that does not renew its hold on an event for this long has ended; renewed three times as often. */
		leaseMs: 10_000,
		/** Webhooks of one plugin; some have one for each thread. */
		webhooksMax: 1_000,
	},
	executor: {
		/** One answer of a provider of the executor, which may ask a server. */
		answerMs: 30_000,
		/** What one process of a plugin may keep alive at once; one is enough for any length of work. */
		keepAlivesMax: 100,
	},
} satisfies LimitsTable;

/** The longest time that a timer of the platform can count, some 24 days; a longer one would fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

/**
 * A member of a message that nests deeper is dropped: whoever walks it later would exhaust the stack. No host may change
 * it, since both sides keep to it from the first message on, and since that stack is the engine's and not the host's.
 */
export const messageDepthMax = 1_000;

/** The bounds that a host may change, for every plugin alike. */
export type Limits = typeof limits;

/** Some bounds, by group; what is left out keeps its default. */
export type LimitOverrides = { [Group in keyof Limits]?: Partial<Limits[Group]> };

/**
 * The defaults with a host's own bounds laid over them; `undefined` leaves the default.
 *
 * @throws BroodError `usage` for a name that is no bound, and for what is no value of one
 */
export function withOverrides(overrides: LimitOverrides = {}): Limits {
	checkTable(overrides);
	const wire = laidOver(limits.wire, overrides.wire);
	return {
		wire,
		load: laidOver(limits.load, overrides.load),
		call: laidOver(limits.call, overrides.call),
		stop: laidOver(limits.stop, overrides.stop),
		liveness: laidOver(limits.liveness, overrides.liveness),
		restart: laidOver(limits.restart, overrides.restart),
		reload: laidOver(limits.reload, overrides.reload),
		text: laidOver(limits.text, overrides.text),
		ai: laidOver(limits.ai, overrides.ai),
		validate: laidOver(limits.validate, overrides.validate),
		attachments: laidOver(limits.attachments, overrides.attachments),
		configuration: laidOver(limits.configuration, overrides.configuration),
		executor: laidOver(limits.executor, overrides.executor),
		webhooks: deliverable(laidOver(limits.webhooks, overrides.webhooks), wire),
	};
}

/** What a sender is told to be accepted must fit into one message: its body takes four bytes there for each three. */
function deliverable(webhooks: Limits["webhooks"], { lineBytesMax }: Limits["wire"]): Limits["webhooks"] {
	// Headers of a request have 16 KiB, and each character may take six.
	const besideBody = Math.min(128 * 1024, lineBytesMax / 2);
	const fits = Math.floor(((lineBytesMax - besideBody) / 4) * 3);
	return { ...webhooks, bodyBytesMax: Math.min(webhooks.bodyBytesMax, fits) };
}

function laidOver<Group extends object>(defaults: Group, own: Partial<Group> = {}): Group {
	const given = Object.entries(own).filter(([, value]) => value !== undefined);
	return { ...defaults, ...Object.fromEntries(given) };
}

function checkTable(overrides: unknown): void {
	const table: LimitsTable = limits;
	for (const [group, bounds] of membersOf("limits", overrides)) {
		const defaults = Object.hasOwn(table, group) ? table[group] : undefined;
		if (defaults === undefined) throw unknownName("limits", group, table);
		if (bounds === undefined) continue;
		for (const [name, value] of membersOf(`limits.${group}`, bounds)) {
			const standard = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
			if (standard === undefined) throw unknownName(`limits.${group}`, name, defaults);
			if (value !== undefined) checkBound(`limits.${group}.${name}`, value, Array.isArray(standard));
		}
	}
}

function membersOf(name: string, value: unknown): [string, unknown][] {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
	throw failure("usage", { reason: `${name} is an object, not ${describe(value)}` });
}

function checkBound(name: string, value: unknown, isList: boolean): void {
	const isBound = (bound: unknown) => typeof bound === "number" && bound >= 0;
	if (isList ? Array.isArray(value) && value.length > 0 && value.every(isBound) : isBound(value)) return;
	const kind = isList ? "a list of one or more numbers of at least 0" : "a number of at least 0";
	throw failure("usage", { reason: `${name} is ${kind}, not ${describe(value)}` });
}

function unknownName(place: string, name: string, known: object): Error {
	return failure("usage", { reason: `${place} has no "${name}"; it has ${Object.keys(known).join(", ")}` });
}

function describe(value: unknown): string {
	if (Array.isArray(value)) return `a list of ${value.length}`;
	return typeof value === "object" && value !== null ? "an object" : String(value);
}

type LimitsTable = Record<string, Record<string, number | number[]>>;
