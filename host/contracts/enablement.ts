import type { PluginKey } from "../spec.ts";

/**
 * Keeps beyond one host which plugins were switched on and off. Plugins that `plugins` names are not asked about: a path
 * that is given always runs.
 */
export interface EnablementStore {
	/**
	 * Whether each of these was switched on, or off, in their order; `undefined` for one that was not, and amp plugins are
	 * then on. When it rejects none of them starts: each is `disabled`, with the reason as its error.
	 */
	read(plugins: readonly PluginKey[]): Promise<readonly (boolean | undefined)[]>;
	/** Keeps that these are on, or off: all of them, or none when it rejects. */
	write(plugins: readonly PluginKey[], enabled: boolean): Promise<void>;
}
