import type { SourcePosition } from "../errors.ts";
import type {
	ClientInfoParams,
	FailedParams,
	List,
	LogParams,
	MissingModule,
	ReadyTimings,
	StageParams,
	UiConfirmParams,
	UiInputParams,
	UiNotifyParams,
	UiSelectParams,
} from "../protocol.ts";
import type {
	CommandItem,
	ContentBlock,
	EventItem,
	Items,
	Json,
	JsonObject,
	Kind,
	LinkItem,
	ModeItem,
	SkillItem,
	StatusItem,
	ToolItem,
} from "../records.ts";
import { eventNames } from "../records.ts";
import type { WireError, WireErrorData } from "../wire-error.ts";

/**
 * Checks of what a well-behaved child says while it loads and answers, without the cost of loading zod.
 * A yes is as good as zod's, which a property test shows; after a no zod is asked, for its reasons.
 */
export const quick = {
	clientInfo: shape<ClientInfoParams>(
		{},
		{
			protocol: text,
			runtimeVersion: text,
			pid: number,
			codecs: listOf(text),
			guard: oneOf("socket", "descriptors", "console"),
			ms: number,
			spare: flag,
		},
	),
	stage: shape<StageParams>({ stage: oneOf("import", "activate"), ms: number }, {}),
	ready: shape<{ timings: ReadyTimings; lists?: object }>(
		{ timings: shape<ReadyTimings>({ imported: number, activated: number, registered: number, ready: number }, {}) },
		// What they hold is judged like the answer to a question for one.
		{ lists: object },
	),
	log: shape<LogParams>({ level: oneOf("error", "warn", "info", "debug"), message: text }, {}),
	changed: shape<{ revision: number }>({ revision: number }, {}),
	content: shape<{ content: ContentBlock[] }>({ content: listOf(contentBlock) }, {}),
	answer: shape<{ answer?: Json }>({}, { answer: (value) => value !== undefined }),
};

/** What an error may hold in turn; zod has the patience for more. */
const nestedErrorsMax = 8;

/** Parameters of calls that plugins make while they load, and of how that fails, by method. */
export const quickParams = {
	"client.info": quick.clientInfo,
	"runtime.failed": shape<FailedParams>(
		{
			stage: oneOf("client.info", "import", "activate"),
			error: wireError(nestedErrorsMax),
			positions: listOf(
				shape<SourcePosition>({ file: text, line: number, column: number }, { lineText: text, message: text }),
			),
		},
		{ missing: shape<MissingModule>({ specifier: text, referrer: text }, { note: text }), meant: text },
	),
	"status.create": shape<StatusItem>({ id: number, text }, { url: text }),
	"status.update": shape<StatusItem>({ id: number, text }, { url: text }),
	"status.remove": shape<{ id: number }>({ id: number }, {}),
	"skill.register": shape<{ path: string }>({ path: text }, {}),
	"ui.notify": shape<UiNotifyParams>({ message: text }, { call: number }),
	"ui.input": only<UiInputParams>(
		{},
		{
			title: text,
			helpText: text,
			initialValue: text,
			submitButtonText: text,
			secret: flag,
			fieldName: text,
			requireHuman: flag,
			call: number,
		},
	),
	"ui.confirm": only<UiConfirmParams>(
		{ title: text },
		{
			message: text,
			confirmButtonText: text,
			requireHuman: flag,
			fields: listOf(
				only<FormField>(
					{ type: oneOf("text", "image"), name: text, label: text, value: text },
					{ multiline: flag, optional: flag },
				),
			),
			call: number,
		},
	),
	"ui.select": only<UiSelectParams>(
		{ title: text, options: listOf(text) },
		{ allowOther: flag, message: text, initialValue: text, requireHuman: flag, call: number },
	),
};

type FormField = NonNullable<UiConfirmParams["fields"]>[number];

/** Checks one item of a kind. */
export const quickItem: { [K in Kind]: (value: unknown) => value is Items[K] } = {
	tool: shape<ToolItem>(
		{ name: text, description: text, inputSchema: object },
		{ title: text, transcriptGroup: shape({ active: text, complete: text }, {}) },
	),
	command: shape<CommandItem>({ id: text, title: text, availability }, { category: text, description: text }),
	skill: shape<SkillItem>({ name: text, description: text, path: text }, {}),
	event: shape<EventItem>({ name: oneOf(...eventNames), handler: number }, {}),
	mode: shape<ModeItem>({ key: text, label: text, agent: object }, { description: text, color: text }),
	link: shape<LinkItem>({ id: text, pattern: text, href: text }, {}),
};

/** Checks the frame of a list; its items are checked one by one. */
export const quickList: (value: unknown) => value is List<Kind> = shape<List<Kind>>(
	{ revision: number, items: Array.isArray },
	{},
);

type Check = (value: unknown) => boolean;
type RequiredKeys<Type> = { [Key in keyof Type]-?: object extends Pick<Type, Key> ? never : Key }[keyof Type];
type OptionalKeys<Type> = Exclude<keyof Type, RequiredKeys<Type>>;

/** An object with these members; others may stand beside them. */
function shape<Type>(
	required: Record<RequiredKeys<Type>, Check>,
	optional: Record<OptionalKeys<Type>, Check>,
): (value: unknown) => value is Type {
	const must = Object.entries<Check>(required);
	const may = Object.entries<Check>(optional);
	return (value): value is Type => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
		const members = value as Record<string, unknown>;
		for (const [name, check] of must) if (!Object.hasOwn(members, name) || !check(members[name])) return false;
		for (const [name, check] of may) if (Object.hasOwn(members, name) && !check(members[name])) return false;
		return true;
	};
}

/** An object with these members and no other, since a provider is given it as it is. */
function only<Type>(
	required: Record<RequiredKeys<Type>, Check>,
	optional: Record<OptionalKeys<Type>, Check>,
): (value: unknown) => value is Type {
	const isShaped = shape<Type>(required, optional);
	const names = new Set([...Object.keys(required), ...Object.keys(optional)]);
	return (value): value is Type => isShaped(value) && Object.keys(Object(value)).every((name) => names.has(name));
}

function flag(value: unknown): boolean {
	return typeof value === "boolean";
}

function text(value: unknown): boolean {
	return typeof value === "string";
}

function number(value: unknown): boolean {
	return typeof value === "number" && Number.isFinite(value);
}

function object(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function oneOf(...allowed: string[]): Check {
	return (value) => typeof value === "string" && allowed.includes(value);
}

function listOf(check: Check): Check {
	return (value) => Array.isArray(value) && value.every(check);
}

/** An error that holds others `depth` levels deep at most. */
function wireError(depth: number): Check {
	const nested: Check = (value) => depth > 0 && wireError(depth - 1)(value);
	return shape<WireError>(
		{ code: number, message: text },
		{
			data: shape<WireErrorData>(
				{ name: text },
				{ code: text, stack: text, hint: text, stage: text, cause: nested, errors: listOf(nested) },
			),
		},
	);
}

function availability(value: unknown): boolean {
	if (!object(value)) return false;
	return value.type === "disabled" ? text(value.reason) : value.type === "enabled" || value.type === "hidden";
}

function contentBlock(value: unknown): boolean {
	if (!object(value)) return false;
	if (value.type === "text") return text(value.text);
	if (value.type !== "image" || !text(value.mimeType)) return false;
	return text(value.data) ? value.url === undefined : text(value.url) && value.data === undefined;
}
