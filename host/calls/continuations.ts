import type { Json, JsonObject } from "../../runtime/records.ts";

/** Counts, by thread, how often in a row plugins have made a turn go on. */
export interface Continuations {
	/** A turn begins; one that a person began gives the whole count back. */
	begun(payload: JsonObject): void;
	/** Whether the turn that ends may go on as `result` says; null when it may not, or when nobody wants it to. */
	bounded(payload: JsonObject, result: Json): Json;
}

/** Makes the counts; `refused` hears of the plugin that wanted one turn too many. */
export function createContinuations(
	continuationsMax: number,
	refused: (plugin: string, max: number) => void,
): Continuations {
	// With the message that the last of them was begun with, which tells a plugin's turn from a person's.
	const made = new Map<string, { count: number; userMessage: Json | undefined }>();

	return {
		begun(payload) {
			const last = made.get(threadID(payload));
			if (last !== undefined && last.userMessage !== payload.message) made.delete(threadID(payload));
		},
		bounded(payload, result) {
			const thread = threadID(payload);
			const count = (made.get(thread)?.count ?? 0) + 1;
			made.delete(thread);
			if (typeof result !== "object" || result === null || Array.isArray(result)) return null;
			const { maxContinuations, userMessage, plugin } = result;
			const max = typeof maxContinuations === "number" ? maxContinuations : continuationsMax;
			if (count > max) {
				refused(String(plugin), max);
				return null;
			}
			made.set(thread, { count, userMessage });
			return result;
		},
	};
}

function threadID({ thread }: JsonObject): string {
	return typeof thread === "object" && thread !== null && !Array.isArray(thread) ? String(thread.id) : "";
}
