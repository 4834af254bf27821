import type { AskContext } from "./ask-context.ts";

/** Where the plugins of this host run, for whoever has to keep that machine awake. */
export interface ExecutorProvider {
	/** Told to plugins as they start. `local`: the person's own machine, which nobody has to keep alive. */
	readonly kind: "local" | "remote" | "unknown";
	/**
	 * Keeps the executor alive until what this gives is unsubscribed: by the plugin, or by brood once the plugin's process
	 * has ended, in whatever way. A plugin may ask several times; each stands by itself. What it rejects with reaches the
	 * plugin, and so does `provider_missing` where this is left out, which is right wherever nothing ends by being idle. An
	 * answer has `limits.executor.answerMs`; one that comes later, or for a process that has ended, is unsubscribed at once.
	 */
	keepAlive?(context: AskContext): KeptAlive | Promise<KeptAlive>;
}

/** Undoes one `keepAlive`; called once. What it throws, or rejects with, stands in the log of the plugin. */
export interface KeptAlive {
	unsubscribe(): void | Promise<void>;
}
