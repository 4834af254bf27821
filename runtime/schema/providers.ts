import { z } from "zod";
import { Bytes } from "../bytes.ts";
import type {
	AgentDefinitionParams,
	AgentRunParams,
	AgentThreadParams,
	AIAskParams,
	AIGenerateParams,
	AttachmentParams,
	ConfigurationDeleteParams,
	ConfigurationUpdateParams,
	KeepAlive,
	WebhookCreateParams,
} from "../protocol-providers.ts";
import type { Json, JsonObject } from "../records.ts";

const text = z.string();
const optionalText = text.exactOptional();
const jsonObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"expected an object",
);

const target = z.enum(["workspace", "global"]);

const aiOptions = {
	threadID: optionalText,
	model: optionalText,
	reasoningEffort: optionalText,
	system: optionalText,
	maxTokens: z.int().positive().exactOptional(),
};

const json = z.custom<Json>((value) => value !== undefined, "expected JSON");
const toolNames = z.array(text);

/** An agent as a plugin, or the host, defined it. */
export const agentDefinition: z.ZodType<AgentDefinitionParams> = z.object({
	name: optionalText,
	get extends() {
		return z.union([text, agentDefinition]).exactOptional();
	},
	model: optionalText,
	instructions: optionalText,
	tools: z
		.union([
			toolNames,
			z.literal("all"),
			z.strictObject({
				include: z.union([toolNames, z.literal("all")]).exactOptional(),
				add: toolNames.exactOptional(),
				exclude: toolNames.exactOptional(),
			}),
		])
		.exactOptional(),
	reasoningEffort: optionalText,
	oracle: json.exactOptional(),
	subagents: json.exactOptional(),
	compactionThresholdTokens: z.int().positive().exactOptional(),
	features: json.exactOptional(),
	display: z.object({ label: optionalText, color: optionalText }).exactOptional(),
});

/** Parameters of the calls that a provider of the host answers, by method. */
export const providerParamsSchemas = {
	"ai.ask": z.object({ question: text, ...aiOptions }) satisfies z.ZodType<AIAskParams>,
	"ai.generate": z.object({
		prompt: text,
		schema: z.object({ name: text, description: optionalText, jsonSchema: jsonObject }).exactOptional(),
		...aiOptions,
	}) satisfies z.ZodType<AIGenerateParams>,
	"configuration.update": z.object({ partial: jsonObject, target }) satisfies z.ZodType<ConfigurationUpdateParams>,
	"configuration.delete": z.object({ key: text, target }) satisfies z.ZodType<ConfigurationDeleteParams>,
	"executor.release": z.object({ id: z.number() }) satisfies z.ZodType<KeepAlive>,
	"agent.run": z.object({
		definition: agentDefinition,
		message: text,
		options: jsonObject.exactOptional(),
	}) satisfies z.ZodType<AgentRunParams>,
	"agent.createThread": z.object({
		definition: agentDefinition,
		options: jsonObject.exactOptional(),
	}) satisfies z.ZodType<AgentThreadParams>,
	"attachments.upload": z.object({
		data: z.union([text, z.instanceof(Bytes)]),
		mimeType: text,
	}) satisfies z.ZodType<AttachmentParams>,
	"webhook.create": z.object({
		key: text.min(1).max(128),
		headers: z.array(text.regex(/^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/)).max(64),
	}) satisfies z.ZodType<WebhookCreateParams>,
};
