import {
	type ByteChannel,
	type ByteChannelOptions,
	type Channel,
	type ChannelListener,
	openByteChannel,
} from "../../runtime/channel.ts";
import { codecOf, ndjson } from "../../runtime/codec/ndjson.ts";
import { type BroodError, isBroodError } from "../../runtime/errors.ts";
import type { CodecName } from "../../runtime/protocol.ts";
import type { Allowance } from "../base/allowance.ts";

/** The wire of a child, before and after a channel is opened over it. */
export class ChildWire {
	readonly #own: Pick<ByteChannelOptions, "wire" | "received" | "limits">;
	readonly #asking: Allowance;
	#channel: ByteChannel | undefined;
	#broken: BroodError | undefined;

	/** What it takes to send answers is spent of `asking`. */
	constructor(own: Pick<ByteChannelOptions, "wire" | "received" | "limits">, asking: Allowance) {
		this.#own = own;
		this.#asking = asking;
	}

	/** Why this side has given it up; known at once. */
	get broken(): BroodError | undefined {
		return this.#broken;
	}

	open(heard: ChannelListener): Channel {
		const listener: ChannelListener = {
			...heard,
			closed: (reason) => {
				if (isBroodError(reason, "message_too_large") || isBroodError(reason, "busy")) this.#broken = reason;
				heard.closed(reason);
			},
		};
		const channel = openByteChannel({ ...this.#own, codec: ndjson, listener });
		const asking = this.#asking;
		this.#channel = channel;
		return {
			send(message, urgent) {
				if (isResult(message)) asking.spend(() => channel.send(message, urgent));
				else channel.send(message, urgent);
			},
			flush: () => channel.flush(),
			close: (reason) => channel.close(reason),
		};
	}

	/** Writes in the codec of this name from now on: the child has said that it reads it. */
	speak(codec: CodecName): void {
		this.#channel?.speak(codecOf(codec));
	}
}

function isResult(message: unknown): boolean {
	return typeof message === "object" && message !== null && "result" in message;
}
