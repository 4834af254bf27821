import { messageOf } from "../../runtime/errors.ts";
import type { Json } from "../../runtime/records.ts";
import type { ThreadValueName } from "../../runtime/threads.ts";
import type { Ask } from "../ask.ts";
import type { Log } from "../log.ts";
import type { Observer } from "../types/common.ts";

/** Titles and states of threads that somebody subscribed to: one subscription with the host, however many listen. */
export interface SharedValues {
	/** A value that the host tells unasked. */
	push(id: string, name: ThreadValueName, value: Json, revision: number): void;
	/** The observer hears the current value as soon as it is known, then each change. @returns what ends it */
	subscribe<Value>(id: string, name: ThreadValueName, observer: Observer<Value>): () => void;
	/** What was asked, or what was told after the question: an answer that comes late is the older one. */
	newest<Value>(id: string, name: ThreadValueName, ask: () => Promise<Value>): Promise<Value>;
}

interface Shared {
	observers: Set<Observer<never>>;
	known: { value: unknown } | undefined;
	/** Of the value that is known; what the host said before it comes too late. */
	revision: number;
}

export function createSharedValues({ ask, log }: { ask: Ask; log: Log }): SharedValues {
	const shared = new Map<string, Shared>();

	function tell(entry: Shared, value: unknown, revision: number): void {
		if (revision <= entry.revision) return;
		entry.revision = revision;
		entry.known = { value };
		for (const observer of [...entry.observers]) tellOne(observer, value);
	}

	function tellOne(observer: Observer<never>, value: unknown): void {
		try {
			observer.next?.(value as never);
		} catch (error) {
			log("error", `a subscriber of a thread failed: ${messageOf(error)}`);
		}
	}

	/** Subscribes with the host; its answer may be read after what the host told later. */
	async function begin(key: string, entry: Shared, params: { id: string; name: ThreadValueName }): Promise<void> {
		try {
			const { value, revision } = await ask("thread.subscribe", params);
			if (shared.get(key) === entry) tell(entry, value, revision);
		} catch (error) {
			if (shared.get(key) !== entry) return;
			shared.delete(key);
			const observers = [...entry.observers];
			for (const observer of observers) observer.error?.(error);
			// Without a listener for errors the rejection stays visible in the plugin's log.
			if (observers.some((observer) => observer.error === undefined)) throw error;
		}
	}

	return {
		push(id, name, value, revision) {
			const entry = shared.get(`${name} ${id}`);
			if (entry !== undefined) tell(entry, value, revision);
		},
		subscribe(id, name, observer) {
			const key = `${name} ${id}`;
			const entry: Shared = shared.get(key) ?? { observers: new Set(), known: undefined, revision: 0 };
			entry.observers.add(observer as Observer<never>);
			if (!shared.has(key)) {
				shared.set(key, entry);
				void begin(key, entry, { id, name });
			} else if (entry.known !== undefined) {
				tellOne(observer as Observer<never>, entry.known.value);
			}
			return () => {
				entry.observers.delete(observer as Observer<never>);
				if (entry.observers.size > 0 || shared.get(key) !== entry) return;
				shared.delete(key);
				// A host that has gone has forgotten it already.
				ask("thread.unsubscribe", { id, name }).catch(() => {});
			};
		},
		async newest<Value>(id: string, name: ThreadValueName, question: () => Promise<Value>) {
			const entry = shared.get(`${name} ${id}`);
			const revision = entry?.revision;
			const value = await question();
			return entry?.known !== undefined && entry.revision !== revision ? (entry.known.value as Value) : value;
		},
	};
}
