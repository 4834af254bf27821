/** Who asks, and until when. */
export interface AskContext {
	/** Name of the plugin. */
	plugin: string;
	/** Aborts when nobody waits for the answer any more: the plugin went away, its call was cancelled, the host stops. */
	signal: AbortSignal;
}
