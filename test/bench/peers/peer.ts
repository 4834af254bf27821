/** A way to run a plugin apart from the host, as the bench sees it. */
export interface Peer {
	/** Starts a child with a plugin; resolves once the host knows what it registered. */
	open(plugin: string): Promise<Session>;
	/** Starts children with all of these plugins, at most as many at once as a host of ours does. */
	openMany?(plugins: string[]): Promise<Many>;
}

/** One child that runs. */
export interface Session {
	/** What its start took, in milliseconds; `start` is from the spawn until its registrations are here. */
	took: { start: number } & Record<string, number>;
	/** Calls the plugin's one tool; resolves with the same text, or its bytes. @throws Error what the tool threw */
	call?(text: string): Promise<string | Buffer>;
	/** Sends bytes; resolves with how many the other side has counted. */
	send?(bytes: Uint8Array<ArrayBuffer>): Promise<number>;
	/** The process, where it has one of its own. */
	pid?: number;
	/** Starts the plugin anew in the same host; gives the time until it was published again. */
	again?(): Promise<number>;
	/** Writes the plugin anew; gives the time until the tool that it has now can be called. */
	save?(file: string, text: string, tool: string): Promise<number>;
	close(): Promise<void>;
}

/** Many children that run. */
export interface Many {
	pids: number[];
	/** From the first spawn until the first of them was ready, and until all were, in milliseconds. */
	took: { first: number; all: number };
	close(): Promise<void>;
}

/** How many children of a host load at once. */
export const startLimit = Math.max(2, navigator.hardwareConcurrency);

/** Starts one child for each plugin under the limit of a host, for a peer that knows no such thing. */
export async function openEach(peer: Peer, plugins: string[]): Promise<Many> {
	const begun = performance.now();
	const sessions: Session[] = [];
	const waiting = [...plugins];
	let first = Number.POSITIVE_INFINITY;
	async function work(): Promise<void> {
		for (let plugin = waiting.shift(); plugin !== undefined; plugin = waiting.shift()) {
			sessions.push(await peer.open(plugin));
			first = Math.min(first, performance.now() - begun);
		}
	}
	await Promise.all(Array.from({ length: startLimit }, work));
	return {
		pids: sessions.flatMap(({ pid }) => pid ?? []),
		took: { first, all: performance.now() - begun },
		async close() {
			await Promise.all(sessions.map((session) => session.close()));
		},
	};
}
