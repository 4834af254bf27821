/** A message of a thread. */
export type ThreadMessage = ThreadUserMessage | ThreadAssistantMessage | ThreadInfoMessage;

export interface ThreadUserMessage {
	role: "user";
	id: string;
	content: (TextContent | ToolResultContent)[];
}

export interface ThreadAssistantMessage {
	role: "assistant";
	id: string;
	content: (TextContent | ThinkingContent | ToolUseContent)[];
}

/** A remark of the host. */
export interface ThreadInfoMessage {
	role: "info";
	id: string;
	content: TextContent[];
}

export interface TextContent {
	type: "text";
	text: string;
}

/** What a model thought before it answered. */
export interface ThinkingContent {
	type: "thinking";
	thinking: string;
}

/** A call of a tool by the model. */
export interface ToolUseContent {
	type: "tool_use";
	id: string;
	name: string;
	input: Record<string, unknown>;
}

/** What became of the tool call with the id `toolUseID`; done, error and cancelled are terminal. */
export interface ToolResultContent {
	type: "tool_result";
	toolUseID: string;
	output?: unknown;
	status: "done" | "error" | "cancelled" | "running" | "pending";
}
