import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ChannelListener } from "../../../runtime/channel.ts";
import { failure } from "../../../runtime/errors.ts";
import { createPeer, type Peer } from "../../../runtime/peer.ts";
import { createTap } from "../../../runtime/tap.ts";
import { propertyRuns } from "../../support/effort.ts";
import { peerPair, turn } from "./support.ts";

const side = fc.constantFrom<0 | 1>(0, 1);
const step = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant("call" as const), side }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constantFrom("answer" as const, "fail" as const), at: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), at: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant("notify" as const), side }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("turn" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test("in any order of calls, answers, errors and cancellations no answer is lost, doubled or crossed", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
			const conversation = new Conversation();
			for (const one of steps) await conversation.take(one);
			await conversation.finish();
		}),
		propertyRuns,
	);
});

/** Two peers, and all that was asked, heard and answered between them. */
class Conversation {
	readonly #peers = peerPair();
	readonly #calls: { name: string; cancel: AbortController; outcome: Promise<string> }[] = [];
	readonly #expected = new Map<string, string>();
	readonly #open: { name: string; resolve(value: string): void; reject(error: Error): void }[] = [];
	readonly #heard: string[] = [];
	readonly #notified: number[][] = [[], []];
	readonly #notices: number[] = [0, 0];
	#settlements = 0;

	constructor() {
		this.#peers.forEach((peer, index) => {
			peer.handle("ask", (name) => {
				this.#heard.push(String(name));
				return new Promise<string>((resolve, reject) => this.#open.push({ name: String(name), resolve, reject }));
			});
			peer.listen("tell", (number) => this.#notified[index]?.push(Number(number)));
		});
	}

	async take(step: Step): Promise<void> {
		if (step.kind === "call") return this.#call(this.#peers[step.side], step.side);
		if (step.kind === "notify") return this.#peers[step.side].notify("tell", this.#notice(step.side));
		if (step.kind === "turn") return turn();
		if (step.kind === "cancel") return this.#cancel(step.at);
		this.#settle(step.at, step.kind === "fail");
	}

	async finish(): Promise<void> {
		await turn();
		while (this.#open.length > 0) this.#settle(0, false);
		await turn();
		const outcomes = await Promise.all(this.#calls.map(({ outcome }) => outcome));
		expect(outcomes).toEqual(this.#calls.map(({ name }) => this.#expected.get(name) ?? "never settled"));
		expect(this.#settlements).toBe(this.#calls.length);
		expect(this.#heard.toSorted()).toEqual(this.#calls.map(({ name }) => name).toSorted());
		expect(this.#notified.map((list) => list.length)).toEqual([this.#notices[1] ?? 0, this.#notices[0] ?? 0]);
		for (const list of this.#notified) expect(list).toEqual(list.toSorted((a, b) => a - b));
		expect(this.#peers.map(({ pending }) => pending)).toEqual([0, 0]);
	}

	#call(peer: Peer, from: number): void {
		const name = `${from}:${this.#calls.length}`;
		const cancel = new AbortController();
		const settled = (text: string) => {
			this.#settlements += 1;
			return text;
		};
		const outcome = peer.call("ask", name, { signal: cancel.signal }).then(
			(value) => settled(String(value)),
			(error: Error) => settled(error.message),
		);
		this.#calls.push({ name, cancel, outcome });
	}

	/** Cancels a call that is neither answered nor cancelled; others stay as they are. */
	#cancel(at: number): void {
		const waiting = this.#calls.filter(({ name }) => !this.#expected.has(name));
		const call = waiting[at % waiting.length];
		if (call === undefined) return;
		this.#expected.set(call.name, `cancelled ${call.name}.`);
		call.cancel.abort(failure("usage", { reason: `cancelled ${call.name}` }));
	}

	#settle(at: number, fails: boolean): void {
		const [one] = this.#open.splice(at % this.#open.length, 1);
		if (one === undefined) return;
		const text = `${fails ? "error" : "answer"} for ${one.name}`;
		if (!this.#expected.has(one.name)) this.#expected.set(one.name, text);
		if (fails) one.reject(new Error(text));
		else one.resolve(text);
	}

	#notice(from: 0 | 1): number {
		this.#notices[from] = (this.#notices[from] ?? 0) + 1;
		return this.#notices[from] ?? 0;
	}
}

const json = fc.jsonValue({ maxDepth: 3 });
const hostileObject = fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, { toJSON: 1 }, { length: -1 });
const anything = fc.oneof(json, hostileObject);
const method = fc.oneof(fc.constantFrom("echo", "$/cancel", "constructor", "__proto__", "tell", "ui.input"), anything);
const id = fc.oneof(fc.constantFrom<unknown>(0, 1, 2, -1, "", "1", null, 2 ** 60), anything);
const error = fc.oneof(
	anything,
	fc.record({ code: anything, message: fc.oneof(fc.string(), anything), data: anything }, { requiredKeys: [] }),
);
const almostMessage = fc.record(
	{ jsonrpc: fc.oneof(fc.constant("2.0"), anything), id, method, params: anything, result: anything, error },
	{ requiredKeys: [] },
);

test("whatever JSON comes, nothing is thrown, and each request is answered once with a result or an error", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.oneof(json, almostMessage), { maxLength: 20 }), async (messages) => {
			const { peer, sent, receive } = directPeer();
			const calls = [peer.call("a", {}), peer.call("b", {})].map((call) => call.catch(() => {}));
			for (const message of messages) receive(message);
			await turn();
			receive({ jsonrpc: "2.0", id: "last", method: "echo", params: "still here" });
			await turn();
			expect(sent.at(-1)).toEqual({ jsonrpc: "2.0", id: "last", result: "still here" });
			const answers = sent.slice(0, -1).filter((message) => !Object.hasOwn(message, "method"));
			expect(answers).toHaveLength(messages.filter(wantsAnswer).length);
			for (const answer of answers) {
				expect(Object.hasOwn(answer, "result")).toBe(!Object.hasOwn(answer, "error"));
			}
			peer.close(failure("host_stopped"));
			await Promise.all(calls);
		}),
		propertyRuns,
	);
});

/** Whether something is a batch, a request, or has a method that none can have. */
function wantsAnswer(message: unknown): boolean {
	if (Array.isArray(message)) return true;
	if (typeof message !== "object" || message === null || !("method" in message)) return false;
	return typeof message.method !== "string" || Object.hasOwn(message, "id");
}

/** A peer, watched by a tap, whose messages are given to it without a channel that could catch what it throws. */
function directPeer() {
	const sent: Record<string, unknown>[] = [];
	let listener: ChannelListener | undefined;
	const tap = createTap();
	const open = (own: ChannelListener) => {
		listener = own;
		const send = (message: unknown) => {
			own.sent(message, 0);
			sent.push(JSON.parse(JSON.stringify(message)));
		};
		return { send, flush: () => Promise.resolve(), close: own.closed };
	};
	const peer = createPeer(open, { pendingCallsMax: 1024, observe: tap.observe });
	peer.handle("echo", (params) => params);
	peer.listen("tell", () => {
		throw new Error("listener broke");
	});
	return { peer, sent, receive: (message: unknown) => listener?.message(message, 0) };
}
