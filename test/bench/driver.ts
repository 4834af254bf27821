import type { Many, Peer, Session } from "./peers/peer.ts";
import { openEach } from "./peers/peer.ts";

/** What the bench asks of the process that plays the host of one peer. */
export type Order =
	/** One start, and the end of it. */
	| { do: "start"; plugin: string }
	/** Starts what later orders work with. */
	| { do: "open"; plugin: string }
	/** Starts the open plugin anew. */
	| { do: "again" }
	/** Writes the open plugin anew, with a new tool; how long it takes until that can be called. */
	| { do: "save"; plugin: string; text: string; tool: string }
	/** Calls one after the other; answered with the time of each. */
	| { do: "calls"; count: number; bytes: number }
	/** As many calls as there is time for, so many at once. */
	| { do: "flood"; ms: number; inFlight: number; bytes: number }
	/** One large text, there and back. */
	| { do: "echo"; bytes: number }
	/** Bytes, there alone. */
	| { do: "send"; bytes: number }
	/** Many starts at once, and the end of them. */
	| { do: "many"; plugins: string[] }
	/** Many starts whose children stay. */
	| { do: "hold"; plugins: string[] }
	| { do: "close" };

export interface Answer {
	values?: Record<string, number>;
	/** Of single calls, in microseconds. */
	times?: number[];
	pids?: number[];
	error?: string;
}

/** Plays the host of a peer until stdin ends; each line is an order and gets a line as its answer. */
export async function serveOrders(peer: Peer): Promise<void> {
	const host = createHost(peer);
	for await (const line of console) {
		if (line === "") continue;
		const answer = await host.act(JSON.parse(line)).catch((error: unknown) => ({ error: Bun.inspect(error) }));
		await Bun.write(Bun.stdout, `${JSON.stringify(answer)}\n`);
	}
	await host.close();
	// A library may hold the program.
	process.exit(0);
}

function createHost(peer: Peer) {
	let session: Session | undefined;
	let many: Many | undefined;

	async function close(): Promise<void> {
		await Promise.all([session?.close(), many?.close()]);
		session = many = undefined;
	}

	const openMany = (plugins: string[]) => peer.openMany?.(plugins) ?? openEach(peer, plugins);

	const calls = () => {
		const call = session?.call;
		if (call === undefined) throw new Error("there is nothing to call");
		return call;
	};

	async function act(order: Order): Promise<Answer> {
		switch (order.do) {
			case "start": {
				const { took, close } = await peer.open(order.plugin);
				await close();
				return { values: took };
			}
			case "open":
				session = await peer.open(order.plugin);
				return {};
			case "again":
				return { values: { start: (await session?.again?.()) ?? Number.NaN } };
			case "save":
				return { values: { live: (await session?.save?.(order.plugin, order.text, order.tool)) ?? Number.NaN } };
			case "calls":
				return { times: await callInTurn(calls(), order.count, textOf(order.bytes)) };
			case "flood":
				return { values: await flood(calls(), order.ms, order.inFlight, textOf(order.bytes)) };
			case "echo": {
				return { values: { ms: await timeCall(calls(), textOf(order.bytes)) } };
			}
			case "send": {
				const { send } = session ?? {};
				if (send === undefined) throw new Error("there is nothing that takes bytes");
				const bytes = Buffer.alloc(order.bytes, "some \0 bytes");
				const begun = performance.now();
				const counted = await send(bytes);
				const ms = performance.now() - begun;
				if (counted !== order.bytes) throw new Error(`${order.bytes} bytes were sent, and ${counted} came`);
				return { values: { ms } };
			}
			case "many": {
				const { took, close } = await openMany(order.plugins);
				await close();
				return { values: took };
			}
			case "hold":
				many = await openMany(order.plugins);
				return { pids: many.pids };
			case "close":
				await close();
				return {};
		}
	}

	return { act, close };
}

type Call = NonNullable<Session["call"]>;

async function callInTurn(call: Call, count: number, text: string): Promise<number[]> {
	const times: number[] = [];
	for (let at = 0; at < count; at += 1) times.push(1_000 * (await timeCall(call, text)));
	return times;
}

/** Calls in a second. */
async function flood(call: Call, ms: number, inFlight: number, text: string): Promise<Record<string, number>> {
	let count = 0;
	const begun = performance.now();
	async function keepCalling(): Promise<void> {
		while (performance.now() - begun < ms) {
			check(await call(text), text);
			count += 1;
		}
	}
	await Promise.all(Array.from({ length: inFlight }, keepCalling));
	return { rate: (1_000 * count) / (performance.now() - begun) };
}

async function timeCall(call: Call, text: string): Promise<number> {
	const begun = performance.now();
	const answer = await call(text);
	const ms = performance.now() - begun;
	check(answer, text);
	return ms;
}

/** Who gives back something else may be fast. @throws Error then */
function check(answer: string | Buffer, text: string): void {
	const given = String(answer);
	if (given !== text) throw new Error(`a call with ${show(text)} gave ${show(given)}`);
}

function show(text: string): string {
	return text.length <= shownMax ? JSON.stringify(text) : `${JSON.stringify(text.slice(0, shownMax))}…`;
}

const shownMax = 40;

function textOf(bytes: number): string {
	return "x".repeat(bytes);
}
