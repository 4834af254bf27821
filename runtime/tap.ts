import { limits } from "./limits.ts";
import type { Frame } from "./peer.ts";

/** One message as a tap recorded it. */
export interface TapFrame {
	direction: "in" | "out";
	kind: "call" | "result" | "error" | "notification" | "invalid";
	/** Of a call or notification, and of the call that an answer belongs to. */
	method?: string;
	id?: number | string;
	bytes: number;
	/** Milliseconds since the tap began. */
	ms: number;
	/** The message, with secret input taken out. */
	message: unknown;
}

/** Watches a peer without touching it. */
export interface Tap {
	/** Give it to a peer as its `observe`. */
	observe(frame: Frame): void;
	/** The last frames, oldest first. */
	frames(): TapFrame[];
	/** Messages and bytes of both directions since the beginning. */
	totals(): { messages: number; bytes: number };
}

/** Makes a tap that keeps the last frames and never an answer to a secret input. */
export function createTap(
	options: { framesMax?: number; now?: () => number; each?: (frame: TapFrame) => void } = {},
): Tap {
	const { framesMax = limits.text.tapFramesMax, now = () => performance.now(), each } = options;
	const begin = now();
	const ring: TapFrame[] = [];
	const calls: Calls = { methods: new Map(), secrets: new Set() };
	let messages = 0;
	let bytes = 0;

	return {
		observe(frame) {
			const record = describe(frame, calls, now() - begin);
			messages += 1;
			bytes += frame.bytes;
			ring.push(record);
			if (ring.length > framesMax) ring.shift();
			each?.(record);
		},
		frames: () => [...ring],
		totals: () => ({ messages, bytes }),
	};
}

/** What is remembered of calls until their answer, by direction and id. */
interface Calls {
	methods: Map<string, string>;
	/** Apart, since a refused second call of the same id must not end a secret. */
	secrets: Set<string>;
}

function describe({ direction, message, bytes }: Frame, { methods, secrets }: Calls, ms: number): TapFrame {
	const base = { direction, bytes, ms, message };
	if (typeof message !== "object" || message === null) return { ...base, kind: "invalid" };
	const { id, method, params } = message as Record<string, unknown>;
	const knownId = typeof id === "string" || typeof id === "number" ? { id } : {};
	if (typeof method === "string") {
		if (id === undefined) return { ...base, kind: "notification", method };
		const key = keyOf(direction, id);
		methods.set(key, method);
		if (isSecret(method, params)) secrets.add(key);
		return { ...base, ...knownId, kind: "call", method };
	}
	// An answer travels against its call.
	const key = keyOf(direction === "in" ? "out" : "in", id);
	const asked = methods.get(key);
	methods.delete(key);
	const named = asked === undefined ? {} : { method: asked };
	const hasResult = Object.hasOwn(message, "result");
	const shown = hasResult && secrets.delete(key) ? { ...message, result: "[secret]" } : message;
	if (Object.hasOwn(message, "error")) return { ...base, ...knownId, ...named, kind: "error", message: shown };
	if (!hasResult) return { ...base, kind: "invalid" };
	return { ...base, ...knownId, ...named, kind: "result", message: shown };
}

/** The type of the id counts, and an id may be anything that a foreign side sends. */
function keyOf(direction: Frame["direction"], id: unknown): string {
	return `${direction} ${JSON.stringify(id)}`;
}

function isSecret(method: string, params: unknown): boolean {
	return method === "ui.input" && (params as { secret?: unknown } | null | undefined)?.secret === true;
}
