import { subscription } from "../runtime/disposable.ts";
import { defineLazy } from "./api/lazy.ts";
import { createRegistrations } from "./api/register.ts";
import { type Rest, restNames, type Session } from "./session.ts";
import type { PluginAPI } from "./types/plugin-api.ts";

/** Composes the object that a plugin's default export is called with; most members are made when they are touched. */
export function createAmp(session: Session): PluginAPI {
	const { disposers } = session;
	const base = {
		logger: { log: (...values: unknown[]) => session.log("info", lineOf(session, values)) },
		...createRegistrations(session),
		onDispose(callback: () => unknown) {
			if (typeof callback !== "function") return session.rest().judged.onDispose(callback);
			const entry = () => callback();
			disposers.add(entry);
			return subscription(() => disposers.delete(entry));
		},
	};
	return defineLazy(base, membersOf(session));
}

function membersOf(session: Session): Rest["members"] {
	const makers: Partial<Rest["members"]> = {};
	for (const name of restNames) Object.assign(makers, { [name]: () => session.rest().members[name]() });
	// All names are there now.
	return makers as Rest["members"];
}

/** Text as it is, where it is surely short enough for one line of a log. */
function lineOf(session: Session, values: unknown[]): string {
	const [first] = values;
	const isPlain = values.length === 1 && typeof first === "string" && first.length < plainCharsMax;
	return isPlain ? first : session.rest().show(values);
}

const plainCharsMax = 1_000;
