import type { ByteChannel } from "../runtime/channel.ts";

/** So long may a host that is busy take to read what was sent before an exit; one that does not read at all loses it. */
const leaveMsMax = 2_000;

/**
 * Lets all that was sent leave before this process exits, for a plugin that calls `process.exit` in the middle of its
 * answers. That call does not come back, so this blocks.
 */
export function leaveInFull(channel: ByteChannel): void {
	for (const end = performance.now() + leaveMsMax; !channel.handOver() && performance.now() < end; ) sleep(1);
}

// Kept, since a plugin may replace it.
const { sleepSync: sleep } = Bun;
