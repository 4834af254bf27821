import { describe, expect, test } from "bun:test";
import type { Channel, ChannelListener } from "../../../runtime/channel.ts";
import { failure } from "../../../runtime/errors.ts";
import { createPeer, type PeerOptions } from "../../../runtime/peer.ts";
import { barePeer, turn } from "./support.ts";

type Message = { id?: number; result?: unknown; error?: { data?: { code?: string }; message: string } };

/** A peer whose channel has no room for answers until `read` is called; errors pass. */
function unreadPeer(options: Partial<PeerOptions>) {
	const sent: Message[] = [];
	let hasRoom = false;
	let drained = Promise.withResolvers<void>();
	let heard: ChannelListener | undefined;
	const open = (listener: ChannelListener): Channel => {
		heard = listener;
		return {
			send(message, urgent) {
				if (!hasRoom && !urgent) throw failure("busy");
				sent.push(message as Message);
			},
			flush: () => drained.promise,
			close: (reason) => listener.closed(reason),
		};
	};
	const peer = createPeer(open, { pendingCallsMax: 1_024, ...options });
	return {
		peer,
		sent,
		ask: (id: number, bytes = 10) => heard?.message({ jsonrpc: "2.0", id, method: "ask", params: {} }, bytes),
		read() {
			hasRoom = true;
			drained.resolve();
			drained = Promise.withResolvers();
			drained.resolve();
		},
	};
}

describe("a side that asks and does not read the answers", () => {
	test("is refused before the work is done, and loses none that was done", async () => {
		let done = 0;
		const { peer, sent, ask, read } = unreadPeer({ unsentAnswersMax: 3 });
		peer.handle("ask", () => ++done);
		for (let id = 1; id <= 3; id++) ask(id);
		await turn();
		for (let id = 4; id <= 10; id++) ask(id);
		await turn();
		expect(done).toBe(3);
		expect(sent.map(({ id, error }) => [id, error?.data?.code])).toEqual(
			[4, 5, 6, 7, 8, 9, 10].map((id) => [id, "busy"]),
		);
		expect(sent[0]?.error?.message).toContain("3 answers wait to be read");
		read();
		await turn();
		expect(sent.slice(7).map(({ id, result }) => [id, result])).toEqual([1, 2, 3].map((id) => [id, id]));
		ask(11);
		await turn();
		expect(sent.at(-1)).toMatchObject({ id: 11, result: 4 });
	});
});

describe("calls of the other side that run at once", () => {
	const waits = () => {
		const ends: (() => void)[] = [];
		return { ends, handler: () => new Promise<void>((resolve) => ends.push(resolve)) };
	};

	test("are bounded by their bytes; one alone may be larger, and room is made by ends and by cancellations", async () => {
		const { peer, sent, ask } = unreadPeer({ runningBytesMax: 100 });
		const { ends, handler } = waits();
		peer.handle("ask", handler);
		ask(1, 500);
		ask(2, 1);
		await turn();
		expect(ends).toHaveLength(1);
		expect(sent).toEqual([
			expect.objectContaining({
				id: 2,
				error: expect.objectContaining({ message: expect.stringContaining("500 bytes of calls run") }),
			}),
		]);
	});

	test("give their room back when they end and when they are cancelled", async () => {
		const { peer, sent, receive } = barePeer({ runningBytesMax: 200 });
		const { ends, handler } = waits();
		peer.handle("ask", handler);
		const ask = (id: number) => receive({ jsonrpc: "2.0", id, method: "ask", params: "x".repeat(60) });
		await ask(1);
		await ask(2);
		expect(sent).toHaveLength(1);
		await receive({ jsonrpc: "2.0", method: "$/cancel", params: { id: 1 } });
		await ask(3);
		expect(ends).toHaveLength(2);
		ends[1]?.();
		await turn();
		await ask(4);
		expect(ends).toHaveLength(3);
	});
});
