import { failure } from "../../runtime/errors.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { startCountdown } from "../base/countdown.ts";
import type { Reload } from "../lifecycle/reload.ts";
import type { Supervisor } from "../lifecycle/supervisor.ts";
import { newPatience, type Patience, patienceMs } from "./patience.ts";

/**
 * Reloads one plugin: a new instance loads beside the old one, takes its place in one step, and the old one ends
 * when its calls are done. A plugin that does not run is started; one that is being started is started anew, since what
 * it has read may be old.
 */
export interface Swap {
	/** Reloads it when the reload before has ended, or takes longer than it should: that is given up then. */
	begin(): Reload;
}

export function createSwap(supervisor: Supervisor, plugin: string, clock: Clock = systemClock): Swap {
	let newest: UnderWay | undefined;
	let patience: Patience = newPatience;

	async function follow(stops: number, before: UnderWay | undefined, own: UnderWay): Promise<Reload | undefined> {
		if (before !== undefined) await Promise.race([before.ended.catch(() => {}), before.overlong]);
		if (supervisor.stops !== stops) throw stopped();
		const isTooLong = before?.isUnderWay ?? false;
		if (isTooLong) before?.giveUpFor(own);
		const givenUp = isTooLong ? patience.givenUp + 1 : 0;
		patience = { usualMs: publishedMs(supervisor) ?? patience.usualMs, givenUp };
		const timer = startCountdown(patienceMs(patience), own.takesLong, clock);
		try {
			return await Promise.race([load(stops, own), own.superseded]);
		} finally {
			own.isUnderWay = false;
			timer.clear();
		}
	}

	async function load(stops: number, own: UnderWay): Promise<undefined> {
		const { state } = supervisor.machine;
		if (state !== "ready" && state !== "unresponsive") {
			await supervisor.startAnew();
			const { error } = supervisor.machine;
			if (supervisor.machine.state !== "ready") {
				throw error ?? failure("plugin_not_ready", { plugin, reason: `its state is ${supervisor.machine.state}` });
			}
			return;
		}
		const instance = await supervisor.prepare(own.givenUp).catch((error: unknown) => {
			throw supervisor.stops === stops ? error : stopped();
		});
		if (!supervisor.adopt(instance)) throw stopped();
	}

	function stopped() {
		return failure("plugin_not_ready", { plugin, reason: "it was stopped while it was being reloaded" });
	}

	return {
		begin() {
			const { promise: overlong, resolve: takesLong } = Promise.withResolvers<void>();
			const { promise: superseded, resolve } = Promise.withResolvers<Reload>();
			const abort = new AbortController();
			const giveUpFor = (newer: Reload) => {
				resolve(newer);
				abort.abort();
			};
			const [{ stops }, before] = [supervisor, newest];
			const ended = Promise.resolve().then(() => follow(stops, before, own));
			const own: UnderWay = {
				...{ ended, overlong, takesLong, superseded, giveUpFor },
				...{ givenUp: abort.signal, isUnderWay: true },
			};
			newest = own;
			return own;
		},
	};
}

interface UnderWay extends Reload {
	isUnderWay: boolean;
	takesLong(): void;
	giveUpFor(newer: Reload): void;
	/** Resolves with the reload for which it was given up. */
	superseded: Promise<Reload>;
	/** Aborts at once when it is given up. */
	givenUp: AbortSignal;
}

/** How long what serves, or served last, took to get there. */
function publishedMs({ instance }: Supervisor): number | undefined {
	return instance?.loaded ? instance.facts.published : undefined;
}
