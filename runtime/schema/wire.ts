import { z } from "zod";
import type { SourcePosition } from "../errors.ts";
import type {
	ClientInfoParams,
	FailedParams,
	LinkMatch,
	LogParams,
	ModuleList,
	ReadyTimings,
	StageParams,
	UiConfirmParams,
	UiInputParams,
	UiNotifyParams,
	UiSelectParams,
} from "../protocol.ts";
import { findingCodes, type ValidationFinding } from "../protocol-validation.ts";
import type { ContentBlock, Items, Json, JsonObject, Kind, StatusItem } from "../records.ts";
import { eventNames, kinds } from "../records.ts";
import type { WireError } from "../wire-error.ts";
import { providerParamsSchemas } from "./providers.ts";

/** Schemas for everything that a child may say. Unknown members are dropped: newer children may send more. */
// What came over the wire is JSON already; walking it would cost far more than reading it did.
const json = z.custom<Json>((value) => value !== undefined, "expected JSON");
const jsonObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"expected an object",
);
const optionalText = z.string().exactOptional();
const optionalFlag = z.boolean().exactOptional();
const call = { call: z.number().exactOptional() };

const wireError: z.ZodType<WireError> = z.object({
	code: z.number(),
	message: z.string(),
	data: z
		.looseObject({
			name: z.string(),
			code: optionalText,
			stack: optionalText,
			hint: optionalText,
			stage: optionalText,
			get cause() {
				return wireError.exactOptional();
			},
			get errors() {
				return z.array(wireError).exactOptional();
			},
		})
		.exactOptional(),
});

const position = z.object({
	file: z.string(),
	line: z.number(),
	column: z.number(),
	lineText: optionalText,
	message: optionalText,
}) satisfies z.ZodType<SourcePosition>;

const availability = z.discriminatedUnion("type", [
	z.object({ type: z.literal("enabled") }),
	z.object({ type: z.literal("disabled"), reason: z.string() }),
	z.object({ type: z.literal("hidden") }),
]);

/** One item of each kind. */
export const itemSchemas = {
	tool: z.object({
		name: z.string(),
		title: optionalText,
		description: z.string(),
		inputSchema: jsonObject,
		transcriptGroup: z.object({ active: z.string(), complete: z.string() }).exactOptional(),
	}),
	command: z.object({
		id: z.string(),
		title: z.string(),
		category: optionalText,
		description: optionalText,
		availability,
	}),
	skill: z.object({ name: z.string(), description: z.string(), path: z.string() }),
	event: z.object({ name: z.enum(eventNames), handler: z.number() }),
	mode: z.object({
		key: z.string(),
		label: z.string(),
		description: optionalText,
		color: optionalText,
		agent: jsonObject,
	}),
	link: z.object({ id: z.string(), pattern: z.string(), href: z.string() }),
} satisfies { [K in Kind]: z.ZodType<Items[K]> };

const contentBlock = z.union([
	z.object({ type: z.literal("text"), text: z.string() }),
	z.object({
		type: z.literal("image"),
		mimeType: z.string(),
		data: z.string(),
	}),
	z.object({
		type: z.literal("image"),
		mimeType: z.string(),
		url: z.string(),
	}),
]) satisfies z.ZodType<ContentBlock>;

/** Parameters of a child's calls and notifications, by method. */
export const paramsSchemas = {
	"client.info": z.object({
		protocol: optionalText,
		runtimeVersion: optionalText,
		pid: z.number().exactOptional(),
		codecs: z.array(z.string()).exactOptional(),
		guard: z.enum(["socket", "descriptors", "console"]).exactOptional(),
		ms: z.number().exactOptional(),
		spare: z.boolean().exactOptional(),
	}) satisfies z.ZodType<ClientInfoParams>,
	"runtime.stage": z.object({
		stage: z.enum(["import", "activate"]),
		ms: z.number(),
	}) satisfies z.ZodType<StageParams>,
	"runtime.ready": z.object({
		timings: z.object({
			imported: z.number(),
			activated: z.number(),
			registered: z.number(),
			ready: z.number(),
		}) satisfies z.ZodType<ReadyTimings>,
	}),
	"runtime.failed": z.object({
		stage: z.enum(["client.info", "import", "activate"]),
		error: wireError,
		positions: z.array(position),
		missing: z.object({ specifier: z.string(), referrer: z.string(), note: optionalText }).exactOptional(),
		meant: optionalText,
	}) satisfies z.ZodType<FailedParams>,
	log: z.object({
		level: z.enum(["error", "warn", "info", "debug"]),
		message: z.string(),
	}) satisfies z.ZodType<LogParams>,
	changed: z.object({ revision: z.number() }),
	"validation.found": z.object({
		code: z.enum(findingCodes),
		kind: z.enum(kinds).exactOptional(),
		key: optionalText,
		error: wireError,
	}) satisfies z.ZodType<ValidationFinding>,
	"ui.notify": z.object({ message: z.string(), ...call }) satisfies z.ZodType<UiNotifyParams>,
	"ui.input": z.object({
		title: optionalText,
		helpText: optionalText,
		initialValue: optionalText,
		submitButtonText: optionalText,
		secret: optionalFlag,
		fieldName: optionalText,
		requireHuman: optionalFlag,
		...call,
	}) satisfies z.ZodType<UiInputParams>,
	"ui.confirm": z.object({
		title: z.string(),
		message: optionalText,
		confirmButtonText: optionalText,
		requireHuman: optionalFlag,
		fields: z
			.array(
				z.object({
					type: z.enum(["text", "image"]),
					name: z.string(),
					label: z.string(),
					value: z.string(),
					multiline: optionalFlag,
					optional: optionalFlag,
				}),
			)
			.exactOptional(),
		...call,
	}) satisfies z.ZodType<UiConfirmParams>,
	"ui.select": z.object({
		title: z.string(),
		options: z.array(z.string()),
		allowOther: optionalFlag,
		message: optionalText,
		initialValue: optionalText,
		requireHuman: optionalFlag,
		...call,
	}) satisfies z.ZodType<UiSelectParams>,
	"status.create": z.object({
		id: z.number(),
		text: z.string(),
		url: optionalText,
	}) satisfies z.ZodType<StatusItem>,
	"status.update": z.object({
		id: z.number(),
		text: z.string(),
		url: optionalText,
	}) satisfies z.ZodType<StatusItem>,
	"status.remove": z.object({ id: z.number() }),
	"skill.register": z.object({ path: z.string() }),
	"system.open": z.object({ url: z.string() }),
	"configuration.get": z.object({}),
	...providerParamsSchemas,
};

/** Results of the host's calls to a child. */
export const resultSchemas = {
	list: z.object({ revision: z.number(), items: z.array(z.unknown()) }),
	content: z.object({ content: z.array(contentBlock) }),
	answer: z.object({ answer: json.exactOptional() }),
	modules: z.object({ revision: z.number(), modules: z.array(z.string()) }) satisfies z.ZodType<ModuleList>,
	links: z.object({
		matches: z.array(z.object({ id: z.string(), start: z.number(), end: z.number(), href: z.string() })),
	}) satisfies z.ZodType<{ matches: LinkMatch[] }>,
	empty: z.object({}),
};

/** A result of zod as one line a problem: where, what was expected, what was there. */
export function explain(error: z.ZodError): string {
	return error.issues
		.slice(0, 5)
		.map((issue) => `${issue.path.length === 0 ? "it" : issue.path.join(".")}: ${issue.message}`)
		.join("; ");
}
