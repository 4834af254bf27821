import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import type { BackendEvents } from "../contracts/backend.ts";
import type { Connection } from "./connection.ts";
import { watchLiveness } from "./liveness.ts";

export interface SilenceParts {
	events: BackendEvents;
	limits: Limits;
	clock: Clock;
}

/** Tells of a child that does not answer any more, and kills it in the end; over when its process has ended. */
export function endWhenSilent(connection: Connection, { events, limits, clock }: SilenceParts): void {
	const { silentMs, giveUpMs } = limits.liveness;
	const end = watchLiveness({
		ping: () => connection.peer.call("ping", {}, { urgent: true }),
		limits: limits.liveness,
		clock,
		listener: {
			silent: () => {
				const message = `it has not answered for ${seconds(silentMs)}; it is killed at ${seconds(giveUpMs)}`;
				events.log({ source: "host", level: "warn", message });
				events.responsive(false);
			},
			answered: () => {
				events.log({ source: "host", level: "info", message: "it answers again" });
				events.responsive(true);
			},
			givenUp: () => {
				const message = `it did not answer for ${limits.liveness.giveUpMs} ms and was killed`;
				events.log({ source: "host", level: "error", message });
				connection.kill("SIGKILL", `it did not answer for ${limits.liveness.giveUpMs} ms`);
			},
		},
	});
	void connection.exited.then(end);
}

function seconds(ms: number): string {
	return `${ms / 1_000} s`;
}
