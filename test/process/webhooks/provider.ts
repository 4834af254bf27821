import { afterEach, beforeEach } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../host/base/clock.ts";
import type {
	OpenWebhook,
	WebhookDelivery,
	WebhookRequest,
	WebhooksProvider,
} from "../../../host/contracts/webhooks.ts";
import { createLoopbackWebhooks, type LoopbackWebhooksOptions } from "../../../host/providers/webhooks/loopback.ts";
import { type Limits, limits } from "../../../runtime/limits.ts";

/** Time that passes when the test says so, for every provider of a test alike. */
export interface Time {
	readonly clock: Clock;
	wall(): number;
	/** Lets so many milliseconds pass, and runs what is due in them. */
	pass(ms: number): Promise<void>;
	/** Moves the clock of the wall alone. */
	shift(ms: number): void;
}

export function fakeTime(): Time {
	let now = 0;
	let wall = Date.parse("2026-06-01T00:00:00Z");
	const waiting = new Set<{ at: number; action: () => void }>();
	return {
		clock: {
			now: () => now,
			after(ms, action) {
				const entry = { at: now + ms, action };
				waiting.add(entry);
				return () => waiting.delete(entry);
			},
		},
		wall: () => wall,
		async pass(ms) {
			const end = now + ms;
			for (;;) {
				const next = [...waiting].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
				const at = next?.at ?? end;
				wall += at - now;
				now = at;
				if (next === undefined) break;
				waiting.delete(next);
				next.action();
				await Bun.sleep(0);
			}
			await Bun.sleep(0);
		},
		shift(ms) {
			wall += ms;
		},
	};
}

/** Providers over the file of one test; no plugin, no host. */
export interface ProviderBench {
	readonly time: Time;
	path(name: string): string;
	/** Another host of the same user. */
	provider(options?: LoopbackWebhooksOptions, bounds?: Partial<Limits["webhooks"]>): WebhooksProvider;
	/** Opens a webhook of plugin `plugin`; each of its events is kept in `seen`, and answered by `deliver`. */
	open(provider: WebhooksProvider, request?: Partial<WebhookRequest> & { plugin?: string }): Promise<Opened>;
}

export interface Opened extends OpenWebhook {
	seen: WebhookDelivery[];
	problems: string[];
	told: string[];
	/** Waits until so many events were seen. */
	sees(count: number): Promise<WebhookDelivery[]>;
}

/** Must be called at the top of a test file. */
export function createProviderBench(): ProviderBench {
	let root = "";
	let time = fakeTime();
	const open = new Set<OpenWebhook>();
	const bounds = new WeakMap<WebhooksProvider, Partial<Limits["webhooks"]>>();
	beforeEach(() => {
		root = realpathSync(mkdtempSync(join(tmpdir(), "brood-webhooks-")));
		time = fakeTime();
	});
	afterEach(async () => {
		await Promise.all([...open].map((webhook) => webhook.close()));
		open.clear();
		rmSync(root, { recursive: true, force: true });
	});
	return {
		get time() {
			return time;
		},
		path: (name) => join(root, name),
		provider(options = {}, own = {}) {
			const file = join(root, "state/webhooks.sqlite");
			const provider = createLoopbackWebhooks({ file, ...options }, { ...time, random: () => 0.5 });
			bounds.set(provider, own);
			return provider;
		},
		async open(provider, { plugin = "plugin", ...request } = {}) {
			const seen: WebhookDelivery[] = [];
			const problems: string[] = [];
			const told: string[] = [];
			const { signal } = new AbortController();
			const { deliver = async () => {} } = request;
			const webhook = await provider.open(
				{
					workspaceRoot: "/workspace",
					key: "key",
					headers: [],
					limits: { ...limits.webhooks, ...bounds.get(provider) },
					problem: (message) => problems.push(message),
					inform: (message) => told.push(message),
					...request,
					deliver(event, options) {
						seen.push(event);
						return deliver(event, options);
					},
				},
				{ plugin, signal },
			);
			open.add(webhook);
			const sees = async (count: number) => {
				for (let turns = 0; seen.length < count; turns += 1) {
					if (turns > 2_000) throw new Error(`${seen.length} of ${count} events were seen`);
					await Bun.sleep(1);
				}
				return seen;
			};
			const added = {
				seen: { value: seen },
				problems: { value: problems },
				told: { value: told },
				sees: { value: sees },
			};
			return Object.defineProperties(webhook, added) as Opened;
		},
	};
}

/** Deliveries that take until they are let go, or given up. */
export function slowWork(): { deliver: WebhookRequest["deliver"]; letGo(): void } {
	const { promise, resolve } = Promise.withResolvers<void>();
	const deliver: WebhookRequest["deliver"] = (_, { signal }) => {
		signal.addEventListener("abort", () => resolve(), { once: true });
		return promise;
	};
	return { deliver, letGo: resolve };
}
