import type { Json } from "../../runtime/records.ts";

/** How grave a finding is; only a `problem` keeps something from working. */
export type FindingStatus = "ok" | "note" | "warning" | "problem";

/** What a diagnosis says of one thing that it has looked at. */
export interface Finding {
	/** The check, such as `places`; several findings may be of one. */
	name: string;
	status: FindingStatus;
	/** One sentence. */
	message: string;
	/** What to do about it. */
	hint?: string;
	details?: FindingDetail[];
}

/** One thing that a finding is about: a line for people, and facts for programs. */
export interface FindingDetail {
	text: string;
	[fact: string]: Json;
}
