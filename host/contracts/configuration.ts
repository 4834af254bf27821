import type { JsonObject } from "../../runtime/records.ts";
import type { AskContext } from "./ask-context.ts";

/**
 * Settings of the workspace and the user. What is left out beside `get` rejects with `provider_missing` where a plugin
 * calls it. Each answer has `limits.configuration.answerMs`.
 */
export interface ConfigurationProvider {
	/** All layers merged. @throws BroodError `invalid_settings` with file, line and column */
	get(context: AskContext): Promise<JsonObject>;
	/** Sets these top-level keys of one layer, and leaves its others. @throws BroodError `invalid_settings` */
	update?(partial: JsonObject, target: ConfigurationTarget, context: AskContext): Promise<void>;
	/** Removes a top-level key from one layer; one that is not there is no error. @throws BroodError `invalid_settings` */
	delete?(key: string, target: ConfigurationTarget, context: AskContext): Promise<void>;
	/**
	 * Tells of each change until the subscription ends, which it does with the plugin's interest or its process. Values
	 * that equal the one before may be told; what the settings are at first is asked by `get`.
	 */
	subscribe?(listener: ConfigurationListener, context: AskContext): Subscription | Promise<Subscription>;
}

/** The layer that is changed: the settings of the workspace, or those of the user. */
export type ConfigurationTarget = "workspace" | "global";

export interface ConfigurationListener {
	/** All layers merged, as they are now. */
	next(settings: JsonObject): void;
	/** The settings cannot be read now; the plugin keeps the last ones, and its log tells why. */
	error(reason: unknown): void;
}

interface Subscription {
	unsubscribe(): void;
}
