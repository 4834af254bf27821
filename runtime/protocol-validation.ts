import type { Kind } from "./records.ts";
import type { WireError } from "./wire-error.ts";

/** What a child that only examines its plugin tells of, beside how the load ends. */
export const findingCodes = [
	/** Something was registered; the stack says where. */
	"registered",
	/** A registration was refused, and the plugin goes on as if it had not been. */
	"refused",
	/** A mode of an agent that was refused; nothing is wrong with it that is not told already. */
	"spoilt",
	/** A second registration of the same kind and key took the place of the first. */
	"duplicate",
	/** An event of a name that does not exist. */
	"unknown_event",
	/** A member that the API does not have was called; the failure of the load follows. */
	"unknown_member",
	/** What was registered is odd, and was taken. */
	"odd",
	/** The default export failed; what it had registered by then stays. */
	"failed",
	"unhandled_rejection",
	"uncaught_exception",
	/** The plugin ends its process; the exit follows. */
	"exit",
] as const;

export type FindingCode = (typeof findingCodes)[number];

export interface ValidationFinding {
	code: FindingCode;
	/** What was to be registered. */
	kind?: Kind;
	/** Its name, id or key; of a member or an event its name. */
	key?: string;
	/** What is wrong, and by its stack where. */
	error: WireError;
}
