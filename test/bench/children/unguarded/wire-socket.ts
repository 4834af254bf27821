/** Takes the place of runtime/wire-socket.ts in a child of the bench alone: what the plugin prints would land on the wire. */
import type { socketWire as original } from "../../../../runtime/wire-socket.ts";
import { streamWire } from "../../../../runtime/wire-stream.ts";

export const socketWire: typeof original = () => streamWire(Bun.stdin.stream(), Bun.stdout.writer());
