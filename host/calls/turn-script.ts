import { z } from "zod";
import { failure } from "../../runtime/errors.ts";
import { nearest } from "../../runtime/near.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { carry } from "./payload.ts";
import type { TurnScript } from "./turn-types.ts";

/** Where a script comes from, for errors. */
export interface ScriptSource {
	/** What it is called, as the beginning of a sentence. */
	what: string;
	/** The place of a member, or of the nearest around it: `turn.yaml:7:3`; undefined where it is not known. */
	locate?(path: readonly PropertyKey[]): string | undefined;
}

/**
 * Checks a script of a turn and gives back a copy; a member that nobody knows is a mistake too, since it would test nothing.
 *
 * @throws BroodError `usage` that names each mistake by its path, and by its place where the source knows it
 */
export function parseTurnScript(given: unknown, { what, locate }: ScriptSource = ownSource): TurnScript {
	const copy: JsonObject = carry(given, (reason) =>
		failure("usage", { reason: `${what} cannot be played: ${reason}` }),
	);
	const parsed = script.safeParse(copy, { reportInput: true });
	if (parsed.success) return parsed.data;
	const { issues } = parsed.error;
	const problems = issues.slice(0, problemsMax).map((issue) => describeIssue(issue, locate));
	if (issues.length > problemsMax) problems.push(`and ${issues.length - problemsMax} more`);
	throw failure("usage", { reason: `${what} cannot be played: ${problems.join("; ")}` });
}

const ownSource: ScriptSource = { what: "The script of the turn" };
const problemsMax = 5;

/** An object with these members and no other. */
function members<Shape extends z.ZodRawShape>(shape: Shape) {
	const names = Object.keys(shape);
	return z.strictObject(shape, {
		error: ({ code, keys }) => {
			if (code !== "unrecognized_keys" || !Array.isArray(keys)) return `it is an object of ${names.join(", ")}`;
			return keys.map((key) => describeUnknown(String(key), names)).join(", ");
		},
	});
}

function describeUnknown(key: string, names: string[]): string {
	const meant = nearest(key, names);
	const hint = meant === undefined ? `there are ${names.join(", ")}` : `is it "${meant}"?`;
	return `there is no "${key}" here; ${hint}`;
}

function oneOf<const Values extends readonly string[]>(values: Values) {
	return z.enum(values, `it is one of ${values.join(", ")}`);
}

const text = z.string("it is a text");
// The copy is JSON; walking it again could exhaust the stack.
const anyJSON = z.custom<Json>((value) => value !== undefined, "it is a value");
const anyObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"it is an object",
);
const toolStatus = oneOf(["done", "error", "cancelled"]);
const endStatus = oneOf(["done", "error", "interrupted", "cancelled"]);
const tool = members({
	tool: z.string("it is the name of a tool").min(1, "it is the name of a tool"),
	input: anyObject.exactOptional(),
	result: anyJSON.exactOptional(),
	error: text.exactOptional(),
	expect: members({
		decision: oneOf(["allow", "modify", "reject-and-continue", "synthesize", "error"]).exactOptional(),
		gate: z.string("it is the name of the plugin that decided").exactOptional(),
		input: anyObject.exactOptional(),
		source: oneOf(["plugin", "script", "gate", "nobody"]).exactOptional(),
		status: toolStatus.exactOptional(),
		output: anyJSON.exactOptional(),
		error: text.exactOptional(),
	}).exactOptional(),
}).refine((call) => call.result === undefined || call.error === undefined, "give it a result or an error, not both");
const messages = z.array(
	z.union([z.string(), anyObject], "it is the content of a message, or an object with it, as in { content: be nice }"),
	"it is the list of all messages that plugins add: of each its content, or an object with it",
);
const round = {
	start: members({ expect: members({ messages: messages.exactOptional() }).exactOptional() }).exactOptional(),
	tools: z.array(tool, "it is a list of tool calls, as in [{ tool: Bash }]").exactOptional(),
	reply: z.string("it is what the agent says at the end, a text").exactOptional(),
	end: members({
		status: endStatus.exactOptional(),
		expect: members({
			status: endStatus.exactOptional(),
			error: text.exactOptional(),
			continue: z
				.union([z.string(), z.literal(false)], "it is the user message that a plugin goes on with, or false for none")
				.exactOptional(),
			plugin: z.string("it is the name of the plugin that goes on").exactOptional(),
		}).exactOptional(),
	}).exactOptional(),
};
const script = members({
	...round,
	message: z.string("it is what the person says, a text"),
	thread: z.string("it is the id of a thread").min(1, "it is the id of a thread").exactOptional(),
	session: z.boolean("it is true or false").exactOptional(),
	rounds: z
		.array(members(round), "it is a list of rounds, one for each time that a plugin goes on, as in [{ reply: ok }]")
		.exactOptional(),
}) satisfies z.ZodType<TurnScript>;

function describeIssue(issue: z.core.$ZodIssue, locate: ScriptSource["locate"]): string {
	const { path, message, input } = issue;
	const isUnknown = issue.code === "unrecognized_keys";
	const place = locate?.(isUnknown ? [...path, ...issue.keys.slice(0, 1)] : path);
	const name = writePath(path);
	const subject = [place, name === "" ? undefined : name].filter((part) => part !== undefined);
	const isMissing = input === undefined;
	// Nothing is wrong with the kind of an object whose members contradict each other.
	const isWhole = isUnknown || (issue.code === "custom" && isPlainObject(input));
	const told = isMissing ? `it is missing: ${message}` : isWhole ? message : `${message}, not ${describeInput(input)}`;
	return [...subject, told].join(": ");
}

function writePath(path: readonly PropertyKey[]): string {
	return path.reduce<string>(
		(text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
		"",
	);
}

function describeInput(input: unknown): string {
	if (Array.isArray(input)) return "a list";
	if (typeof input === "object" && input !== null) return "an object";
	const written = JSON.stringify(input) ?? String(input);
	return written.length > quoteCharsMax ? `${written.slice(0, quoteCharsMax)}…` : written;
}

function isPlainObject(value: unknown): boolean {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Enough to see which value is meant.
const quoteCharsMax = 80;
