import { failure } from "../../../runtime/errors.ts";
import { startCountdown } from "../../base/countdown.ts";

/** The deliveries that are under way in a host, so that its end does not cut them off. */
export class Deliveries {
	readonly #underWay = new Map<string, Set<Promise<void>>>();
	readonly #finishMs: number;
	#isEnding = false;

	/** @param finishMs how long the end of the host waits for a delivery */
	constructor(finishMs: number) {
		this.#finishMs = finishMs;
	}

	/** @throws BroodError `plugin_not_ready` once the host ends, or what the delivery ends with */
	async run(plugin: string, deliver: () => Promise<void>): Promise<void> {
		if (this.#isEnding) throw failure("plugin_not_ready", { plugin, reason: "its host is being stopped" });
		const own = this.#underWay.get(plugin) ?? new Set();
		this.#underWay.set(plugin, own);
		const delivery = deliver();
		own.add(delivery);
		try {
			await delivery;
		} finally {
			own.delete(delivery);
		}
	}

	/** The host ends: no delivery begins any more, and the plugin is stopped once those to it have ended, or have had their time. */
	async finish(plugin: string, stop: () => Promise<void>): Promise<void> {
		this.#isEnding = true;
		const own = this.#underWay.get(plugin);
		if (own !== undefined && own.size > 0) await this.#settled([...own]);
		await stop();
	}

	async #settled(deliveries: Promise<void>[]): Promise<void> {
		const { promise: late, resolve } = Promise.withResolvers<void>();
		const countdown = startCountdown(this.#finishMs, resolve);
		await Promise.race([Promise.allSettled(deliveries), late]);
		countdown.clear();
	}
}
