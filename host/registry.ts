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
	const ledgers = new Map<string, Ledger>();
	/** What plugins had that are gone for now. */
	const withdrawn = new Map<string, Ledger>();
	const changes = emitter<RegistryChange>();
	let visible = emptyView();
	// Asked for with each call, so it is not gathered each time.
	let handlers = new Map<EventName, Entry<"event">[]>();
	let generation = 0;
	const list = <K extends Kind>(kind: K) => [...visible[kind].values()] as Entry<K>[];

	function settle(): void {
		const next = viewOf([...ledgers.values()].sort((a, b) => compareRank(a.owner.rank, b.owner.rank)));
		const change = compare(visible, next);
		visible = next;
		handlers = Map.groupBy(list("event"), ({ item }) => item.name);
		if (change.added.length + change.removed.length + change.changed.length === 0) return;
		generation += 1;
		changes.emit({ generation, ...change });
	}

	return {
		publish(owner, capabilities) {
			const ledger = ledgers.get(owner.plugin) ?? { owner, kinds: emptyLedger() };
			ledgers.set(owner.plugin, ledger);
			withdrawn.delete(owner.plugin);
			for (const kind of kinds) {
				const items: Items[Kind][] | undefined = capabilities[kind];
				if (items === undefined) continue;
				ledger.kinds[kind] = items.map((item) => {
					return { owner, key: keyOf(kind, owner.plugin, item), item, refusedFor: undefined };
				});
				revive(kind, ledger, ledgers.values());
			}
			settle();
		},
		withdraw(plugin) {
			const ledger = ledgers.get(plugin);
			if (ledger === undefined) return;
			withdrawn.set(plugin, ledger);
			ledgers.delete(plugin);
			settle();
		},
		list,
		find: <K extends Kind>(kind: K, key: string) => visible[kind].get(foldKey(kind, key)) as Entry<K> | undefined,
		handlers: (event) => handlers.get(event) ?? [],
		ledger(plugin) {
			const own = ledgers.get(plugin)?.kinds ?? emptyLedger();
			return Object.fromEntries(kinds.map((kind) => [kind, own[kind].map(({ item }) => item)])) as Capabilities;
		},
		why(kind, key) {
			const entry = visible[kind].get(foldKey(kind, key));
			const refused = [...ledgers.values()].flatMap(({ owner, kinds: own }) =>
				own[kind]
					.filter((registration) => foldKey(kind, registration.key) === foldKey(kind, key))
					.filter((registration) => registration.refusedFor !== undefined)
					.map(({ refusedFor }) => ({ plugin: owner.plugin, reason: `"${refusedFor}" has a better rank` })),
			);
			return { kind, key, plugin: entry?.plugin ?? null, refused };
		},
		lastOwners(kind, key) {
			if (withdrawn.size === 0) return [];
			const holder = ledgers.get(visible[kind].get(foldKey(kind, key))?.plugin ?? "")?.owner;
			const owners = [...withdrawn.values()].filter((ledger) => hasKey(ledger, kind, key)).map(({ owner }) => owner);
			const better = owners.filter(({ rank }) => holder === undefined || compareRank(rank, holder.rank) < 0);
			return better.map(({ plugin }) => plugin);
		},
		onChange: changes.listen,
	};
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

/** Whoever was refused for a key that this plugin does not have any more is judged anew. */
function revive(kind: Kind, { owner, kinds: own }: Ledger, ledgers: Iterable<Ledger>): void {
	const claimed = new Set(own[kind].map(({ key }) => foldKey(kind, key)));
	for (const ledger of ledgers) {
		for (const registration of ledger.kinds[kind]) {
			const isOver = registration.refusedFor === owner.plugin && !claimed.has(foldKey(kind, registration.key));
			if (isOver) registration.refusedFor = undefined;
		}
	}
}

function hasKey({ kinds: own }: Ledger, kind: Kind, key: string): boolean {
	const isOf = ({ refusedFor, key: itsKey, item }: Registration) =>
		refusedFor === undefined && (foldKey(kind, itsKey) === foldKey(kind, key) || idOf(item) === key);
	return own[kind].some(isOf);
}

type View = { [K in Kind]: Map<string, Entry> };

/** Mode keys that differ only by case are the same key. */
function foldKey(kind: Kind, key: string): string {
	return kind === "mode" ? key.toLowerCase() : key;
}

function viewOf(ledgers: Ledger[]): View {
	const view = emptyView();
	for (const { owner, kinds: own } of ledgers) {
		for (const kind of kinds) {
			for (const registration of own[kind]) {
				const key = foldKey(kind, registration.key);
				const holder = view[kind].get(key);
				if (holder !== undefined && holder.plugin !== owner.plugin) registration.refusedFor = holder.plugin;
				if (registration.refusedFor !== undefined) continue;
				view[kind].set(key, { kind, key: registration.key, plugin: owner.plugin, item: registration.item });
			}
		}
	}
	return view;
}

function compare(before: View, after: View): Omit<RegistryChange, "generation"> {
	const change: Omit<RegistryChange, "generation"> = { added: [], removed: [], changed: [] };
	for (const kind of kinds) {
		for (const [key, entry] of after[kind]) {
			const old = before[kind].get(key);
			if (old === undefined) change.added.push(entry);
			else if (old.plugin !== entry.plugin || !Bun.deepEquals(old.item, entry.item)) change.changed.push(entry);
		}
		for (const [key, entry] of before[kind]) {
			if (!after[kind].has(key)) change.removed.push(entry);
		}
	}
	return change;
}

function emptyView(): View {
	return {
		command: new Map(),
		tool: new Map(),
		skill: new Map(),
		event: new Map(),
		mode: new Map(),
		link: new Map(),
	};
}

function emptyLedger(): Ledger["kinds"] {
	return { command: [], tool: [], skill: [], event: [], mode: [], link: [] };
}
