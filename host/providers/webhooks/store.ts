import type { Database } from "bun:sqlite";
import type { Limits } from "../../../runtime/limits.ts";
import { type AfterFailure, admit, type Failures, lastDueAt } from "./decisions.ts";
import { type Held, Holds } from "./holds.ts";
import { hashOf, identityOf, pathOf, type WebhookPath } from "./paths.ts";
import { Rows } from "./rows.ts";

/** What the file knows of one webhook. */
export interface StoredWebhook {
	id: number;
	headers: string[];
}

/** An event that this host holds. */
export interface HeldEvent extends Failures {
	seq: number;
	id: string;
	body: Uint8Array;
	headers: Record<string, string>;
	receivedAt: number;
	lease: string;
}

/** What there is to deliver: an event, nothing before `dueAt`, or nothing until another host lets go. */
export type Taken = { event: HeldEvent } | { dueAt: number } | { held: Held };

export type Admitted = { known: string } | { admitted: true } | { retryAfterSeconds: number; reason: string };

/** Two clocks: of the wall, for what is kept; and one that only goes forward. In milliseconds. */
export interface Now {
	wall(): number;
	steady(): number;
}

/** Webhooks and their events in the file. Each method is one transaction, and throws what SQLite throws. */
export class WebhookStore {
	readonly #rows: Rows;
	readonly #bounds: Limits["webhooks"];
	readonly #now: Now;
	readonly #holds: Holds;

	constructor(db: Database, bounds: Limits["webhooks"], now: Now) {
		this.#rows = new Rows(db);
		this.#bounds = bounds;
		this.#now = now;
		this.#holds = new Holds({ rows: this.#rows, bounds, steady: now.steady });
	}

	/** Names the file to those that use it together. */
	get identity(): string {
		return identityOf(this.#master());
	}

	get port(): number | undefined {
		const row = this.#rows.one<{ value: number }>("SELECT value FROM meta WHERE name = 'port'");
		return row?.value;
	}

	savePort(port: number): void {
		this.#rows.run("INSERT INTO meta VALUES ('port', ?1) ON CONFLICT DO UPDATE SET value = ?1", port);
	}

	/** Does what must not meet what another host does. */
	exclusively<Result>(task: () => Result): Result {
		return this.#rows.exclusively(task);
	}

	/** Whether another connection has written since the last look. */
	wasChanged(): boolean {
		const version = this.#rows.one<{ data_version: number }>("PRAGMA data_version")?.data_version;
		const changed = version !== this.#version;
		this.#version = version;
		return changed;
	}
	#version: number | undefined;

	/**
	 * Makes a webhook; its path follows from who has it, so that it stays.
	 *
	 * @param receives whether one that is there has these headers from now on; whoever receives for it may want others
	 */
	open(workspace: string, plugin: string, key: string, headers: string[], receives = true): OpenedPath {
		const { path, secret } = pathOf(this.#master(), workspace, plugin, key);
		const row = this.#rows.one<{ id: number }>(
			`INSERT INTO webhook (workspace, plugin, key, path_hash, headers, opened_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (path_hash)
			DO UPDATE SET headers = iif(?, excluded.headers, headers), opened_at = excluded.opened_at
			RETURNING id`,
			workspace,
			plugin,
			key,
			hashOf(path),
			JSON.stringify(headers),
			this.#now.wall(),
			receives ? 1 : 0,
		);
		return { id: row?.id ?? 0, path, secret };
	}

	/** By its hash, so that the time which a wrong path takes tells nothing about a right one. */
	find(path: string): StoredWebhook | undefined {
		const row = this.#rows.one<{ id: number; headers: string }>(
			"SELECT id, headers FROM webhook WHERE path_hash = ?",
			hashOf(path),
		);
		return row === null ? undefined : { id: row.id, headers: JSON.parse(row.headers) };
	}

	/** Lets a new event of a webhook in, unless its key is known or there is no room. */
	admit(webhook: number, idempotencyKey: string | null): Admitted {
		return this.exclusively(() => {
			const known = this.#known(webhook, idempotencyKey);
			if (known !== undefined) return { known };
			if (this.counts(webhook).pending >= this.#bounds.pendingEventsMax) {
				return { retryAfterSeconds: 60, reason: "too many events wait" };
			}
			const row = this.#rows.one<{ full_at: number }>("SELECT full_at FROM webhook WHERE id = ?", webhook);
			const room = admit(row?.full_at ?? 0, this.#now.wall(), this.#bounds);
			if ("retryAfterSeconds" in room) return { ...room, reason: "too many events" };
			this.#rows.run("UPDATE webhook SET full_at = ? WHERE id = ?", room.fullAt, webhook);
			return { admitted: true };
		});
	}

	/** Stores an event for good. @returns its id, or that of the one with the same key */
	add(webhook: number, event: { idempotencyKey: string | null; body: Uint8Array; headers: object }): string {
		return this.exclusively(() => {
			const known = this.#known(webhook, event.idempotencyKey);
			if (known !== undefined) return known;
			const id = `evt_${Bun.randomUUIDv7()}`;
			const now = this.#now.wall();
			this.#rows.run(
				`INSERT INTO event (id, webhook, idempotency_key, received_at, due_at, body, headers)
				VALUES (?1, ?2, ?3, ?4, ?4, ?5, ?6)`,
				id,
				webhook,
				event.idempotencyKey,
				now,
				event.body,
				JSON.stringify(event.headers),
			);
			return id;
		});
	}

