import { describe, expect, test } from "bun:test";
import { JSONRPCClient, JSONRPCErrorException, JSONRPCServer, JSONRPCServerAndClient } from "json-rpc-2.0";
import {
	AbstractMessageReader,
	AbstractMessageWriter,
	createMessageConnection,
	type DataCallback,
	type Disposable,
	type Message,
	type MessageWriter,
	ResponseError,
} from "vscode-jsonrpc/node";
import { failure } from "../../../runtime/errors.ts";
import type { Peer } from "../../../runtime/peer.ts";
import { peerAndForeignEnd, readLines, writeLine } from "./foreign-support.ts";
import { type ByteEnd, rejection, turn } from "./support.ts";

/** What each library can do, in the same words. */
interface Foreign {
	call(method: string, params?: unknown): PromiseLike<unknown>;
	notify(method: string, params: unknown): void;
	serve(method: string, handler: (params: unknown) => unknown): void;
	/** An error of the library with a number of its own. */
	error(code: number, message: string, data?: unknown): Error;
	end(): void;
}

const libraries: Record<string, (end: ByteEnd) => Foreign> = {
	"json-rpc-2.0": jsonRpc2,
	"vscode-jsonrpc": vscodeJsonRpc,
};

describe.each(Object.entries(libraries))("%s and a peer of brood", (_, open) => {
	test("both sides call each other, also many calls at a time that are answered in another order", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		const waiting = { peer: [] as (() => void)[], foreign: [] as (() => void)[] };
		peer.handle("echo", (params) => new Promise((resolve) => waiting.peer.push(() => resolve(params))));
		foreign.serve("echo", (params) => new Promise((resolve) => waiting.foreign.push(() => resolve(params))));
		const numbers = Array.from({ length: 20 }, (_, number) => ({ number, text: "é€😀\u2028\n" }));
		const calls = numbers.flatMap((one) => [foreign.call("echo", one), peer.call("echo", one)]);
		while (waiting.peer.length < 20 || waiting.foreign.length < 20) await turn();
		for (const answer of [...waiting.peer.reverse(), ...waiting.foreign.reverse()]) answer();
		expect(await Promise.all(calls)).toEqual(numbers.flatMap((one) => [one, one]));
		expect(peer.pending).toBe(0);
	});

	test("a call may be made within a call of the other side", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		foreign.serve("double", (params) => ({ value: numberIn(params) * 2 }));
		peer.handle("double and one", async (params) => ({ value: numberIn(await peer.call("double", params)) + 1 }));
		expect(await foreign.call("double and one", { value: 20 })).toEqual({ value: 41 });
	});

	test("notifications reach the other side, and unknown ones are skipped", async () => {
		await using pair = connected(open);
		const { peer, foreign, problems } = pair;
		const toPeer = Promise.withResolvers<unknown>();
		const toForeign = Promise.withResolvers<unknown>();
		peer.listen("tell", toPeer.resolve);
		foreign.serve("tell", (params) => {
			toForeign.resolve(params);
			return null;
		});
		foreign.notify("unknown", { a: 1 });
		foreign.notify("tell", { to: "peer" });
		peer.notify("tell", { to: "foreign" });
		expect(await toPeer.promise).toEqual({ to: "peer" });
		expect(await toForeign.promise).toEqual({ to: "foreign" });
		expect(problems).toEqual([expect.stringMatching(/"unknown" is not known/)]);
	});

	test("an unknown method is answered in both directions with the number that stands for it", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		expect(await rejection(foreign.call("missing", {}))).toMatchObject({ code: -32601 });
		expect(await rejection(foreign.call("toString", {}))).toMatchObject({ code: -32601 });
		expect(await rejection(peer.call("missing", {}))).toMatchObject({ code: "method_not_found" });
	});

	test("what our handler throws reaches the other side with its number, message and data", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		peer.handle("own", () => {
			throw failure("tool_not_found", { subject: "hammer" });
		});
		peer.handle("plain", () => Promise.reject(new TypeError("broken")));
		expect(await rejection(foreign.call("own", {}))).toMatchObject({
			code: -32020,
			message: 'There is no tool "hammer".',
			data: { name: "BroodError", code: "tool_not_found" },
		});
		expect(await rejection(foreign.call("plain", {}))).toMatchObject({
			code: -32000,
			message: "broken",
			data: { name: "TypeError" },
		});
	});

	test("an error of the other side reaches our call with its number and message, whatever its data is", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		const datas: unknown[] = [undefined, null, "text", 5, [], { own: true }];
		foreign.serve("fail", (params) => {
			throw foreign.error(4711, "their error", datas[numberIn(params)]);
		});
		foreign.serve("refuse", () => {
			throw foreign.error(-32602, "not these params");
		});
		for (const value of datas.keys()) {
			expect(await rejection(peer.call("fail", { value }))).toMatchObject({ code: 4711, message: "their error" });
		}
		expect(await rejection(peer.call("refuse", {}))).toMatchObject({
			code: "invalid_params",
			message: "not these params",
		});
	});

	test("a plain error thrown by the other side's handler fails our call with its message", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		foreign.serve("throw", () => {
			throw new Error("their handler broke");
		});
		const error = await rejection(peer.call("throw", {}));
		expect(error).toHaveProperty("message", expect.stringMatching(/their handler broke/));
	});

	test("our cancellation is ignored by a side that does not know it, and its late answer by us", async () => {
		await using pair = connected(open);
		const { peer, foreign } = pair;
		const late = Promise.withResolvers<string>();
		foreign.serve("slow", () => late.promise);
		foreign.serve("quick", () => "quick");
		const controller = new AbortController();
		const call = rejection(peer.call("slow", {}, { signal: controller.signal }));
		await turn();
		controller.abort();
		expect(await call).toMatchObject({ code: "cancelled" });
		late.resolve("late");
		expect(await peer.call("quick", {})).toBe("quick");
	});
});

