import type { ByteChannel, ByteSink } from "../runtime/channel.ts";

/** So long may a host that is busy take to read what was sent before an exit; one that does not read at all loses it. */
const leaveMsMax = 2_000;

/**
 * Lets all that was sent leave before this process exits, for a plugin that calls `process.exit` in the middle of its
 * answers. That call does not come back, so this blocks.
 */
export function leaveInFull(channel: ByteChannel, sink: ByteSink): void {
	try {
		channel.handOver();
		for (const end = performance.now() + leaveMsMax; sink.flush() instanceof Promise; ) {
			if (performance.now() > end) return;
			sleep(1);
			// Only a write makes the sink try again; a blank line says nothing.
			sink.write(blankLine);
		}
	} catch {
		// The host is gone; there is nobody to tell.
	}
}

// Kept, since a plugin may replace them.
const { sleepSync: sleep } = Bun;
const blankLine = new Uint8Array([0x0a]);
