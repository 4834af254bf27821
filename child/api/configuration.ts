import { failure, messageOf } from "../../runtime/errors.ts";
import type { ConfigurationChange } from "../../runtime/protocol-providers.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Observer } from "../types/common.ts";
import type { Configuration } from "../types/plugin-api.ts";
import { createObservable } from "./observable.ts";

export interface ConfigurationParts {
	ask: Ask;
	/** Hears notifications of the host. */
	listen(name: "configuration.change", listener: (params: unknown) => void): void;
	log(level: "error", message: string): void;
}

/** The settings of workspace and user. The host watches them as long as somebody here subscribes. */
export function createConfiguration({ ask, listen, log }: ConfigurationParts): Configuration {
	const observers = new Set<Observer<Record<string, unknown>>>();
	let current: JsonObject | undefined;
	let subscribing: AbortController | undefined;

	function tell(observer: Observer<Record<string, unknown>>, settings: JsonObject): void {
		if (!observers.has(observer)) return;
		try {
			// What one of them does to its copy is no change of the settings.
			observer.next?.(structuredClone(settings));
		} catch (error) {
			log("error", `an observer of amp.configuration failed: ${messageOf(error)}`);
		}
	}

	function fail(error: unknown): void {
		const unheard = [...observers].filter((observer) => observer.error === undefined);
		for (const observer of observers) observer.error?.(error);
		observers.clear();
		end();
		// Without a listener for errors the rejection stays visible in the plugin's log.
		if (unheard.length > 0) void Promise.reject(error);
	}

	function begin(): void {
		const controller = new AbortController();
		subscribing = controller;
		ask("configuration.subscribe", {}, { signal: controller.signal }).catch((error: unknown) => {
			if (subscribing === controller) fail(error);
		});
	}

	function end(): void {
		subscribing?.abort();
		subscribing = undefined;
		current = undefined;
	}

	listen("configuration.change", (params) => {
		const { settings } = params as ConfigurationChange;
		// It may have left the host before that heard of the end.
		if (subscribing === undefined) return;
		current = settings;
		for (const observer of [...observers]) tell(observer, settings);
	});

	const values = createObservable<Record<string, unknown>>((observer) => {
		observers.add(observer);
		if (subscribing === undefined) begin();
		else if (current !== undefined) queueMicrotask(() => current !== undefined && tell(observer, current));
		return () => {
			if (observers.delete(observer) && observers.size === 0) end();
		};
	});
	return {
		...values,
		get: <Settings>() => ask("configuration.get", {}) as Promise<Settings>,
		async update(partial, target = "workspace") {
			await ask("configuration.update", { partial: copyOf(partial), target });
		},
		async delete(key, target = "workspace") {
			await ask("configuration.delete", { key, target });
		},
	};
}

function copyOf(partial: unknown): JsonObject {
	try {
		return carried(partial);
	} catch (error) {
		throw apiRejection(error, "configuration.update");
	}
}

const subject = "amp.configuration.update";

/** A copy as JSON carries it. @throws BroodError `invalid_params`, or `not_serializable` with the place of the value */
function carried(partial: unknown): JsonObject {
	if (typeof partial !== "object" || partial === null || Array.isArray(partial)) {
		throw failure("invalid_params", { subject, reason: "it takes an object of settings" });
	}
	const removed = Object.entries(partial).find(([, value]) => value === undefined);
	if (removed !== undefined) {
		const hint = "To remove a setting call amp.configuration.delete.";
		throw failure("not_serializable", { subject, reason: `"${removed[0]}" is undefined`, hint });
	}
	try {
		return JSON.parse(JSON.stringify(partial, refuseLoss));
	} catch (error) {
		throw failure("not_serializable", { subject, reason: messageOf(error) });
	}
}

/** Refuses what JSON would leave out or turn into something else. */
function refuseLoss(key: string, value: unknown): unknown {
	const isLost =
		["bigint", "function", "symbol"].includes(typeof value) ||
		(typeof value === "number" && !Number.isFinite(value)) ||
		value instanceof Map ||
		value instanceof Set ||
		ArrayBuffer.isView(value);
	if (!isLost) return value;
	const type = typeof value === "object" ? `a ${Object.getPrototypeOf(value).constructor.name}` : String(typeof value);
	throw new TypeError(`"${key}" is ${typeof value === "number" ? String(value) : type}`);
}
