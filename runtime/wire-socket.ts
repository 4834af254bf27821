import type { ByteWire, WireListener } from "./wire.ts";

// Bun takes a descriptor here as documented for FdSocketOptions; its types leave that form of the call out.
declare module "bun" {
	function connect(options: { fd: number; socket: SocketHandler<undefined, "uint8array"> }): Promise<Socket>;
}

/**
 * A wire over a connected socket, which it owns from now on. One that is not held lets this program end by itself.
 * What is no socket closes as it is opened.
 */
export function socketWire(fd: number, isHeld = true): ByteWire {
	let isOpen = false;
	let listener: WireListener | undefined;
	let socket: Bun.Socket<undefined> | undefined;

	function connect(): void {
		isOpen = true;
		// It calls `open` or `connectError` before it comes back.
		void connectTo({ fd, socket: handlers });
	}

	function closed(_: unknown, error?: object): void {
		const told = listener;
		listener = socket = undefined;
		// A side that ends before it has read everything resets; all that it said was heard.
		told?.closed(error && "code" in error && error.code === "ECONNRESET" ? undefined : error);
	}

	const handlers: Bun.SocketHandler<undefined, "uint8array"> = {
		binaryType: "uint8array",
		open(opened) {
			socket = opened;
			if (!isHeld) opened.unref();
		},
		data: (_, bytes) => listener?.data(bytes),
		drain: () => listener?.drained(),
		close: closed,
		connectError: closed,
	};

	return {
		open(next) {
			listener = next;
			if (!isOpen) connect();
		},
		// Less than nothing means that the other side is gone, which `closed` tells.
		write: (bytes) => Math.max(0, socket?.write(bytes) ?? 0),
		pause: () => socket?.pause(),
		resume: () => socket?.resume(),
		end() {
			listener = undefined;
			if (!isOpen) connect();
			socket?.end();
		},
	};
}

// Kept, since a plugin may replace it.
const { connect: connectTo } = Bun;
