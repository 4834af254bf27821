import { limits } from "../../runtime/limits.ts";

/**
 * Decides whether a plugin that crashed after it was ready starts again.
 *
 * @param launches launches so far, the first included (at least 1)
 * @returns milliseconds to wait before the next launch, or `null` when the budget is spent
 */
export function restartDelayMs(
	launches: number,
	policy: { retriesMax: number; delaysMs: readonly number[] } = limits.restart,
): number | null {
	const retry = launches - 1;
	if (retry >= policy.retriesMax) return null;
	// The last wait repeats, so that a longer budget needs no longer table.
	return policy.delaysMs[Math.min(retry, policy.delaysMs.length - 1)] ?? null;
}

/**
 * The launches that count when a plugin crashes: one that served long enough is taken for one that starts anew.
 *
 * @param servedMs milliseconds between its publication and the crash
 */
export function launchesThatCount(
	launches: number,
	servedMs: number,
	{ stableAfterMs }: { stableAfterMs: number } = limits.restart,
): number {
	return servedMs >= stableAfterMs ? 1 : launches;
}
