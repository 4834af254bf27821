import type { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterFailure } from "../../../../../host/providers/webhooks/decisions.ts";
import { openWebhookFile } from "../../../../../host/providers/webhooks/file.ts";
import { type HeldEvent, WebhookStore } from "../../../../../host/providers/webhooks/store.ts";
import { limits } from "../../../../../runtime/limits.ts";
import { deep, propertyMs, propertyRuns, tally } from "../../../../support/effort.ts";

const bounds = { ...limits.webhooks, burstEventsMax: 5, pendingEventsMax: 6, crashesMax: 2, failingMs: 60_000 };
const who = fc.nat({ max: 2 });
const which = fc.nat({ max: 1 });
const step = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({ kind: fc.constant("send"), which, key: fc.option(fc.constantFrom("k1", "k2")) }),
	},
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant("take"), who, which }) },
	{ weight: 5, arbitrary: fc.record({ kind: fc.constantFrom("done", "fail", "crash", "release", "renew"), who }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("die"), who }) },
	{
		weight: 3,
		arbitrary: fc.record({ kind: fc.constant("pass"), ms: fc.constantFrom(1, 3_000, 6_000, 11_000, 400_000) }),
	},
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(
	"three hosts that take, finish, fail, stop and die in any order lose no event and hold none twice",
	async () => {
		let steps = 0;
		const ends = new Map<string, number>();
		fc.assert(
			fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: "max" }), (all) => {
				const model = new Model();
				try {
					for (const one of all) {
						model.take(one);
						model.check();
						steps += 1;
					}
					model.finish();
					for (const [end, count] of model.ends) ends.set(end, (ends.get(end) ?? 0) + count);
				} finally {
					model.close();
				}
			}),
			{ ...propertyRuns, numRuns: deep ? 1_000 : 60 },
		);
		expect([...ends.keys()].sort()).toEqual(["again", "aside", "done", "released", "taken over"]);
		tally("webhook queue", steps, "steps");
	},
	propertyMs,
);

interface Sent {
	webhook: number;
	key: string | null;
	/** Whether a delivery of it was done, or it was put aside. */
	isOver: boolean;
	hasFailed: boolean;
}

interface ModelHost {
	store: WebhookStore;
	db: Database;
	/** What it delivers, by webhook. */
	holds: Map<number, HeldEvent>;
}

/** What is known of the queue from outside, beside the queue itself. */
class Model {
	readonly ends = new Map<string, number>();
	readonly #folder = mkdtempSync(join(tmpdir(), "brood-queue-"));
	readonly #sent = new Map<string, Sent>();
	readonly #orphans = new Set<string>();
	#now = Date.parse("2026-01-01");
	#hosts: ModelHost[] = [0, 1, 2].map(() => this.#host());
	readonly #webhooks = ["a", "b"].map((key) => this.#hosts[0]?.store.open("/w", "plugin", key, []).id ?? 0);

