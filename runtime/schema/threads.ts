import { z } from "zod";
import { longestTimerMs } from "../limits.ts";
import type { Json, JsonObject } from "../records.ts";
import {
	type AssistantMessage,
	type InfoMessage,
	type ThreadCallParams,
	type ThreadMessage,
	type ThreadSubscribeParams,
	threadStates,
	type UserMessage,
} from "../threads.ts";
import { agentDefinition } from "./providers.ts";

/** Schemas for what plugins ask of threads, what providers answer, and files of threads. */
const json = z.custom<Json>((value) => value !== undefined, "expected JSON");
const jsonObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"expected an object",
);
const text = z.object({ type: z.literal("text"), text: z.string() });
const thinking = z.object({ type: z.literal("thinking"), thinking: z.string() });
const toolUse = z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: jsonObject });
const toolResult = z.object({
	type: z.literal("tool_result"),
	toolUseID: z.string(),
	output: json.exactOptional(),
	status: z.enum(["done", "error", "cancelled", "running", "pending"]),
});
const role = z.enum(["user", "assistant", "info"]);
const userContent = z.array(z.discriminatedUnion("type", [text, toolResult]));
const assistantContent = z.array(z.discriminatedUnion("type", [text, thinking, toolUse]));

const userMessage = z.object({
	role: z.literal("user"),
	id: z.string(),
	content: userContent,
}) satisfies z.ZodType<UserMessage>;
const assistantMessage = z.object({
	role: z.literal("assistant"),
	id: z.string(),
	content: assistantContent,
}) satisfies z.ZodType<AssistantMessage>;
const infoMessage = z.object({
	role: z.literal("info"),
	id: z.string(),
	content: z.array(text),
}) satisfies z.ZodType<InfoMessage>;

const threadState = z.enum(threadStates);
const threadMessage = z.discriminatedUnion("role", [
	userMessage,
	assistantMessage,
	infoMessage,
]) satisfies z.ZodType<ThreadMessage>;

/** Parameters of what a child asks of threads, by method of the wire. */
export const threadParams = {
	"thread.call": z.object({
		id: z.string(),
		method: z.string(),
		args: z.array(json),
	}) satisfies z.ZodType<ThreadCallParams>,
	"thread.subscribe": z.object({
		id: z.string(),
		name: z.enum(["title", "state"]),
	}) satisfies z.ZodType<ThreadSubscribeParams>,
};

/** What a provider answers, where a plugin relies on its shape. */
/** A definition, or the key of a mode. */
const threadAgent = z.union([z.string().min(1), agentDefinition], {
	error: "expected an agent definition or the key of a mode",
});

export const threadAnswers = {
	title: z.string(),
	state: threadState,
	agent: threadAgent.optional(),
	parentThreadID: z.string().nullable(),
	response: assistantMessage,
	messages: z.array(threadMessage),
};

const content = z
	.union([z.string(), z.array(text)], { error: "expected a text, or blocks of text" })
	.transform((given) => (typeof given === "string" ? given : given.map((block) => block.text).join("\n")));
const appended = z.object({ type: z.literal("user-message").optional(), content });

/** The most messages that one page holds. */
const pageMessagesMax = 20;

/** Arguments of the methods of a thread, by their names in the plugin API, without the absent ones at the end. */
export const threadArguments = {
	"title.get": z.tuple([]),
	"state.get": z.tuple([]),
	agent: z.tuple([]),
	parentThreadID: z.tuple([]),
	waitForResponse: z.tuple([z.object({ timeoutMs: z.number().min(0).max(longestTimerMs).exactOptional() }).optional()]),
	cancel: z.tuple([]),
	setVisibility: z.tuple([z.enum(["private", "workspace"])]),
	setMultiplayer: z.tuple([z.object({ ttlSeconds: z.number().int().min(1).nullable() }).optional()]),
	messages: z.tuple([
		z
			.object({
				full: z.boolean().exactOptional(),
				from: z.enum(["start", "end"]).exactOptional(),
				offset: z.number().int().min(0).exactOptional(),
				// A page is no larger than it may be; who asks for more pages on, as in Amp.
				limit: z
					.number()
					.int()
					.min(1)
					.transform((limit) => Math.min(limit, pageMessagesMax))
					.exactOptional(),
				roles: z.array(role).exactOptional(),
			})
			.optional(),
	]),
	append: z.tuple([z.array(appended)]),
	appendUserMessage: z.tuple([
		z.union([content, appended], { error: 'expected a text, or { type: "user-message", content }' }),
		z.object({ steer: z.boolean().exactOptional() }).optional(),
	]),
};

const textOrBlocks = "expected a text, or a list of blocks that such a message may have";

/** A message in a file; the store gives an id to one that has none. */
const written = z.discriminatedUnion("role", [
	userMessage.partial({ id: true }).extend({ content: z.union([z.string(), userContent], { error: textOrBlocks }) }),
	assistantMessage
		.partial({ id: true })
		.extend({ content: z.union([z.string(), assistantContent], { error: textOrBlocks }) }),
	infoMessage.partial({ id: true }).extend({ content: z.union([z.string(), z.array(text)], { error: textOrBlocks }) }),
]);

const threadInFile = z.strictObject({
	id: z.string().min(1),
	title: z.string().exactOptional(),
	state: threadState.exactOptional(),
	parentThreadID: z.string().nullable().exactOptional(),
	agent: threadAgent.exactOptional(),
	visibility: z.enum(["private", "workspace"]).exactOptional(),
	messages: z.array(written).exactOptional(),
});

/** The file of `--threads`; a list of threads alone is wrapped before. */
export const threadFile = z.strictObject({
	threads: z.array(threadInFile),
	active: z.string().nullable().exactOptional(),
});
