import type { EventName, Json, JsonObject } from "../../runtime/records.ts";

/** What a handler may answer `tool.call` with. */
export type ToolCallDecision =
	| { action: "allow" }
	| { action: "modify"; input: JsonObject }
	| { action: "reject-and-continue"; message: string }
	| { action: "synthesize"; result: { output: string; exitCode?: number } }
	| { action: "error"; message: string };

export type ToolStatus = "done" | "error" | "cancelled";

export interface ToolOutcome {
	status: ToolStatus;
	output?: Json;
	error?: string;
}

/** What a handler may answer each event with; nothing means that it changes nothing. */
export interface Answers {
	"session.start": undefined;
	"tool.call": ToolCallDecision | undefined;
	"tool.result": ToolOutcome | undefined;
	"agent.start": { message: { content: string; display?: boolean } } | undefined;
	"agent.end": { action: "continue"; userMessage: string; maxContinuations?: number } | undefined;
	"changes.prompt": { append: string } | undefined;
}

/** A checked answer, or what is wrong with it. */
export type CheckedAnswer<Name extends EventName> = { answer: Answers[Name] } | { wrong: string };

/** Checks the answer of a handler. Nothing and an empty object mean "no change"; the rest must be as documented. */
export function checkAnswer<Name extends EventName>(event: Name, answer: Json | undefined): CheckedAnswer<Name> {
	if (isNothing(answer)) return { answer: undefined };
	if (!isObject(answer))
		return { wrong: `an answer is an object or nothing, not ${JSON.stringify(answer)?.slice(0, 80)}` };
	// The table pairs each name with its own answer type, which the compiler cannot follow through an index.
	return checks[event](answer) as CheckedAnswer<Name>;
}

const checks: { [Name in EventName]: (answer: JsonObject) => CheckedAnswer<Name> } = {
	// Its handlers only watch; Amp ignores what they return.
	"session.start": () => ({ answer: undefined }),
	"tool.call": checkToolCall,
	"tool.result"({ status, output, error }) {
		if (status !== "done" && status !== "error" && status !== "cancelled") {
			return { wrong: "status is done, error or cancelled" };
		}
		if (error !== undefined && typeof error !== "string") return { wrong: "error is a text" };
		return {
			answer: { status, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) },
		};
	},
	"agent.start"({ message }) {
		if (isNothing(message)) return { answer: undefined };
		if (!isObject(message) || typeof message.content !== "string") return { wrong: "message.content is a text" };
		const { content, display } = message;
		return { answer: { message: typeof display === "boolean" ? { content, display } : { content } } };
	},
	"agent.end"({ action, userMessage, maxContinuations }) {
		if (action !== "continue") return { wrong: 'action is "continue"' };
		if (typeof userMessage !== "string") return { wrong: "userMessage is a text" };
		if (maxContinuations === undefined) return { answer: { action, userMessage } };
		if (typeof maxContinuations !== "number" || !Number.isInteger(maxContinuations) || maxContinuations < 0) {
			return { wrong: "maxContinuations is a whole number of at least 0" };
		}
		return { answer: { action, userMessage, maxContinuations } };
	},
	"changes.prompt"({ append }) {
		if (isNothing(append)) return { answer: undefined };
		return typeof append === "string" ? { answer: { append } } : { wrong: "append is a text" };
	},
};

function checkToolCall(answer: JsonObject): CheckedAnswer<"tool.call"> {
	const { action, message, input, result } = answer;
	switch (action) {
		case "allow":
			return { answer: { action } };
		case "modify":
			return isObject(input) ? { answer: { action, input } } : { wrong: "modify needs an input object" };
		case "reject-and-continue":
		case "error":
			return typeof message === "string" ? { answer: { action, message } } : { wrong: `${action} needs a message` };
		case "synthesize": {
			if (!isObject(result) || typeof result.output !== "string") return { wrong: "synthesize needs result.output" };
			const { output, exitCode } = result;
			return { answer: { action, result: typeof exitCode === "number" ? { output, exitCode } : { output } } };
		}
		default:
			return { wrong: "action is allow, modify, reject-and-continue, synthesize or error" };
	}
}

function isNothing(value: Json | undefined): value is undefined | null {
	return value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);
}

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