function connected(open: (end: ByteEnd) => Foreign) {
	const problems: string[] = [];
	const [peer, end] = peerAndForeignEnd((text) => problems.push(text));
	const foreign = open(end);
	return { peer, foreign, problems, [Symbol.asyncDispose]: () => ended(peer, foreign) };
}

async function ended(peer: Peer, foreign: Foreign): Promise<void> {
	foreign.end();
	peer.close(failure("host_stopped"));
	await peer.closed;
}

function jsonRpc2(end: ByteEnd): Foreign {
	const silent = { errorListener: () => {} };
	const client = new JSONRPCClient((request) => writeLine(end, request));
	const both = new JSONRPCServerAndClient(new JSONRPCServer(silent), client, silent);
	void readLines(end, (message) => void both.receiveAndSend(message, undefined, undefined));
	return {
		call: (method, params) => both.request(method, params, undefined),
		notify: (method, params) => both.notify(method, params, undefined),
		serve: (method, handler) => both.addMethod(method, handler),
		error: (code, message, data) => new JSONRPCErrorException(message, code, data),
		end: () => both.rejectAllPendingRequests("the test has ended"),
	};
}

function vscodeJsonRpc(end: ByteEnd): Foreign {
	const connection = createMessageConnection(new LineReader(end), new LineWriter(end));
	connection.listen();
	return {
		call: (method, params) => connection.sendRequest(method, params),
		notify: (method, params) => void connection.sendNotification(method, params),
		serve(method, handler) {
			connection.onRequest(method, handler);
			connection.onNotification(method, (params: unknown) => void handler(params));
		},
		error: (code, message, data) => new ResponseError(code, message, data),
		end: () => connection.dispose(),
	};
}

class LineReader extends AbstractMessageReader {
	readonly #end: ByteEnd;

	constructor(end: ByteEnd) {
		super();
		this.#end = end;
	}

	listen(callback: DataCallback): Disposable {
		void readLines(this.#end, (message) => callback(message as Message)).then(() => this.fireClose());
		return { dispose() {} };
	}
}

class LineWriter extends AbstractMessageWriter implements MessageWriter {
	readonly #end: ByteEnd;

	constructor(end: ByteEnd) {
		super();
		this.#end = end;
	}

	async write(message: Message): Promise<void> {
		writeLine(this.#end, message);
	}

	end(): void {
		this.#end.sink.end();
	}
}

function numberIn(params: unknown): number {
	return typeof params === "object" && params !== null && "value" in params ? Number(params.value) : Number.NaN;
}
