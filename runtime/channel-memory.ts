import type { Channel, ChannelListener } from "./channel.ts";
import { type BroodError, failure, messageOf } from "./errors.ts";

/** One end of an in-memory pair, before somebody listens. */
export type MemoryEnd = (listener: ChannelListener) => Channel;

/**
 * Two linked channels in one process. Messages are copied through JSON, so that each side sees exactly
 * what the wire would have carried, and arrive in a later microtask, as they would from a process.
 */
export function memoryChannels(): [MemoryEnd, MemoryEnd] {
	const listeners: [ChannelListener?, ChannelListener?] = [];
	let closed: BroodError | undefined;

	function close(reason: BroodError): void {
		if (closed !== undefined) return;
		closed = reason;
		for (const listener of listeners) queueMicrotask(() => listener?.closed(reason));
	}

	function end(own: 0 | 1, other: 0 | 1): MemoryEnd {
		return (listener) => {
			listeners[own] = listener;
			return {
				send(message) {
					if (closed !== undefined) throw closed;
					const text = stringify(message);
					const bytes = Buffer.byteLength(text);
					listener.sent(message, bytes);
					queueMicrotask(() => {
						if (closed === undefined) listeners[other]?.message(JSON.parse(text), bytes);
					});
				},
				flush: () => Promise.resolve(),
				close,
			};
		};
	}
	return [end(0, 1), end(1, 0)];
}

function stringify(message: unknown): string {
	try {
		const text: string | undefined = JSON.stringify(message);
		if (text === undefined) throw new TypeError(`${typeof message} has no JSON form`);
		return text;
	} catch (error) {
		throw failure("not_serializable", { subject: "A value", reason: messageOf(error), cause: error });
	}
}
