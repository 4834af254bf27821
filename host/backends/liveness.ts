import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";

/** What is heard of a child that stops answering, or answers again. */
export interface LivenessListener {
	silent(): void;
	answered(): void;
	/** It has been silent for as long as it may be. */
	givenUp(): void;
}

export interface LivenessParts {
	/** Asks the child for a sign of life; a refusal is one too. */
	ping(): Promise<unknown>;
	limits: Limits["liveness"];
	clock: Clock;
	listener: LivenessListener;
}

/**
 * Asks a child at fixed times whether its event loop turns. A handler that takes long does not matter: the loop answers
 * between its steps. Silence is counted in turns of this clock, so that a host that was itself stopped for a while does
 * not take its own sleep for the child's.
 *
 * @returns a function that ends it
 */
export function watchLiveness({ ping, limits, clock, listener }: LivenessParts): () => void {
	let asked = false;
	let silentMs = 0;
	let isSilent = false;
	let isOver = false;
	let cancel = clock.after(limits.pingEveryMs, turn);

	function ask(): void {
		asked = true;
		silentMs = 0;
		ping().then(heard, heard);
	}

	function heard(): void {
		asked = false;
		if (isSilent && !isOver) listener.answered();
		isSilent = false;
	}

	function turn(): void {
		if (isOver) return;
		if (asked) unanswered();
		else ask();
		if (!isOver) cancel = clock.after(limits.pingEveryMs, turn);
	}

	/** Only what was asked a whole turn ago counts as silence, be the limits as short as they may. */
	function unanswered(): void {
		silentMs += Math.max(1, limits.pingEveryMs);
		if (silentMs >= limits.giveUpMs) {
			end();
			return listener.givenUp();
		}
		if (silentMs < limits.silentMs || isSilent) return;
		isSilent = true;
		listener.silent();
	}

	function end(): void {
		isOver = true;
		cancel();
	}
	return end;
}
