import { z } from "zod";
import { failure } from "../../runtime/errors.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { carry } from "./payload.ts";
import type { TurnScript } from "./turn-types.ts";

/**
 * Checks a script of a turn and gives back a copy; a member that nobody knows is a mistake too, since it would test nothing.
 *
 * @param what the script is called in an error
 * @throws BroodError `usage` that names each mistake by its path
 */
export function parseTurnScript(given: unknown, what = "The script of the turn"): TurnScript {
	const copy: JsonObject = carry(given, (reason) =>
		failure("usage", { reason: `${what} cannot be played: ${reason}` }),
	);
	const parsed = script.safeParse(copy, { reportInput: true });
	if (parsed.success) return parsed.data;
	const problems = parsed.error.issues.slice(0, problemsMax).map(describeIssue);
	throw failure("usage", { reason: `${what} cannot be played: ${problems.join("; ")}` });
}

const problemsMax = 5;

// The copy is JSON; walking it again could exhaust the stack.
const anyJSON = z.custom<Json>((value) => value !== undefined, "expected JSON");
const anyObject = z.custom<JsonObject>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	"expected an object",
);
const status = z.enum(["done", "error", "cancelled"]);
const tool = z
	.strictObject({
		tool: z.string().min(1),
		input: anyObject.exactOptional(),
		result: anyJSON.exactOptional(),
		error: z.string().exactOptional(),
		expect: z
			.strictObject({
				decision: z.enum(["allow", "modify", "reject-and-continue", "synthesize", "error"]).exactOptional(),
				gate: z.string().exactOptional(),
				input: anyObject.exactOptional(),
				source: z.enum(["plugin", "script", "gate", "nobody"]).exactOptional(),
				status: status.exactOptional(),
				output: anyJSON.exactOptional(),
				error: z.string().exactOptional(),
			})
			.exactOptional(),
	})
	.refine((call) => call.result === undefined || call.error === undefined, "give it a result or an error, not both");
const round = {
	start: z
		.strictObject({ expect: z.strictObject({ messages: anyJSON.exactOptional() }).exactOptional() })
		.exactOptional(),
	tools: z.array(tool).exactOptional(),
	reply: z.string().exactOptional(),
	end: z
		.strictObject({
			status: status.exactOptional(),
			expect: z
				.strictObject({
					continue: z.union([z.string(), z.literal(false)]).exactOptional(),
					plugin: z.string().exactOptional(),
				})
				.exactOptional(),
		})
		.exactOptional(),
};
const script = z.strictObject({
	...round,
	message: z.string(),
	thread: z.string().min(1).exactOptional(),
	session: z.boolean().exactOptional(),
	rounds: z.array(z.strictObject(round)).exactOptional(),
}) satisfies z.ZodType<TurnScript>;

function describeIssue({ path, message, input }: z.core.$ZodIssue): string {
	const place = path.reduce<string>(
		(text, key) => (typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`),
		"",
	);
	const got = input === undefined || typeof input === "object" ? "" : `, not ${JSON.stringify(input)?.slice(0, 80)}`;
	return `${place === "" ? "" : `${place}: `}${message}${got}`;
}
