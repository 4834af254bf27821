import { constants, fstatSync, openSync } from "node:fs";

declare module "bun" {
	/** Bun takes a descriptor; its types do not say so. */
	function connect(options: FdSocketOptions & { allowHalfOpen: true }): Promise<Socket>;
}

/**
 * Resolves when whoever reads stdout has left it, where that is a pipe or a socket: at once, also while nothing is written.
 * A socket is closed by then, so that nothing may be written any more.
 */
export async function readerLeft(): Promise<void> {
	const left = Promise.withResolvers<void>();
	const fd = watchable();
	if (fd === undefined) return left.promise;
	const ignore = () => {};
	// One that only says no more, as a socket may, still reads.
	const socket = { data: ignore, end: ignore, error: ignore, close: () => left.resolve() };
	try {
		await Bun.connect({ fd, allowHalfOpen: true, socket });
	} catch {
		// The next line that is written tells it.
	}
	return left.promise;
}

/** A descriptor by which that is heard; undefined for a file, a terminal or another device. */
function watchable(): number | undefined {
	try {
		const facts = fstatSync(1);
		if (facts.isSocket()) return 1;
		// One of its own: whoever shares the pipe, such as stderr, is not to find it non-blocking or closed.
		return facts.isFIFO() ? openSync("/dev/fd/1", constants.O_WRONLY | constants.O_NONBLOCK) : undefined;
	} catch {
		return undefined;
	}
}
