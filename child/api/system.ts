import { subscription } from "../../runtime/disposable.ts";
import type { ClientInfo } from "../../runtime/protocol.ts";
import type { Ask } from "../ask.ts";
import type { System } from "../types/system.ts";
import { fileURI } from "../uri.ts";

/** What a plugin can know of, and ask from, the machine that the host runs on. */
export function createSystem(info: ClientInfo, ask: Ask): System {
	return {
		async open(url) {
			await ask("system.open", { url: String(url) });
		},
		workspaceRoot: info.workspaceRoot === null ? null : fileURI(info.workspaceRoot),
		ampURL: new URL(info.ampURL),
		user: info.user,
		executor: {
			kind: info.executor.kind,
			async keepAlive() {
				const { id } = await ask("executor.keepAlive", {});
				// A host that has gone has released it already.
				return subscription(() => void ask("executor.release", { id }).catch(() => {}));
			},
		},
	};
}
