import { messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type Kind, kinds } from "../../runtime/records.ts";
import { createAllowance } from "../base/allowance.ts";
import { type BackendEvents, type Capabilities, noCapabilities } from "../contracts/backend.ts";
import { parseList } from "./door.ts";

/** Keeps up with what a child has registered: fetches each kind that it said has changed, and no other. */
export interface Listing {
	/** The child said that a kind has changed. */
	changed(kind: Kind): void;
	/** The child may have changed what these lists are of. */
	changedAll(lists: object): void;
	/** The child told lists unasked; what it said to have changed until now is in them. */
	given(lists: object): void;
	/** Fetches everything that was not given, for the first time; what changes meanwhile, and later, is told as events. */
	first(): Promise<Capabilities>;
	/** Resolves when all that has been said to have changed until now was fetched, or at the abort: a child may hang. */
	settled(signal: AbortSignal | undefined): Promise<void>;
}

/**
 * Makes the listing of one child; `fetch` asks it for one kind. What a child takes back as it is disposed is of no
 * interest any more, and it may end before it could tell: once `isEnding`, nothing new is fetched.
 */
export function createListing(
	fetch: (kind: Kind) => Promise<unknown>,
	events: BackendEvents,
	limits: Limits["wire"],
	isEnding: () => boolean = () => false,
): Listing {
	const dirty = new Set<Kind>();
	let told: [kind: Kind, list: unknown][] = [];
	const allowance = createAllowance(limits.listingMsPerSecondMax);
	let isFirstDone = false;
	let keepsUp = false;
	/** The fetch under way. */
	let round: Promise<void> | undefined;
	/** Who waits for what is dirty now. */
	let waiting: (() => void)[] = [];

	const refused = (message: string) => events.log({ source: "host", level: "error", message });
	const read = (kind: Kind, answer: unknown) => allowance.spendAwaiting(() => parseList(kind, answer, limits, refused));

	async function fetchDirty(): Promise<Partial<Capabilities>> {
		const wanted = [...dirty];
		dirty.clear();
		const fetched = await Promise.all(wanted.map(async (kind) => [kind, await read(kind, await fetch(kind))] as const));
		return Object.fromEntries(fetched);
	}

	async function refresh(): Promise<void> {
		const told = waiting;
		waiting = [];
		try {
			const fetched = await fetchDirty();
			allowance.spend(() => tellAll(events, fetched));
		} catch (error) {
			const message = `what the plugin registered could not be fetched: ${messageOf(error)}`;
			events.log({ source: "host", level: "warn", message });
		}
		for (const tell of told) tell();
	}

	/** One fetch at a time, again when something changed meanwhile. */
	async function keepUp(): Promise<void> {
		if (keepsUp) return;
		keepsUp = true;
		while (dirty.size > 0) {
			round = refresh();
			await round;
			round = undefined;
			await allowance.left();
		}
		keepsUp = false;
	}

	function changed(kind: Kind): void {
		if (isEnding()) return;
		dirty.add(kind);
		if (isFirstDone) void keepUp();
	}

	return {
		changed,
		changedAll: (lists) => kinds.filter((kind) => kind in lists).forEach(changed),
		given(lists) {
			told = kinds.flatMap((kind) => (kind in lists ? [[kind, Reflect.get(lists, kind)]] : []));
			for (const [kind] of told) dirty.delete(kind);
		},
		async first() {
			const lists = await Promise.all(told.map(async ([kind, list]) => [kind, await read(kind, list)] as const));
			told = [];
			const capabilities = { ...noCapabilities(), ...Object.fromEntries(lists), ...(await fetchDirty()) };
			isFirstDone = true;
			void keepUp();
			return capabilities;
		},
		settled(signal) {
			if (dirty.size === 0 || !isFirstDone)
				return round === undefined ? Promise.resolve() : unlessAborted(round, signal);
			return unlessAborted(new Promise((resolve) => waiting.push(resolve)), signal);
		},
	};
}

async function unlessAborted(wait: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
	if (signal === undefined) return wait;
	const { promise: aborted, resolve } = Promise.withResolvers<void>();
	const give = () => resolve();
	signal.addEventListener("abort", give, { once: true });
	if (signal.aborted) give();
	await Promise.race([wait, aborted]);
	signal.removeEventListener("abort", give);
}

function tellAll(events: BackendEvents, changed: Partial<Capabilities>): void {
	for (const kind of kinds) tellChanged(events, kind, changed);
}

function tellChanged<K extends Kind>(events: BackendEvents, kind: K, changed: Partial<Capabilities>): void {
	const items: Capabilities[K] | undefined = changed[kind];
	if (items !== undefined) events.changed(kind, items);
}
