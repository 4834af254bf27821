import type { z } from "zod";
import { failure } from "../../runtime/errors.ts";
import type { Json } from "../../runtime/records.ts";
import type { ThreadRole, ThreadSubscribeParams } from "../../runtime/threads.ts";
import { type ProviderCall, wrongAnswer } from "../base/provider-failure.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { ThreadAgent, ThreadsProvider } from "../contracts/threads.ts";

type Schemas = typeof import("../../runtime/schema/threads.ts");
type Method = keyof Schemas["threadArguments"];
type Given<Name extends Method> = z.infer<Schemas["threadArguments"][Name]>;
/** A call of one thread, its arguments parsed. */
export type ThreadCall = { [Name in Method]: { id: string; method: Name; given: Given<Name> } }[Method];

/** Parses the parameters of `thread.call`. @throws BroodError `invalid_params`, or `method_not_found` */
export async function parseThreadCall(plugin: string, params: unknown): Promise<ThreadCall> {
	const { threadParams, threadArguments } = await threadSchemas();
	const { id, method, args } = parse(threadParams["thread.call"], params, { plugin, subject: "thread.call" });
	const subject = threadSubject(method);
	if (!isMethod(method, threadArguments)) throw failure("method_not_found", { subject });
	const schema: z.ZodType = threadArguments[method];
	// Each schema gives what its method is called with, which the compiler does not follow through the table.
	return { id, method, given: parse(schema, given(args), { plugin, subject }) } as ThreadCall;
}

/** Parses the parameters of `thread.subscribe` and `thread.unsubscribe`. @throws BroodError `invalid_params` */
export async function parseThreadSubscribe(plugin: string, params: unknown): Promise<ThreadSubscribeParams> {
	const { threadParams } = await threadSchemas();
	return parse(threadParams["thread.subscribe"], params, { plugin, subject: "thread.subscribe" });
}

/** JSON carries an absent argument as null; those at the end were not given. */
function given(args: Json[]): Json[] {
	return args.slice(0, args.findLastIndex((argument) => argument !== null) + 1);
}

/** How a member of a thread is written, for messages. */
export function threadSubject(member: string): string {
	return `threads.get(…).${member}`;
}

/** Asks the provider, and checks what it answers where a plugin relies on the shape. */
export async function answerThreadCall(
	threads: ThreadsProvider,
	{ id, method, given }: ThreadCall,
	context: AskContext,
): Promise<Json | undefined> {
	const { threadAnswers } = await threadSchemas();
	const call = { provider: "threads", subject: threadSubject(method), plugin: context.plugin };
	const checked = <Value>(schema: z.ZodType<Value>, value: unknown) => told(schema, value, call);
	switch (method) {
		case "title.get":
			return checked(threadAnswers.title, await threads.title(id, context));
		case "state.get":
			return checked(threadAnswers.state, await threads.state(id, context));
		case "agent":
			return agentOf(checked(threadAnswers.agent, await threads.agent(id, context)));
		case "parentThreadID":
			return checked(threadAnswers.parentThreadID, await threads.parentThreadID(id, context));
		case "waitForResponse": {
			const response = await threads.waitForResponse(id, { timeoutMs: given[0]?.timeoutMs ?? responseMs }, context);
			return asJson(checked(threadAnswers.response, response));
		}
		case "cancel":
			return nothing(threads.cancel(id, context));
		case "setVisibility":
			return nothing(threads.setVisibility(id, given[0], context));
		case "setMultiplayer":
			return nothing(threads.setMultiplayer(id, { ttlSeconds: given[0]?.ttlSeconds ?? null }, context));
		case "messages": {
			const messages = await threads.messages(id, { ...firstPage, ...given[0] }, context);
			return asJson(checked(threadAnswers.messages, messages));
		}
		case "append":
			for (const { content } of given[0]) await threads.append(id, { content, steer: false }, context);
			return undefined;
		case "appendUserMessage": {
			const [message, options] = given;
			const content = typeof message === "string" ? message : message.content;
			return nothing(threads.append(id, { content, steer: options?.steer ?? false }, context));
		}
	}
}

// Amp's own default, in milliseconds.
const responseMs = 10 * 60_000;
const roles: ThreadRole[] = ["user", "assistant", "info"];
const firstPage = { full: false, from: "end" as const, offset: 0, limit: 10, roles };

async function nothing(done: Promise<void>): Promise<undefined> {
	await done;
}

/** A host that names no agent answers as its middle mode. */
function agentOf(agent: ThreadAgent = "medium"): Json {
	return typeof agent === "string" ? agent : asJson(agent);
}

/** What passed a schema of the wire is JSON. */
function asJson(value: object): Json {
	return value as Json;
}

function isMethod(name: string, table: object): name is Method {
	return Object.hasOwn(table, name);
}

function parse<Value>(schema: z.ZodType<Value>, value: unknown, facts: { plugin: string; subject: string }): Value {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw failure("invalid_params", { ...facts, reason: explained(result.error) });
}

function told<Value>(schema: z.ZodType<Value>, value: unknown, call: ProviderCall): Value {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw wrongAnswer(call, explained(result.error));
}

function explained({ issues }: z.ZodError): string {
	return issues
		.slice(0, 5)
		.map(({ path, message }) => `${path.length === 0 ? "it" : path.join(".")}: ${message}`)
		.join("; ");
}

// Several imports at once settle in any order, and calls made in one turn would change places.
let loading: Promise<Schemas> | undefined;

function threadSchemas(): Promise<Schemas> {
	loading ??= import("../../runtime/schema/threads.ts");
	return loading;
}
