import type { GuardKind } from "../runtime/protocol.ts";
import { readStream } from "../runtime/stream-reader.ts";
import { redirectConsole } from "./guard.ts";
import type { Ends } from "./line.ts";

/** Opens the socket that the host gave to this process as its wire; stdin and stdout have nothing to do with it. */
export function openSocket(): { ends: Ends; guard: GuardKind } {
	// The others have forms of their own, which stdout shows as well.
	redirectConsole(["log", "info", "debug"]);
	// Not a socket of the event loop, for which that wakes up every second even when nothing happens.
	const socket = Bun.file(socketDescriptor);
	const ends = { reader: readStream(socket.stream()), sink: socket.writer(), descriptor: socketDescriptor };
	return { ends, guard: "socket" };
}

const socketDescriptor = 3;
