import { emitter, type Subscription } from "../runtime/disposable.ts";
import { messageOf } from "../runtime/errors.ts";
import type { Peer } from "../runtime/peer.ts";
import type { ThreadPushes, ThreadReference } from "../runtime/threads.ts";
import type { Session } from "./session.ts";

/** What the host has told of the active thread since it was asked for the first time. */
export interface ActiveThreadPushes {
	/** The newest one that was told; undefined when none was. */
	readonly told: ThreadReference | null | undefined;
	listen(listener: (thread: ThreadReference | null) => void): Subscription;
}

/** Hears of the active thread from the first moment: plugins read it without asking. */
export function hearActiveThread(peer: Peer, session: Session): ActiveThreadPushes {
	const changes = emitter<ThreadReference | null>((error) =>
		session.log("error", `a subscriber of activeThread failed: ${messageOf(error)}`),
	);
	let told: ThreadReference | null | undefined;
	peer.listen("activeThread.change", (params) => {
		// The host is trusted, and checks what its provider says.
		const { thread } = params as ThreadPushes["activeThread.change"];
		told = thread;
		changes.emit(thread);
	});
	return {
		get told() {
			return told;
		},
		listen: changes.listen,
	};
}