	/** Takes hold of the next event of a webhook that is due, unless another host delivers one; this one must not. */
	take(webhook: number): Taken {
		return this.exclusively(() => {
			const hold = this.#holds.of(webhook);
			if (hold !== undefined) return { held: hold };
			const now = this.#now.wall();
			const next = this.#rows.one<EventRow>(
				`SELECT seq, failures, crashes, failing_since FROM event
				WHERE webhook = ? AND state = 'pending' AND (due_at <= ? OR due_at > ?) ORDER BY seq LIMIT 1`,
				webhook,
				now,
				lastDueAt(now, this.#bounds),
			);
			if (next === null) return { dueAt: this.#nextDueAt(webhook) };
			const lease = this.#holds.newLease();
			const row = this.#rows.one<{ id: string; body: Uint8Array | null; headers: string; received_at: number }>(
				"UPDATE event SET lease = ? WHERE seq = ? RETURNING id, body, headers, received_at",
				lease,
				next.seq,
			);
			const { seq, failures, crashes, failing_since: failingSince } = next;
			const { id = "", body = null, headers = "{}", received_at: receivedAt = now } = row ?? {};
			const held = { seq, id, body: body ?? new Uint8Array(), headers: JSON.parse(headers), receivedAt, lease };
			return { event: { ...held, failures, crashes, failingSince } };
		});
	}

	/** Says that this host is still there. @returns the new hold, or undefined when another host took the event */
	renew({ seq, lease }: HeldEvent): string | undefined {
		const renewed = this.#holds.newLease();
		const changes = this.#rows.run("UPDATE event SET lease = ? WHERE seq = ? AND lease = ?", renewed, seq, lease);
		return changes === 1 ? renewed : undefined;
	}

	/** Delivered. What remains is its key, for as long as it is remembered. */
	done({ seq, lease }: HeldEvent): void {
		this.exclusively(() => {
			this.#rows.run("DELETE FROM event WHERE seq = ? AND lease = ? AND idempotency_key IS NULL", seq, lease);
			this.#rows.run(
				"UPDATE event SET state = 'done', body = NULL, headers = '{}', lease = NULL WHERE seq = ? AND lease = ?",
				seq,
				lease,
			);
		});
	}

	/** Lets go of an event that could not be delivered now. */
	release({ seq, lease }: HeldEvent): void {
		this.#rows.run("UPDATE event SET lease = NULL WHERE seq = ? AND lease = ?", seq, lease);
	}

	failed({ seq, lease }: HeldEvent, after: AfterFailure): void {
		const { failures, crashes, failingSince } = after;
		const [state, dueAt] = after.next === "again" ? ["pending", after.dueAt] : ["failed", 0];
		this.#rows.run(
			`UPDATE event SET state = ?, due_at = ?, failures = ?, crashes = ?, failing_since = ?, lease = NULL
			WHERE seq = ? AND lease = ?`,
			state,
			dueAt,
			failures,
			crashes,
			failingSince,
			seq,
			lease,
		);
	}

	counts(webhook: number): { pending: number; failed: number } {
		const row = this.#rows.one<{ pending: number; failed: number }>(
			`SELECT count(*) FILTER (WHERE state = 'pending') AS pending, count(*) FILTER (WHERE state = 'failed') AS failed
			FROM event WHERE webhook = ? AND state IN ('pending', 'failed')`,
			webhook,
		);
		return row ?? { pending: 0, failed: 0 };
	}

	/**
	 * Drops what is too old; the webhooks that are open here are not.
	 *
	 * @returns how many events were dropped that nobody had handled, by webhook
	 */
	purge(open: Iterable<number>): Map<number, number> {
		return this.exclusively(() => {
			const { rememberedMs, keptMs, forgottenMs } = this.#bounds;
			const now = this.#now.wall();
			this.#rows.run("DELETE FROM event WHERE state = 'done' AND received_at < ?", now - rememberedMs);
			// Of a host that was killed the hold stays where no other one opens the webhook.
			const old = this.#rows.all<{ webhook: number }>(
				`DELETE FROM event WHERE state <> 'done' AND received_at < iif(lease IS NULL, ?, ?) RETURNING webhook`,
				now - keptMs,
				now - 2 * keptMs,
			);
			for (const webhook of open) this.#rows.run("UPDATE webhook SET opened_at = ? WHERE id = ?", now, webhook);
			this.#rows.run(
				"DELETE FROM webhook WHERE opened_at < ? AND id NOT IN (SELECT webhook FROM event)",
				now - forgottenMs,
			);
			const dropped = new Map<number, number>();
			for (const { webhook } of old) dropped.set(webhook, (dropped.get(webhook) ?? 0) + 1);
			return dropped;
		});
	}

	close(): void {
		this.#rows.close();
	}

	#nextDueAt(webhook: number): number {
		const query = "SELECT min(due_at) AS due_at FROM event WHERE webhook = ? AND state = 'pending'";
		return this.#rows.one<{ due_at: number | null }>(query, webhook)?.due_at ?? Number.POSITIVE_INFINITY;
	}

	#known(webhook: number, idempotencyKey: string | null): string | undefined {
		if (idempotencyKey === null) return undefined;
		const query = "SELECT id FROM event WHERE webhook = ? AND idempotency_key = ?";
		return this.#rows.one<{ id: string }>(query, webhook, idempotencyKey)?.id;
	}

	#master(): Uint8Array {
		const row = this.#rows.one<{ value: Uint8Array }>("SELECT value FROM meta WHERE name = 'master'");
		if (row === null) throw new Error("it has no secret");
		return row.value;
	}
}

interface OpenedPath extends WebhookPath {
	id: number;
}

interface EventRow {
	seq: number;
	failures: number;
	crashes: number;
	failing_since: number | null;
}
