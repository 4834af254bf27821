import { isBroodError, messageOf } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import type { Clock } from "../../base/clock.ts";
import type { WebhookRequest } from "../../contracts/webhooks.ts";
import { afterFailure, isDue } from "./decisions.ts";
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
		if (before === undefined) this.#open.set(webhook, { request, dueAt: 0, isBusy: false, isPaused: false, wakes: 0 });
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
			// Another host may end without a word.
			if ("held" in taken) pumped.dueAt = 0;
			else if ("dueAt" in taken) pumped.dueAt = taken.dueAt;
			else this.#start(webhook, pumped, taken.event);
		} catch (error) {
			pumped.dueAt = 0;
			this.#parts.problem(webhook, error);
		}
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
		const { store } = this.#parts;
		const { request, wakes } = pumped;
		const { id, body, headers, failures, receivedAt } = event;
		const lost = new AbortController();
		pumped.delivery = lost;
		const release = this.#hold(webhook, event, lost);
		const delivery = { id, body, headers, receivedAt: new Date(receivedAt), attempt: failures + 1 };
		try {
			await request.deliver(delivery, { signal: lost.signal });
			release();
			store.done(event);
		} catch (error) {
			release();
			if (lost.signal.reason === closed) store.release(event);
			else if (lost.signal.aborted) return;
			else if (isBroodError(error, "plugin_not_ready")) {
				// The plugin may have become ready since it said that it was not.
				pumped.isPaused = pumped.wakes === wakes;
				store.release(event);
			} else this.#failed(request, event, error);
		}
	}

	#failed({ key, problem }: WebhookRequest, event: HeldEvent, error: unknown): void {
		const { store, limits, wall, random } = this.#parts;
		const now = wall();
		const crashed = isBroodError(error, "plugin_exited");
		const after = afterFailure(event, { crashed, now, random: random() }, limits);
		store.failed(event, after);
		const told = `webhook "${key}": event ${event.id} failed (attempt ${after.failures}): ${firstLine(messageOf(error))}`;
		if (after.next === "aside") problem(`${told}; it is put aside: ${after.reason}`);
		else problem(`${told}; it is delivered again in ${Math.ceil((after.dueAt - now) / 1_000)} s`);
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
	/** Gives up the delivery that is under way, or was last. */
	delivery?: AbortController;
}

const closed = new Error("the webhook was closed");

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
