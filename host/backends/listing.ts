import { messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { type Items, type Kind, kinds } from "../../runtime/records.ts";
import { type Allowance, createAllowance } from "../base/allowance.ts";
import { type BackendEvents, type Capabilities, noCapabilities } from "../contracts/backend.ts";
import { loadExplanations, parseList, plainList } from "./door.ts";

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
	/**
	 * Resolves when all that has been said to have changed until now was fetched, or at the abort: a child may hang.
	 * Nothing when there is nothing to wait for.
	 */
	settled(signal: AbortSignal | undefined): Promise<void> | undefined;
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
	return new ChildListing(fetch, events, limits, isEnding);
}

class ChildListing implements Listing {
	readonly #fetch: (kind: Kind) => Promise<unknown>;
	readonly #events: BackendEvents;
	readonly #limits: Limits["wire"];
	readonly #isEnding: () => boolean;
	readonly #allowance: Allowance;
	readonly #dirty = new Set<Kind>();
	#told: [kind: Kind, list: unknown][] = [];
	#isFirstDone = false;
	#keepsUp = false;
	/** The fetch under way. */
	#round: Promise<void> | undefined;
	/** Who waits for what is dirty now. */
	#waiting: (() => void)[] = [];

	constructor(
		fetch: (kind: Kind) => Promise<unknown>,
		events: BackendEvents,
		limits: Limits["wire"],
		isEnding: () => boolean,
	) {
		this.#fetch = fetch;
		this.#events = events;
		this.#limits = limits;
		this.#isEnding = isEnding;
		this.#allowance = createAllowance(limits.listingMsPerSecondMax);
	}

	changed(kind: Kind): void {
		if (this.#isEnding()) return;
		this.#dirty.add(kind);
		if (this.#isFirstDone) void this.#keepUp();
	}

	changedAll(lists: object): void {
		for (const kind of kinds) if (kind in lists) this.changed(kind);
	}

	given(lists: object): void {
		this.#told = kinds.flatMap((kind) => (kind in lists ? [[kind, Reflect.get(lists, kind)]] : []));
		for (const [kind] of this.#told) this.#dirty.delete(kind);
	}

	async first(): Promise<Capabilities> {
		const read = async ([kind, list]: [Kind, unknown]) => [kind, await this.#read(kind, list)] as const;
		const lists = await Promise.all(this.#told.map(read));
		this.#told = [];
		const fetched = await Promise.all(this.#takeDirty().map((kind) => this.#fetchOne(kind)));
		const capabilities = { ...noCapabilities(), ...Object.fromEntries([...lists, ...fetched]) };
		this.#isFirstDone = true;
		void this.#keepUp();
		return capabilities;
	}

	settled(signal: AbortSignal | undefined): Promise<void> | undefined {
		if (this.#dirty.size === 0 || !this.#isFirstDone) return this.#round && unlessAborted(this.#round, signal);
		return unlessAborted(new Promise((resolve) => this.#waiting.push(resolve)), signal);
	}

	async #read(kind: Kind, answer: unknown): Promise<Items[Kind][]> {
		const refused = (message: string) => this.#events.log({ source: "host", level: "error", message });
		const plain = this.#allowance.spend(() => plainList(kind, answer, this.#limits, refused));
		if (plain !== undefined) return plain;
		// It takes longer than many lists do, once in a program: that is not the plugin's doing.
		await loadExplanations();
		return this.#allowance.spendAwaiting(() => parseList(kind, answer, this.#limits, refused));
	}

	#takeDirty(): Kind[] {
		const wanted = [...this.#dirty];
		this.#dirty.clear();
		return wanted;
	}

	async #fetchOne(kind: Kind) {
		return [kind, await this.#read(kind, await this.#fetch(kind))] as const;
	}

	async #refresh(): Promise<void> {
		const told = this.#waiting;
		this.#waiting = [];
		const fetched = await Promise.allSettled(this.#takeDirty().map((kind) => this.#fetchOne(kind)));
		const lists = fetched.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
		const failures = fetched.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
		try {
			this.#allowance.spend(() => tellAll(this.#events, Object.fromEntries(lists)));
		} catch (reason) {
			failures.push(reason);
		}
		for (const reason of failures) {
			const message = `what the plugin registered could not be fetched: ${messageOf(reason)}`;
			this.#events.log({ source: "host", level: "warn", message });
		}
		for (const tell of told) tell();
	}

	/** One fetch at a time, again when something changed meanwhile. */
	async #keepUp(): Promise<void> {
		if (this.#keepsUp) return;
		this.#keepsUp = true;
		while (this.#dirty.size > 0) {
			this.#round = this.#refresh();
			await this.#round;
			this.#round = undefined;
			await this.#allowance.left();
		}
		this.#keepsUp = false;
	}
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
