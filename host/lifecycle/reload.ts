/** One reload under way. */
export interface Reload {
	/**
	 * Resolves when what it has loaded serves; with a newer reload, where its load was given up for that.
	 *
	 * @throws BroodError when it does not load; an old instance that ran serves on
	 */
	readonly ended: Promise<Reload | undefined>;
	/** Resolves when its load takes longer than one of this plugin should, so that a newer reload need not wait for it. */
	readonly overlong: Promise<void>;
}
