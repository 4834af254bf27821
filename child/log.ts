import type { ChildNotifications, LogLevel } from "../runtime/protocol.ts";
import type { Remote } from "../runtime/typed.ts";

/** Sends one entry to the plugin's log. */
export type Log = (level: LogLevel, message: string) => void;

/**
 * Makes the way to the plugin's log. It neither throws nor waits: while the host does not read in time, lines are dropped
 * so that they cannot fill this process, and one line tells how many once there is room.
 *
 * @param drained resolves when the host has taken all that was sent
 */
export function createLog(notify: Remote<never, ChildNotifications>["notify"], drained: () => Promise<void>): Log {
	let dropped = 0;

	function tell(): void {
		const message = `${dropped} lines of this log were dropped, since the host did not read them in time`;
		dropped = 0;
		notify("log", { level: "warn", message });
	}

	return (level, message) => {
		if (dropped > 0) {
			dropped += 1;
			return;
		}
		notify("log", { level, message }, () => {
			dropped = 1;
			void drained().then(tell);
		});
	};
}
