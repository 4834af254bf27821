import { isBroodError, messageOf } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import type { Clock } from "../../base/clock.ts";
import type { WebhookDelivery, WebhookRequest } from "../../contracts/webhooks.ts";
import { afterFailure, isDue } from "./decisions.ts";
import type { Held } from "./holds.ts";
import type { HeldEvent, WebhookStore } from "./store.ts";

export interface PumpParts {
	store: WebhookStore;
	limits: Limits["webhooks"];
	clock: Clock;
	/** Milliseconds of the wall clock. */
	wall(): number;
	/** From 0 to 1. */
	random(): number;
	problem(webhook: number, error: unknown): void;
}

/** Delivers the events of the webhooks that are open here: of each webhook one at a time, in order. */
export class WebhookPump {
	readonly #parts: PumpParts;
	readonly #open = new Map<number, Pumped>();
	readonly #underWay = new Set<Promise<void>>();
	#isClosing = false;

	constructor(parts: PumpParts) {
		this.#parts = parts;
	}

	/** The webhook has a plugin here; of two the last one counts. */
	add(webhook: number, request: WebhookRequest): void {
		const before = this.#open.get(webhook);
		const fresh = { request, dueAt: 0, isBusy: false, isPaused: false, isNew: true, isTold: false, wakes: 0 };
		if (before === undefined) this.#open.set(webhook, fresh);
		else Object.assign(before, { request, isPaused: false });
		this.run(webhook);
	}

	/** Gives up what is under delivery; it is delivered again once somebody has the webhook. */
	remove(webhook: number): void {
		this.#open.get(webhook)?.delivery?.abort(closed);
		this.#open.delete(webhook);
	}

	/** The plugin can be asked again. */
	wake(webhook: number): void {
		const pumped = this.#open.get(webhook);
		if (pumped === undefined) return;
		pumped.isPaused = false;
		pumped.wakes += 1;
		this.run(webhook);
	}

	/** Looks at all of them that something may be due for; at each one when others have written. */
	look(othersHaveWritten: boolean): void {
		const now = this.#parts.wall();
		for (const [webhook, { dueAt }] of this.#open) {
			const mayBeDue = dueAt !== Number.POSITIVE_INFINITY && isDue(dueAt, now, this.#parts.limits);
			if (othersHaveWritten || mayBeDue) this.run(webhook);
		}
	}

	/** Delivers the next event of a webhook, if there is one and nothing keeps it. */
	run(webhook: number): void {
		const pumped = this.#open.get(webhook);
		if (pumped === undefined || this.#isClosing || pumped.isBusy || pumped.isPaused) return;
		try {
			const taken = this.#parts.store.take(webhook);
			if ("held" in taken) return this.#waitFor(taken.held, webhook, pumped);
			Object.assign(pumped, { isNew: false, isTold: false });
			if ("dueAt" in taken) pumped.dueAt = taken.dueAt;
			else this.#start(webhook, pumped, taken.event);
		} catch (error) {
			pumped.dueAt = 0;
			this.#parts.problem(webhook, error);
		}
	}

	/** Another host may end without a word. Whoever waits for that is told: where this one has just come, or it is silent. */
	#waitFor({ endsMs }: Held, webhook: number, pumped: Pumped): void {
		const { store, limits } = this.#parts;
		const { request, isNew, isTold } = pumped;
		pumped.dueAt = 0;
		// Whoever is alive renews three times as often as it must.
		if (isTold || !(isNew || endsMs <= limits.leaseMs / 2)) return;
		pumped.isTold = true;
		const { pending } = store.counts(webhook);
		const seconds = Math.ceil((endsMs + settleMs) / 1_000);
		const what = `webhook "${request.key}": events wait (${pending}), since another process holds one`;
		request.inform(`${what}; if that process has ended, they are delivered in at most ${seconds} s`);
	}

	/** Delivers nothing more; resolves when what is under delivery has come to its end. */
	async close(): Promise<void> {
		this.#isClosing = true;
		for (const webhook of [...this.#open.keys()]) this.remove(webhook);
		await Promise.all(this.#underWay);
	}

	#start(webhook: number, pumped: Pumped, event: HeldEvent): void {
		pumped.isBusy = true;
		const delivery = this.#deliver(webhook, pumped, event).then(
			() => true,
			(error: unknown) => {
				this.#parts.problem(webhook, error);
				return false;
			},
		);
		const ended = delivery.then((isKept) => {
			this.#underWay.delete(ended);
			pumped.isBusy = false;
			pumped.dueAt = 0;
			// Where the file takes nothing, the same event would come at once again.
			if (isKept) this.run(webhook);
		});
		this.#underWay.add(ended);
	}

	async #deliver(webhook: number, pumped: Pumped, event: HeldEvent): Promise<void> {
		const { request } = pumped;
		const { id, body, headers, failures, receivedAt } = event;
		const lost = new AbortController();
		pumped.delivery = lost;
		const release = this.#hold(webhook, event, lost);
		const delivery = { id, body, headers, receivedAt: new Date(receivedAt), attempt: failures + 1 };
		const keep = await this.#hand(request, delivery, { pumped, event, lost: lost.signal });
		await this.#settle(webhook, keep, lost.signal);
		release();
	}

	/** Hands the event to the plugin. @returns what writes down what became of it */
	async #hand(
		request: WebhookRequest,
		delivery: WebhookDelivery,
		{ pumped, event, lost }: { pumped: Pumped; event: HeldEvent; lost: AbortSignal },
	): Promise<() => void> {
		const { store } = this.#parts;
		const { wakes } = pumped;
		try {
			await request.deliver(delivery, { signal: lost });
			return () => store.done(event);
		} catch (error) {
			if (lost.reason === closed) return () => store.release(event);
			if (lost.aborted) return () => {};
			if (!isBroodError(error, "plugin_not_ready")) return this.#failed(request, event, error);
			// The plugin may have become ready since it said that it was not.
			pumped.isPaused = pumped.wakes === wakes;
			return () => store.release(event);
		}
	}

