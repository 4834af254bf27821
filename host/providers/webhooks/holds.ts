import type { Limits } from "../../../runtime/limits.ts";
import { type LeaseSeen, watchLease } from "./decisions.ts";
import type { Rows } from "./rows.ts";

/** The hold of another host on an event: when it ends, in milliseconds from now, if nobody renews it. */
export interface Held {
	endsMs: number;
}

export interface HoldsParts {
	rows: Rows;
	bounds: Limits["webhooks"];
	/** A clock that only goes forward, in milliseconds. */
	steady(): number;
}

/** Who holds which event, as the file says; a host that has ended is known by what it does not renew. */
export class Holds {
	readonly #parts: HoldsParts;
	/** Names this host in the holds that it takes. */
	readonly #owner = crypto.randomUUID();
	/** The holds of other hosts, by webhook and event. */
	readonly #seen = new Map<number, Map<number, LeaseSeen>>();
	#leases = 0;

	constructor(parts: HoldsParts) {
		this.#parts = parts;
	}

	/** Another one each time. */
	newLease(): string {
		this.#leases += 1;
		return `${this.#owner}:${this.#leases}`;
	}

	/**
	 * Whether another host delivers an event of a webhook. A hold that has ended is taken off, and so is one left by this
	 * host. Within a transaction.
	 */
	of(webhook: number): Held | undefined {
		const { rows, bounds, steady } = this.#parts;
		const held = rows.all<{ seq: number; lease: string }>(
			"SELECT seq, lease FROM event WHERE webhook = ? AND lease IS NOT NULL",
			webhook,
		);
		const now = steady();
		const alive = new Map<number, LeaseSeen>();
		const before = this.#seen.get(webhook);
		for (const { seq, lease } of held) {
			const isOwn = lease.startsWith(this.#owner);
			const { isOver, seen } = watchLease(before?.get(seq), lease, now, bounds.leaseMs);
			if (isOver || isOwn) rows.run("UPDATE event SET lease = NULL WHERE seq = ?", seq);
			else alive.set(seq, seen);
		}
		if (alive.size === 0) {
			this.#seen.delete(webhook);
			return undefined;
		}
		this.#seen.set(webhook, alive);
		const last = Math.max(...[...alive.values()].map(({ since }) => since));
		return { endsMs: last + bounds.leaseMs - now };
	}
}
