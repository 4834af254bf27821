import { dlopen } from "bun:ffi";

/** A way for the output of a child that, unlike a pipe of Bun's own, can be read without holding this program open. */
export interface OutputSocket {
	/** The descriptor that the child writes to. */
	readonly childEnd: number;
	/** To be called once the child has its own copy, or is not going to have one. */
	closeChildEnd(): void;
	/** What the child writes; ends when nobody can write any more. */
	readonly readable: ReadableStream<Uint8Array>;
	/** Whether this program stays open for it; yes at first. */
	hold(held: boolean): void;
}

/** Opens one, or gives nothing where this is not to be had; a pipe of Bun's own has to do then. */
export function openOutputSocket(): OutputSocket | undefined {
	const pair = socketPair();
	if (pair === undefined) return undefined;
	const [ownEnd, childEnd] = pair;
	let socket: Bun.Socket | undefined;
	let isHeld = true;
	let isOpen = true;
	const hold = () => (isHeld ? socket?.ref() : socket?.unref());

	const readable = new ReadableStream<Uint8Array>(
		{
			async start(controller) {
				const end = () => {
					if (isOpen) controller.close();
					isOpen = false;
				};
				socket = await connect(ownEnd, {
					binaryType: "uint8array",
					data(from, chunk: Uint8Array) {
						if (!isOpen) return;
						controller.enqueue(chunk);
						if ((controller.desiredSize ?? 0) <= 0) from.pause();
					},
					end,
					close: end,
					error: end,
				});
				hold();
			},
			pull: () => void socket?.resume(),
			cancel() {
				isOpen = false;
				socket?.terminate();
			},
		},
		new ByteLengthQueuingStrategy({ highWaterMark: queuedBytesMax }),
	);

	return {
		childEnd,
		closeChildEnd: () => void library()?.close(childEnd),
		readable,
		hold(held) {
			isHeld = held;
			hold();
		},
	};
}

// Past this the child waits until the host has caught up.
const queuedBytesMax = 1024 * 1024;

/** The types of Bun know sockets of descriptors, but not that they can be connected. */
function connect(fd: number, socket: Bun.SocketHandler): Promise<Bun.Socket> {
	const options: Bun.FdSocketOptions = { fd, socket };
	return Bun.connect(options as Bun.FdSocketOptions & Bun.UnixSocketOptions);
}

// From the C headers; the first two are the same everywhere.
const unixFamily = 1;
const streamType = 1;
const closeOnExec = process.platform === "darwin" ? 0x20006601 : 0x5451;

function socketPair(): [number, number] | undefined {
	const ends = new Int32Array(2);
	const calls = library();
	if (calls === undefined || calls.socketpair(unixFamily, streamType, 0, ends) !== 0) return undefined;
	const [ownEnd, childEnd] = ends;
	if (ownEnd === undefined || childEnd === undefined) return undefined;
	for (const end of [ownEnd, childEnd]) calls.ioctl(end, closeOnExec);
	return [ownEnd, childEnd];
}

function load() {
	for (const name of process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", "libc.so"]) {
		try {
			return dlopen(name, {
				socketpair: { args: ["i32", "i32", "i32", "ptr"], returns: "i32" },
				// With a third argument it would be called in another way on some platforms.
				ioctl: { args: ["i32", "u64"], returns: "i32" },
				close: { args: ["i32"], returns: "i32" },
			}).symbols;
		} catch {
			// Not this library; the next one, or none.
		}
	}
	return undefined;
}

let loaded: { calls: ReturnType<typeof load> } | undefined;

function library() {
	loaded ??= { calls: load() };
	return loaded.calls;
}
