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
	const makers = restNames.map((name) => [name, () => session.rest().members[name]()]);
	// The names are lost on the way.
	return Object.fromEntries(makers) as Rest["members"];
}

/** Text as it is, where it is surely short enough for one line of a log. */
function lineOf(session: Session, values: unknown[]): string {
	const isPlain = values.every((value) => typeof value === "string" && value.length < plainCharsMax);
	return isPlain && values.length < 4 ? values.join(" ") : session.rest().show(values);
}

const plainCharsMax = 1_000;
