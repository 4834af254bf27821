import type { Json, JsonObject } from "../../runtime/records.ts";
import type { HandlerReport } from "./events.ts";

/** A turn of an agent as it is to be played: what the person says, which tools the agent calls, how it ends. */
export interface TurnScript extends TurnRound {
	/** What the person says. */
	message: string;
	/** The id of its thread; when absent the active one, else a new one. */
	thread?: string;
	/** Whether the session starts with it; yes when absent. */
	session?: boolean;
	/** What the agent does each time that a plugin makes the turn go on; nothing where there are fewer. */
	rounds?: TurnRound[];
}

/** What the agent does between `agent.start` and `agent.end`. */
export interface TurnRound {
	start?: {
		/** What must hold of the step's outcome; a text is a message with that content. */
		expect?: { messages?: (string | JsonObject)[] };
	};
	tools?: TurnTool[];
	/** What the agent says at the end, for the messages that `agent.end` carries. */
	reply?: string;
	end?: {
		/** `done` when absent; `error` where a gate ends the turn. */
		status?: TurnEndStatus;
		expect?: ExpectedEnd;
	};
}

/** A tool that the agent calls. What the script says it answers is taken; else the plugin's own tool of that name runs. */
export interface TurnTool {
	tool: string;
	input?: JsonObject;
	/** Its output, as if the tool had run. */
	result?: Json;
	/** Its error, as if the tool had run. */
	error?: string;
	/** What must hold of the outcome, after `tool.result`. */
	expect?: ExpectedTool;
}

export type ExpectedTool = {
	decision?: ToolDecision;
	/** The plugin that decided. */
	gate?: string;
	/** What of the input the tool really got. */
	input?: JsonObject;
	source?: ToolSource;
	status?: TurnStatus;
	output?: Json;
	error?: string;
};

/** What must hold of how a round ends. */
export type ExpectedEnd = {
	status?: TurnEndStatus;
	/** The message with which the gate that ended the turn did so. */
	error?: string;
	/** What a plugin wants the turn to go on with, or false where none does. */
	continue?: string | false;
	/** The plugin that wants it. */
	plugin?: string;
};

export type TurnStatus = "done" | "error" | "cancelled";

/** How an agent ends a turn; `interrupted` is Amp's word for one that the person ended. */
export type TurnEndStatus = "done" | "error" | "interrupted" | "cancelled";
export type ToolDecision = "allow" | "modify" | "reject-and-continue" | "synthesize" | "error";

/** Who gave a tool's result: its plugin, the script, the gate that stopped the call; or nobody, which is an empty output. */
export type ToolSource = "plugin" | "script" | "gate" | "nobody";

/** One step of a played turn. `outcome` is what `expect` is compared with. */
export interface TurnStep {
	step: "session.start" | "agent.start" | "tool.call" | "tool.result" | "agent.end";
	/** Counts from 1; each continuation is a round of its own. */
	round: number;
	/** The name of the tool, where the step is about one. */
	tool?: string;
	/** What each handler of the event answered. */
	handlers: HandlerReport[];
	outcome: JsonObject;
	/** Where the outcome is not what the script expects; absent where it expects nothing. */
	mismatches?: TurnMismatch[];
}

/** A member that is not as expected; `actual` is absent where there is none. */
export interface TurnMismatch {
	/** As in `messages[0].content`. */
	path: string;
	expected: Json;
	actual?: Json;
}

/**
 * What went wrong in a turn: a handler or tool that failed, an expectation not met, rounds not played or one too many,
 * and what else of the script was not played since a gate ended the turn.
 */
export interface TurnFailure {
	kind: "handler" | "tool" | "expectation" | "rounds" | "steps";
	/** The number of the step, from 1; absent where it is about the whole turn. */
	step?: number;
	plugin?: string;
	message: string;
}

/** What came of a played turn. */
export interface TurnOutcome {
	/** Whether nothing failed. */
	ok: boolean;
	thread: string;
	rounds: number;
	steps: TurnStep[];
	failures: TurnFailure[];
}

export interface TurnOptions {
	signal?: AbortSignal | undefined;
	/** Milliseconds that each handler and each tool has. */
	timeoutMs?: number | undefined;
	/** Hears each step as it is done. */
	onStep?: ((step: TurnStep, number: number) => void) | undefined;
}
