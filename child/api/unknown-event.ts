import { nearest } from "../../runtime/near.ts";
import { eventNames } from "../../runtime/records.ts";

/** Says that there is no such event, and which one may be meant. */
export function describeUnknownEvent(event: unknown): string {
	const meant = nearest(String(event), eventNames);
	const near = meant === undefined ? "" : ` (did you mean ${JSON.stringify(meant)}?)`;
	return `on(${JSON.stringify(event)}): there is no such event${near}; there are ${eventNames.join(", ")}`;
}
