import { type Subscription, subscription } from "../runtime/disposable.ts";
import type { List, Listings } from "../runtime/protocol.ts";
import { type Items, type Kind, kinds } from "../runtime/records.ts";

/** What the plugin has registered: for each kind a table of items and what serves them. */
export interface Registry {
	/** Adds an item, or replaces the one with this key in its place. */
	put<K extends Kind>(kind: K, key: string, item: Items[K], serve?: Served[K]): Registration<K>;
	get<K extends Kind>(kind: K, key: string): Entry<K> | undefined;
	/** The keys of a kind, in order. */
	keys(kind: Kind): string[];
	list<K extends Kind>(kind: K): List<K>;
	/** The lists of all kinds of which something was ever registered. */
	listAll(): Listings;
	/** The host knows of all changes until now. */
	told(): void;
	/** Tells of changes at once that would be told at the end of this turn. */
	announce(): void;
	/** From now on changes are told at the end of each turn, those made until now at the end of this one. */
	tellByTurns(): void;
}

/** One registration; neither member touches a newer one of the same key. */
export interface Registration<K extends Kind> extends Subscription {
	update(change: (item: Items[K]) => Items[K]): void;
}

export interface Entry<K extends Kind> {
	item: Items[K];
	serve: Served[K] | undefined;
}

/** The function behind an item; its arguments are the business of who registers and who serves. */
export interface Served {
	tool: (input: never, context: never) => unknown;
	command: (context: never) => unknown;
	event: (event: never, context: never) => unknown;
	skill: never;
	mode: never;
	link: never;
}

type Tables = { [K in Kind]: Map<string, Entry<K>> };

/**
 * Makes an empty registry; `changed` hears once per event-loop turn of each kind that changed in it, as soon as it is to be
 * told by turns. What it could not tell, by its `notTold`, is told again with the next announcement.
 *
 * It is at work while a plugin starts, and before the engine has warmed up a loop is far cheaper than a function of arrays.
 */
export function createRegistry(changed: (kind: Kind, revision: number, notTold: () => void) => void): Registry {
	const tables: Tables = {
		command: new Map(),
		tool: new Map(),
		skill: new Map(),
		event: new Map(),
		mode: new Map(),
		link: new Map(),
	};
	const revisions: Record<Kind, number> = { command: 0, tool: 0, skill: 0, event: 0, mode: 0, link: 0 };
	const dirty = new Set<Kind>();
	// Nothing has to be scheduled for what is told at the end of the load anyway.
	let scheduled = true;
	const soon = setImmediate;

	function list<K extends Kind>(kind: K): List<K> {
		const items: Items[K][] = [];
		for (const { item } of tables[kind].values()) items.push(item);
		return { revision: revisions[kind], items };
	}

	function announce(): void {
		scheduled = false;
		for (const kind of kinds) {
			if (dirty.delete(kind)) changed(kind, revisions[kind], () => dirty.add(kind));
		}
	}

	function touch(kind: Kind): void {
		revisions[kind] += 1;
		dirty.add(kind);
		if (scheduled) return;
		scheduled = true;
		soon(announce);
	}

	return {
		put(kind, key, item, serve) {
			const registration = putInto(tables[kind], key, { item, serve }, () => touch(kind));
			touch(kind);
			return registration;
		},
		get: (kind, key) => tables[kind].get(key),
		keys: (kind) => [...tables[kind].keys()],
		list,
		listAll() {
			const lists: Listings = {};
			for (const kind of kinds) if (revisions[kind] > 0) Object.assign(lists, { [kind]: list(kind) });
			return lists;
		},
		told() {
			dirty.clear();
			scheduled = false;
		},
		announce,
		tellByTurns() {
			scheduled = dirty.size > 0;
			if (scheduled) soon(announce);
		},
	};
}

function putInto<K extends Kind>(
	table: Map<string, Entry<K>>,
	key: string,
	entry: Entry<K>,
	touched: () => void,
): Registration<K> {
	table.set(key, entry);
	const ifCurrent = (act: () => void) => {
		if (table.get(key) !== entry) return;
		act();
		touched();
	};
	return {
		...subscription(() => ifCurrent(() => table.delete(key))),
		update(change) {
			ifCurrent(() => {
				entry.item = change(entry.item);
			});
		},
	};
}
