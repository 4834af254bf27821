import { emitter, type Subscription } from "../runtime/disposable.ts";
import { type EventName, type Items, type Kind, kinds } from "../runtime/records.ts";
import type { Capabilities } from "./contracts/backend.ts";
import { compareRank, type Rank } from "./spec.ts";

/** One item that a plugin contributes, and under which key everybody finds it. */
export interface Entry<K extends Kind = Kind> {
	kind: K;
	key: string;
	plugin: string;
	item: Items[K];
}

/** What changed in one step. */
export interface RegistryChange {
	/** Grows by one with each change. */
	generation: number;
	added: Entry[];
	removed: Entry[];
	/** The same key, with another item or owner. */
	changed: Entry[];
}

/** Why a key leads where it does. */
export interface Why {
	kind: Kind;
	key: string;
	/** Who has the key, or null when nobody has. */
	plugin: string | null;
	/** Who registered it too, and what became of that. */
	refused: { plugin: string; reason: string }[];
}

/** All that is visible of all plugins. Every registration sits in its owner's ledger. */
export interface Registry {
	/** Makes these the owner's registrations, in one step, in the place of those it had. */
	publish(owner: Owner, capabilities: Partial<Capabilities>): void;
	/** Removes exactly the owner's ledger. */
	withdraw(plugin: string): void;
	/** What is effective, in rank order; never changes under the reader. */
	list<K extends Kind>(kind: K): readonly Entry<K>[];
	find<K extends Kind>(kind: K, key: string): Entry<K> | undefined;
	/** Who hears an event, in rank order; never changes under the reader. */
	handlers(event: EventName): readonly Entry<"event">[];
	/** What one plugin has registered, refused ones included. */
	ledger(plugin: string): Capabilities;
	why(kind: Kind, key: string): Why;
	/**
	 * Who had a key, or a command's id, until it was withdrawn, and has not registered anything since; of those who have
	 * the key now, only a better rank's.
	 */
	lastOwners(kind: Kind, key: string): string[];
	onChange(listener: (change: RegistryChange) => void): Subscription;
}

export interface Owner {
	plugin: string;
	rank: Rank;
}

interface Registration {
	owner: Owner;
	key: string;
	item: Items[Kind];
	/** Lost to this plugin once; stays refused until its owner registers again, or that one gives the key up. */
	refusedFor: string | undefined;
}

type Ledger = { owner: Owner; kinds: { [K in Kind]: Registration[] } };

/**
 * Makes an empty registry. Of two registrations with one key the better rank has it, whoever was ready first; the other
 * is refused. It is not revived when the winner goes, which may come back, but when the winner registers without the key.
 */
export function createRegistry(): Registry {
	return new LedgerRegistry();
}

class LedgerRegistry implements Registry {
	readonly #ledgers = new Map<string, Ledger>();
	/** What plugins had that are gone for now. */
	readonly #withdrawn = new Map<string, Ledger>();
	/** Who wants each key, of those with a ledger. */
	readonly #claims = forKinds((): Map<string, Registration[]> => new Map());
	readonly #visible = forKinds((): Map<string, Entry> => new Map());
	readonly #changes = emitter<RegistryChange>();
	// Many plugins publish one after the other before anybody asks: only then is what is visible put in order.
	#lists: Partial<Record<Kind, Entry[]>> = {};
	#handlers: Map<EventName, Entry<"event">[]> | undefined;
	#generation = 0;

