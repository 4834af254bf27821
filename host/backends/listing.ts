import { messageOf } from "../../runtime/errors.ts";
import { type Kind, kinds } from "../../runtime/records.ts";
import { type BackendEvents, type Capabilities, noCapabilities } from "../contracts/backend.ts";
import { parseList } from "./door.ts";

/** Keeps up with what a child has registered: fetches each kind that it said has changed, and no other. */
export interface Listing {
	/** The child said that a kind has changed. */
	changed(kind: Kind): void;
	/** Fetches everything for the first time; what changes meanwhile, and later, is told as events. */
	first(): Promise<Capabilities>;
	/** Resolves when nothing that was said to have changed is still to be fetched. */
	settled(): Promise<void>;
}

/** Makes the listing of one child; `fetch` asks it for one kind. */
export function createListing(fetch: (kind: Kind) => Promise<unknown>, events: BackendEvents): Listing {
	const dirty = new Set<Kind>();
	let isFirstDone = false;
	let fetching: Promise<void> | undefined;

	async function fetchDirty(): Promise<Partial<Capabilities>> {
		const wanted = [...dirty];
		dirty.clear();
		const fetched: Partial<Capabilities> = {};
		await Promise.all(
			wanted.map(async (kind) => {
				const refused = (message: string) => events.log({ source: "host", level: "error", message });
				Object.assign(fetched, { [kind]: await parseList(kind, await fetch(kind), refused) });
			}),
		);
		return fetched;
	}

	/** One fetch at a time, again when something changed meanwhile. */
	async function keepUp(): Promise<void> {
		try {
			while (dirty.size > 0) {
				const fetched = await fetchDirty();
				for (const kind of kinds) tellChanged(events, kind, fetched);
			}
		} catch (error) {
			const message = `what the plugin registered could not be fetched: ${messageOf(error)}`;
			events.log({ source: "host", level: "warn", message });
		}
		fetching = undefined;
	}

	return {
		changed(kind) {
			dirty.add(kind);
			if (isFirstDone) fetching ??= keepUp();
		},
		async first() {
			const capabilities = { ...noCapabilities(), ...(await fetchDirty()) };
			isFirstDone = true;
			if (dirty.size > 0) fetching ??= keepUp();
			return capabilities;
		},
		settled: () => fetching ?? Promise.resolve(),
	};
}

function tellChanged<K extends Kind>(events: BackendEvents, kind: K, changed: Partial<Capabilities>): void {
	const items: Capabilities[K] | undefined = changed[kind];
	if (items !== undefined) events.changed(kind, items);
}