	/** Tries until the file takes it: who has handled an event is not to get it again for a disk that is full for a while. */
	async #settle(webhook: number, keep: () => void, lost: AbortSignal): Promise<void> {
		for (;;) {
			try {
				return keep();
			} catch (error) {
				this.#parts.problem(webhook, error);
				if (lost.aborted) return;
				await this.#wait(lost);
			}
		}
	}

	#wait(lost: AbortSignal): Promise<void> {
		return new Promise((resolve) => {
			const cancel = this.#parts.clock.after(settleMs, () => {
				lost.removeEventListener("abort", given);
				resolve();
			});
			const given = () => {
				cancel();
				resolve();
			};
			lost.addEventListener("abort", given, { once: true });
		});
	}

	#failed({ key, problem }: WebhookRequest, event: HeldEvent, error: unknown): () => void {
		const { store, limits, wall, random } = this.#parts;
		const now = wall();
		const crashed = isBroodError(error, "plugin_exited");
		const after = afterFailure(event, { crashed, now, random: random() }, limits);
		const told = `webhook "${key}": event ${event.id} failed (attempt ${after.failures}): ${firstLine(messageOf(error))}`;
		if (after.next === "aside") problem(`${told}; it is put aside: ${after.reason}`);
		else problem(`${told}; it is delivered again in ${Math.ceil((after.dueAt - now) / 1_000)} s`);
		return () => store.failed(event, after);
	}

	/** Renews the hold on an event until it is let go; gives the delivery up when another host has taken it. */
	#hold(webhook: number, event: HeldEvent, lost: AbortController): () => void {
		const { store, clock, limits, problem } = this.#parts;
		let cancel = () => {};
		const renew = () => {
			try {
				const lease = store.renew(event);
				if (lease === undefined) return lost.abort(new Error("another host delivers the event"));
				event.lease = lease;
			} catch (error) {
				problem(webhook, error);
			}
			cancel = clock.after(limits.leaseMs / 3, renew);
		};
		cancel = clock.after(limits.leaseMs / 3, renew);
		return () => cancel();
	}
}

interface Pumped {
	request: WebhookRequest;
	/** When to look next; infinite where nothing waits. */
	dueAt: number;
	isBusy: boolean;
	/** Its plugin cannot be asked now. */
	isPaused: boolean;
	wakes: number;
	/** Nothing was taken yet. */
	isNew: boolean;
	/** It was told that another host holds an event, and still does. */
	isTold: boolean;
	/** Gives up the delivery that is under way, or was last. */
	delivery?: AbortController;
}

const closed = new Error("the webhook was closed");

// As often as one looks what others have written.
const settleMs = 500;

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
