import { limits } from "./limits.ts";
import type { Frame } from "./peer.ts";
import { createRedactor, type Redactor, secretMark } from "./redact.ts";

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
	/** The message with secrets as `[secret]`; a text about its size in its place when it is larger than all that is kept. */
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

export interface TapOptions {
	/** How many frames are kept at most. */
	framesMax?: number;
	/** How many bytes of messages they hold together at most. */
	bytesMax?: number;
	/** A clock in milliseconds. */
	now?: () => number;
	/** Hears each frame as it comes. */
	each?: (frame: TapFrame) => void;
}

/** Makes a tap that keeps the last frames, and of a secret input neither the answer nor what was proposed as one. */
export function createTap(options: TapOptions = {}): Tap {
	const { framesMax = limits.text.tapFramesMax, bytesMax = limits.text.tapBytesMax } = options;
	const { now = () => performance.now(), each } = options;
	const begin = now();
	const ring: TapFrame[] = [];
	const methods: Methods = new Map();
	const withheld = withholdSecrets(createRedactor());
	let messages = 0;
	let bytes = 0;
	let keptBytes = 0;

	function keep(record: TapFrame): void {
		const isLarge = record.bytes > bytesMax;
		ring.push(isLarge ? { ...record, message: `[${record.bytes} bytes, which are not kept]` } : record);
		keptBytes += isLarge ? 0 : record.bytes;
		while (ring.length > framesMax || keptBytes > bytesMax) {
			const dropped = ring.shift();
			if (dropped === undefined) return;
			keptBytes -= dropped.bytes > bytesMax ? 0 : dropped.bytes;
		}
	}

	return {
		observe(frame) {
			const record = describe(withheld(frame), methods, now() - begin);
			messages += 1;
			bytes += frame.bytes;
			keep(record);
			each?.(record);
		},
		frames: () => [...ring],
		totals: () => ({ messages, bytes }),
	};
}

/**
 * Takes secrets out of frames: the answer to a secret input, what was proposed as one, and whatever else the redactor
 * knows. It learns from the frames that it sees; the messages themselves stay as they are.
 */
export function withholdSecrets(redactor: Redactor): (frame: Frame) => Frame {
	// Apart from other calls, since a refused second call of the same id must not end a secret.
	const asked = new Set<string>();

	return (frame) => {
		const { direction, message } = frame;
		if (typeof message !== "object" || message === null) return frame;
		const { id, method, params } = message as Record<string, unknown>;
		if (typeof method === "string") {
			if (method === "log") return { ...frame, message: redactor.value(withoutHalf(message, params, redactor)) };
			if (!isSecret(method, params)) return { ...frame, message: redactor.value(message) };
			if (id !== undefined) asked.add(keyOf(direction, id));
			return { ...frame, message: withoutProposal(message, params, redactor) };
		}
		if (!Object.hasOwn(message, "result") || !asked.delete(calledKey(direction, id))) {
			return { ...frame, message: redactor.value(message) };
		}
		const { result, ...rest } = message as Record<string, unknown>;
		learn(redactor, (result as { value?: unknown } | null)?.value);
		const shown = redactor.value(rest);
		return { ...frame, message: { ...(typeof shown === "object" ? shown : {}), result: secretMark } };
	};
}

/** Methods of calls until their answer, by direction and id. */
type Methods = Map<string, string>;

function describe({ direction, message, bytes }: Frame, methods: Methods, ms: number): TapFrame {
	const base = { direction, bytes, ms, message };
	if (typeof message !== "object" || message === null) return { ...base, kind: "invalid" };
	const { id, method } = message as Record<string, unknown>;
	const knownId = typeof id === "string" || typeof id === "number" ? { id } : {};
	if (typeof method === "string") {
		if (id === undefined) return { ...base, kind: "notification", method };
		methods.set(keyOf(direction, id), method);
		return { ...base, ...knownId, kind: "call", method };
	}
	const key = calledKey(direction, id);
	const asked = methods.get(key);
	methods.delete(key);
	const named = asked === undefined ? {} : { method: asked };
	if (Object.hasOwn(message, "error")) return { ...base, ...knownId, ...named, kind: "error" };
	if (!Object.hasOwn(message, "result")) return { ...base, kind: "invalid" };
	return { ...base, ...knownId, ...named, kind: "result" };
}

/** A child cuts what it logs, and a secret with it. */
function withoutHalf(message: object, params: unknown, redactor: Redactor): object {
	const text = (params as { message?: unknown } | null | undefined)?.message;
	if (typeof text !== "string" || text.length < limits.text.logLineBytesMax) return message;
	return { ...message, params: { ...(params as object), message: redactor.text(text, { end: true }) } };
}

function withoutProposal(message: object, params: unknown, redactor: Redactor): unknown {
	const { initialValue, ...rest } = params as Record<string, unknown>;
	learn(redactor, initialValue);
	const proposal = initialValue === undefined ? {} : { initialValue: secretMark };
	return redactor.value({ ...message, params: { ...rest, ...proposal } });
}

function learn(redactor: Redactor, secret: unknown): void {
	if (typeof secret === "string") redactor.learn(secret);
}

/** The type of the id counts, and an id may be anything that a foreign side sends. */
function keyOf(direction: Frame["direction"], id: unknown): string {
	return `${direction} ${JSON.stringify(id)}`;
}

/** The key of the call that an answer belongs to: it travelled the other way. */
function calledKey(direction: Frame["direction"], id: unknown): string {
	return keyOf(direction === "in" ? "out" : "in", id);
}

function isSecret(method: string, params: unknown): boolean {
	return method === "ui.input" && (params as { secret?: unknown } | null | undefined)?.secret === true;
}