	publish(owner: Owner, capabilities: Partial<Capabilities>): void {
		const { plugin } = owner;
		const ledger = this.#ledgers.get(plugin) ?? { owner, kinds: forKinds(() => []) };
		this.#ledgers.set(plugin, ledger);
		this.#withdrawn.delete(plugin);
		const touched = new Map<Kind, Set<string>>();
		for (const kind of kinds) {
			const items: Items[Kind][] | undefined = capabilities[kind];
			if (items === undefined) continue;
			const fresh = items.map((item): Registration => {
				return { owner, key: keyOf(kind, plugin, item), item, refusedFor: undefined };
			});
			const old = keysOf(kind, ledger.kinds[kind]);
			this.#claim(kind, plugin, old, fresh);
			ledger.kinds[kind] = fresh;
			const revived = revive(kind, ledger, this.#ledgers.values());
			touched.set(kind, new Set([...keysOf(kind, fresh), ...revived, ...old]));
		}
		this.#settle(touched);
	}

	withdraw(plugin: string): void {
		const ledger = this.#ledgers.get(plugin);
		if (ledger === undefined) return;
		this.#withdrawn.set(plugin, ledger);
		this.#ledgers.delete(plugin);
		const touched = new Map(kinds.map((kind) => [kind, keysOf(kind, ledger.kinds[kind])]));
		for (const [kind, keys] of touched) this.#claim(kind, plugin, keys, []);
		this.#settle(touched);
	}

	list<K extends Kind>(kind: K): Entry<K>[] {
		const ordered: Entry[] = this.#lists[kind] ?? inOrder(kind, this.#visible[kind], [...this.#ledgers.values()]);
		this.#lists[kind] = ordered;
		return [...ordered] as Entry<K>[];
	}

	find<K extends Kind>(kind: K, key: string): Entry<K> | undefined {
		return this.#visible[kind].get(foldKey(kind, key)) as Entry<K> | undefined;
	}

	handlers(event: EventName): readonly Entry<"event">[] {
		this.#handlers ??= Map.groupBy(this.list("event"), ({ item }) => item.name);
		return this.#handlers.get(event) ?? [];
	}

	ledger(plugin: string): Capabilities {
		const own = this.#ledgers.get(plugin)?.kinds ?? forKinds(() => []);
		return Object.fromEntries(kinds.map((kind) => [kind, own[kind].map(({ item }) => item)])) as Capabilities;
	}

	why(kind: Kind, key: string): Why {
		const refused = [...this.#ledgers.values()].flatMap(({ owner, kinds: own }) =>
			own[kind]
				.filter((registration) => foldKey(kind, registration.key) === foldKey(kind, key))
				.filter((registration) => registration.refusedFor !== undefined)
				.map(({ refusedFor }) => ({ plugin: owner.plugin, reason: `"${refusedFor}" has a better rank` })),
		);
		return { kind, key, plugin: this.find(kind, key)?.plugin ?? null, refused };
	}

	lastOwners(kind: Kind, key: string): string[] {
		if (this.#withdrawn.size === 0) return [];
		const holder = this.#ledgers.get(this.find(kind, key)?.plugin ?? "")?.owner;
		const owners = [...this.#withdrawn.values()]
			.filter((ledger) => hasKey(ledger, kind, key))
			.map(({ owner }) => owner);
		const better = owners.filter(({ rank }) => holder === undefined || compareRank(rank, holder.rank) < 0);
		return better.map(({ plugin }) => plugin);
	}

	onChange(listener: (change: RegistryChange) => void): Subscription {
		return this.#changes.listen(listener);
	}

	/** Puts what a plugin claims now in the place of these keys of its own. */
	#claim(kind: Kind, plugin: string, old: Set<string>, fresh: Registration[]): void {
		const claims = this.#claims[kind];
		for (const key of old) {
			const others = (claims.get(key) ?? []).filter(({ owner }) => owner.plugin !== plugin);
			if (others.length === 0) claims.delete(key);
			else claims.set(key, others);
		}
		for (const registration of fresh) {
			const key = foldKey(kind, registration.key);
			const claimants = claims.get(key);
			if (claimants === undefined) claims.set(key, [registration]);
			else claimants.push(registration);
		}
	}

	/** Judges these keys anew, each of which is apart from all others, and tells what is different. */
	#settle(touched: Map<Kind, Set<string>>): void {
		const change: Omit<RegistryChange, "generation"> = { added: [], removed: [], changed: [] };
		for (const [kind, keys] of touched) {
			const visible = this.#visible[kind];
			const steps = [...keys].map((key) => {
				return { key, before: visible.get(key), after: holderOf(kind, this.#claims[kind].get(key) ?? []) };
			});
			for (const { key, after } of steps) {
				if (after === undefined) visible.delete(key);
				else visible.set(key, after);
			}
			this.#lists = { ...this.#lists, [kind]: undefined };
			if (kind === "event") this.#handlers = undefined;
			addChange(change, steps, ({ plugin }) => this.#ledgers.get(plugin)?.owner.rank ?? [0, 0, plugin]);
		}
		if (change.added.length + change.removed.length + change.changed.length === 0) return;
		this.#generation += 1;
		this.#changes.emit({ generation: this.#generation, ...change });
	}
}

/** The key under which an item is found; what cannot clash carries its plugin's name. */
export function keyOf(kind: Kind, plugin: string, item: Items[Kind]): string {
	if (kind === "command" && "id" in item) return `${keyPrefix(plugin)}${item.id}`;
	if (kind === "link" && "id" in item) return `${keyPrefix(plugin)}${item.id}`;
	if (kind === "event" && "handler" in item) return `${keyPrefix(plugin)}${item.handler}`;
	if (kind === "mode" && "key" in item) return item.key;
	return "name" in item ? item.name : "";
}

/** How the keys of a plugin begin: its name up to the first colon, so that no two plugins can make the same key. */
export function keyPrefix(plugin: string): string {
	return `${plugin.replaceAll("%", "%25").replaceAll(":", "%3A")}:`;
}

function idOf(item: Items[Kind]): string | undefined {
	return "id" in item ? item.id : undefined;
}

/**
 * Whoever was refused for a key that this plugin does not have any more is to be judged anew.
 * @returns these keys in the order of those who want them, each one's in their own order
 */
function revive(kind: Kind, { owner, kinds: own }: Ledger, ledgers: Iterable<Ledger>): string[] {
	const revived: Registration[] = [];
	let claimed: Set<string> | undefined;
	for (const ledger of ledgers) {
		for (const registration of ledger.kinds[kind]) {
			if (registration.refusedFor !== owner.plugin) continue;
			claimed ??= keysOf(kind, own[kind]);
			if (claimed.has(foldKey(kind, registration.key))) continue;
			registration.refusedFor = undefined;
			revived.push(registration);
		}
	}
	revived.sort((a, b) => compareRank(a.owner.rank, b.owner.rank));
	return revived.map(({ key }) => foldKey(kind, key));
}

function hasKey({ kinds: own }: Ledger, kind: Kind, key: string): boolean {
	const isOf = ({ refusedFor, key: itsKey, item }: Registration) =>
		refusedFor === undefined && (foldKey(kind, itsKey) === foldKey(kind, key) || idOf(item) === key);
	return own[kind].some(isOf);
}

/** Mode keys that differ only by case are the same key. */
function foldKey(kind: Kind, key: string): string {
	return kind === "mode" ? key.toLowerCase() : key;
}

function keysOf(kind: Kind, registrations: readonly Registration[]): Set<string> {
	return new Set(registrations.map(({ key }) => foldKey(kind, key)));
}

/** Who has a key of those that want it; the others are refused from then on. */
function holderOf(kind: Kind, claimants: readonly Registration[]): Entry | undefined {
	let holder: Entry | undefined;
	for (const registration of claimants.toSorted((a, b) => compareRank(a.owner.rank, b.owner.rank))) {
		const { plugin } = registration.owner;
		if (holder !== undefined && holder.plugin !== plugin) registration.refusedFor = holder.plugin;
		if (registration.refusedFor !== undefined) continue;
		holder = { kind, key: registration.key, plugin, item: registration.item };
	}
	return holder;
}

/** What is visible of a kind in rank order, that of each plugin in the order of its ledger. */
function inOrder(kind: Kind, visible: ReadonlyMap<string, Entry>, ledgers: Ledger[]): Entry[] {
	const ordered = new Set<Entry>();
	for (const { owner, kinds: own } of ledgers.sort((a, b) => compareRank(a.owner.rank, b.owner.rank))) {
		for (const { key } of own[kind]) {
			const entry = visible.get(foldKey(kind, key));
			if (entry?.plugin === owner.plugin) ordered.add(entry);
		}
	}
	return [...ordered];
}

interface Step {
	before: Entry | undefined;
	after: Entry | undefined;
}

/** Tells of steps of one kind in rank order. What is removed was one plugin's: what several give up has another holder. */
function addChange(change: Omit<RegistryChange, "generation">, steps: readonly Step[], rankOf: (entry: Entry) => Rank) {
	const inRank = (entries: Entry[]) => entries.sort((a, b) => compareRank(rankOf(a), rankOf(b)));
	const kept = steps.flatMap(({ before, after }) => (before && after ? [{ before, after }] : []));
	const isOther = ({ before, after }: { before: Entry; after: Entry }) =>
		before.plugin !== after.plugin || !Bun.deepEquals(before.item, after.item);
	change.added.push(...inRank(steps.flatMap(({ before, after }) => (after && !before ? [after] : []))));
	change.changed.push(...inRank(kept.filter(isOther).map(({ after }) => after)));
	change.removed.push(...steps.flatMap(({ before, after }) => (before && !after ? [before] : [])));
}

function forKinds<Value>(make: () => Value): Record<Kind, Value> {
	return { command: make(), tool: make(), skill: make(), event: make(), mode: make(), link: make() };
}
