import type { Peer } from "../../runtime/peer.ts";
import type { ThreadPushes } from "../../runtime/threads.ts";

/** Tells a child the newest of each value; one that does not read gets those that it missed as one. */
export function createThreadPush(peer: Peer) {
	const latest = new Map<string, object>();
	let ended = false;
	void peer.closed.then(() => {
		ended = true;
	});
	return function push<Name extends keyof ThreadPushes>(name: Name, id: string, params: ThreadPushes[Name]): void {
		const key = `${name} ${id}`;
		latest.set(key, params);
		send();

		function send(): void {
			if (ended || latest.get(key) !== params) return;
			let isDropped = false;
			peer.notify(name, params, () => {
				isDropped = true;
				void peer.flush().then(send);
			});
			if (!isDropped) latest.delete(key);
		}
	};
}
