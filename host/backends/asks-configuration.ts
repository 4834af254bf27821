import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Peer } from "../../runtime/peer.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { Allowance } from "../base/allowance.ts";
import { type ProviderCall, wrongAnswer } from "../base/provider-failure.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { ConfigurationListener } from "../contracts/configuration.ts";
import type { ConfigurationService } from "../contracts/services.ts";
import { askProvider } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskConfigurationParts {
	configuration: ConfigurationService;
	peer: Pick<Peer, "notify" | "flush">;
	/** What may be spent on the plugin in each second; what it hears counts as well as what it asks. */
	asking: Allowance;
	limits: Limits["configuration"];
	problem(message: string): void;
}

/** Answers what a plugin asks of its settings, and tells it of changes as long as it subscribes. */
export function createAskConfiguration({ configuration, peer, asking, limits, problem }: AskConfigurationParts) {
	const { spend } = asking;
	const feed = createFeed(peer, asking, limits.subscriptionsMax);
	const ask = <Answer>(name: string, context: AskContext, question: (context: AskContext) => Promise<Answer>) =>
		askProvider({ ...callOf(name, context), context, ms: limits.answerMs, problem }, question);
	const get = (context: AskContext) =>
		ask("get", context, async (within) => checked(await configuration.get(within, spend), callOf("get", context)));

	return {
		get: (_: unknown, context: AskContext): Promise<JsonObject> => get(context),
		async update(params: unknown, context: AskContext): Promise<Empty> {
			const { partial, target } = await parseParams("configuration.update", params);
			const { update } = configuration;
			if (update === undefined) throw missing("configuration.update", context);
			await ask("update", context, (within) => update(partial, target, within, spend));
			return {};
		},
		async delete(params: unknown, context: AskContext): Promise<Empty> {
			const { key, target } = await parseParams("configuration.delete", params);
			const remove = configuration.delete;
			if (remove === undefined) throw missing("configuration.delete", context);
			await ask("delete", context, (within) => remove(key, target, within, spend));
			return {};
		},
		/** Goes on until the plugin gives it up or its process has ended; has no answer but an error. */
		async subscribe(_: unknown, context: AskContext): Promise<never> {
			const { subscribe } = configuration;
			if (subscribe === undefined) throw missing("configuration.subscribe", context);
			const listener = feed.open(callOf("subscribe", context), (reason) =>
				problem(`its settings cannot be told: ${messageOf(reason)}`),
			);
			const opening = Promise.resolve().then(async () =>
				checkedSubscription(await subscribe(listener, context), callOf("subscribe", context)),
			);
			try {
				await ask("subscribe", context, () => opening);
				get(context).then(listener.first, listener.error);
				return await aborted(context.signal);
			} finally {
				listener.close();
				// It may open when nobody waits for it any more.
				opening.then((opened) => opened.unsubscribe()).catch(() => {});
			}
		},
	};
}

type Empty = Record<string, never>;

interface FeedListener extends ConfigurationListener {
	/** Hears what the settings were when they were asked for, unless something newer was told. */
	first(settings: JsonObject): void;
	close(): void;
}

/** Tells one child of its settings: what it has been told already not again, and of many at once the last. */
function createFeed(peer: AskConfigurationParts["peer"], asking: Allowance, listenersMax: number) {
	let told: JsonObject | undefined;
	let open = 0;
	let isWaiting = false;

	function sendAfter(wait: Promise<unknown>): void {
		isWaiting = true;
		void wait.then(() => {
			isWaiting = false;
			if (open > 0) send();
		});
	}

	function send(): void {
		if (isWaiting) return;
		const wait = asking.left();
		if (wait !== undefined) return sendAfter(wait);
		const dropped = () => sendAfter(peer.flush());
		asking.spend(() => peer.notify("configuration.change", { settings: told }, dropped));
	}

	return {
		open(call: ProviderCall, problem: (reason: unknown) => void): FeedListener {
			if (open >= listenersMax)
				throw failure("busy", { subject: "configuration.subscribe", reason: tooMany(listenersMax) });
			open += 1;
			let state: "new" | "told" | "closed" = "new";
			const tell = (settings: JsonObject, always: boolean) => {
				if (state === "closed") return;
				state = "told";
				try {
					// A provider may change its object later.
					const copy = structuredClone(checked(settings, call));
					if (!always && told !== undefined && Bun.deepEquals(told, copy, true)) return;
					told = copy;
					send();
				} catch (reason) {
					problem(reason);
				}
			};
			return {
				next: (settings) => tell(settings, false),
				error: (reason) => state !== "closed" && problem(reason),
				first: (settings) => state === "new" && tell(settings, true),
				close() {
					if (state !== "closed") open -= 1;
					state = "closed";
				},
			};
		},
	};
}

const tooMany = (max: number) => `it has ${max} subscriptions already, and one tells it all`;

/** A question to the provider, as errors name it. */
function callOf(member: string, { plugin }: AskContext) {
	return { provider: "configuration", subject: `configuration.${member}`, plugin } as const;
}

function checked(settings: unknown, call: ProviderCall): JsonObject {
	if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings as JsonObject;
	const type = settings === null ? "null" : Array.isArray(settings) ? "an array" : typeof settings;
	throw wrongAnswer(call, `settings are an object, not ${type}`);
}

function checkedSubscription(given: unknown, call: ProviderCall): { unsubscribe(): void } {
	const { unsubscribe } = Object(given);
	if (typeof unsubscribe === "function") return given as { unsubscribe(): void };
	throw wrongAnswer(call, "subscribe gives an object with unsubscribe");
}

function missing(subject: string, { plugin }: AskContext): Error {
	const hint = `The host can pass providers.configuration with ${subject.split(".")[1]} to createHost.`;
	return failure("provider_missing", { plugin, subject, hint });
}

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(signal.reason);
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}