	#host(): ModelHost {
		const db = openWebhookFile(join(this.#folder, "file"));
		// A disk that fails is another matter.
		db.run("PRAGMA synchronous = OFF");
		const now = () => this.#now;
		return { db, store: new WebhookStore(db, bounds, { wall: now, steady: now }), holds: new Map() };
	}

	take(one: Step): void {
		if ("ms" in one) return this.#pass(one.ms);
		if (one.kind === "send")
			return this.#send(this.#webhooks["which" in one ? one.which : 0] ?? 0, "key" in one ? one.key : null);
		const host = this.#hosts["who" in one ? one.who : 0];
		if (host === undefined) return;
		if (one.kind === "take" && "which" in one) return this.#take(host, this.#webhooks[one.which] ?? 0);
		if (one.kind === "die") {
			// Nothing is said to anybody.
			for (const { id } of host.holds.values()) this.#orphans.add(id);
			host.db.close();
			this.#hosts[this.#hosts.indexOf(host)] = this.#host();
			return;
		}
		const [held] = host.holds.values();
		if (held !== undefined) this.#settle(host, held, one.kind);
	}

	/** No event of a webhook is held by two hosts that are alive and have renewed in time. */
	check(): void {
		for (const webhook of this.#webhooks) {
			const holders = this.#hosts.filter(({ holds }) => holds.has(webhook));
			expect(holders.length).toBeLessThanOrEqual(1);
		}
		const [{ store } = this.#hosts[0] as ModelHost] = this.#hosts;
		for (const webhook of this.#webhooks) {
			const open = [...this.#sent.values()].filter((sent) => sent.webhook === webhook && !sent.isOver);
			expect(store.counts(webhook).pending).toBe(open.length);
		}
	}

	/** Whatever happened, one host that goes on alone delivers all that is left. */
	finish(): void {
		for (const { db, holds } of this.#hosts.slice(1)) {
			for (const { id } of holds.values()) this.#orphans.add(id);
			db.close();
		}
		const [host] = this.#hosts;
		if (host === undefined) return;
		this.#hosts = [host];
		for (const held of [...host.holds.values()]) this.#settle(host, held, "done");
		for (let rounds = 0; rounds < 20; rounds += 1) {
			for (const webhook of this.#webhooks) {
				this.#take(host, webhook);
				for (const held of [...host.holds.values()]) this.#settle(host, held, "done");
			}
			this.#pass(100_000);
		}
		expect([...this.#sent.values()].filter(({ isOver }) => !isOver)).toEqual([]);
	}

	close(): void {
		for (const { db } of this.#hosts) db.close();
		rmSync(this.#folder, { recursive: true, force: true });
	}

	#note(end: string): void {
		this.ends.set(end, (this.ends.get(end) ?? 0) + 1);
	}

	/** Hosts that live renew what they hold more often than it ends. */
	#pass(ms: number): void {
		const holding = this.#hosts.filter(({ holds }) => holds.size > 0);
		const each = holding.length === 0 ? ms : 3_000;
		for (let left = ms; left > 0; left -= each) {
			this.#now += Math.min(left, each);
			for (const host of holding) for (const held of host.holds.values()) this.#settle(host, held, "renew");
		}
	}

	#send(webhook: number, key: string | null): void {
		const store = this.#hosts[0]?.store;
		if (store === undefined) return;
		const room = store.admit(webhook, key);
		const known = [...this.#sent].find(([, sent]) => key !== null && sent.webhook === webhook && sent.key === key);
		if (known !== undefined && "known" in room) return expect(room.known).toBe(known[0]);
		expect("known" in room).toBe(false);
		if (!("admitted" in room)) return;
		const body = new TextEncoder().encode(String(this.#sent.size));
		const id = store.add(webhook, { idempotencyKey: key, body, headers: { n: String(this.#sent.size) } });
		expect(this.#sent.has(id)).toBe(false);
		expect(store.add(webhook, { idempotencyKey: key, body, headers: {} }) === id).toBe(key !== null);
		if (key === null) {
			// The second one was another event.
			const [last] = [...this.#ids(store)].filter((other) => other !== id && !this.#sent.has(other));
			if (last !== undefined) this.#sent.set(last, { webhook, key, isOver: false, hasFailed: false });
		}
		this.#sent.set(id, { webhook, key, isOver: false, hasFailed: false });
	}

	#ids(_: WebhookStore): string[] {
		const db = this.#hosts[0]?.db;
		return (
			db
				?.query<{ id: string }, []>("SELECT id FROM event ORDER BY seq")
				.all()
				.map(({ id }) => id) ?? []
		);
	}

	#take(host: ModelHost, webhook: number): void {
		if (host.holds.has(webhook)) return;
		const heldByAnother = this.#hosts.some(({ holds }) => holds.has(webhook));
		const taken = host.store.take(webhook);
		if (!("event" in taken)) return;
		expect(heldByAnother).toBe(false);
		const sent = this.#sent.get(taken.event.id);
		expect(sent).toMatchObject({ webhook, isOver: false });
		expect(new TextDecoder().decode(taken.event.body)).toBe(
			taken.event.headers.n ?? new TextDecoder().decode(taken.event.body),
		);
		// Those that have not failed come in the order in which they were sent.
		if (sent?.hasFailed === false) {
			const waiting = this.#ids(host.store).filter((id) => {
				const other = this.#sent.get(id);
				return other?.webhook === webhook && !other.isOver && !other.hasFailed;
			});
			expect(waiting[0]).toBe(taken.event.id);
		}
		if (this.#orphans.delete(taken.event.id)) this.#note("taken over");
		host.holds.set(webhook, taken.event);
	}

	#settle(host: ModelHost, held: HeldEvent, kind: string): void {
		const sent = this.#sent.get(held.id);
		if (sent === undefined) throw new Error("an event that nobody sent");
		if (kind === "renew") {
			const lease = host.store.renew(held);
			expect(lease).toBeString();
			held.lease = lease ?? "";
			return;
		}
		host.holds.delete(sent.webhook);
		if (kind === "done") {
			host.store.done(held);
			sent.isOver = true;
			this.#note("done");
		} else if (kind === "release") {
			host.store.release(held);
			this.#note("released");
		} else {
			const after = afterFailure(held, { crashed: kind === "crash", now: this.#now, random: 0.5 }, bounds);
			host.store.failed(held, after);
			sent.hasFailed = true;
			sent.isOver = after.next === "aside";
			this.#note(after.next);
		}
	}
}
