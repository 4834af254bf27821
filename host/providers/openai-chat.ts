import { failure, messageOf, read } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { createRedactor } from "../../runtime/redact.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import { adapted, type ChatRequest, chatBody } from "./openai-body.ts";

export interface ChatParts {
	/** Of `chat/completions`. */
	url: URL;
	key: string | undefined;
	limits: Limits["ai"];
}

type Chat = (subject: string, request: ChatRequest, context: AskContext) => Promise<string>;

/**
 * Makes what asks a server for the text of one answer. A server that is busy is asked once more, one that refuses a
 * part of the request without that part.
 */
export function createChat({ url, key, limits }: ChatParts): Chat {
	const headers = {
		"content-type": "application/json",
		accept: "application/json",
		...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
	};

	async function post(body: JsonObject, { signal }: AskContext): Promise<Reply> {
		const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
		const text = await textOf(response, limits.answerBytesMax);
		const waitMs = retryAfterMs(response.headers.get("retry-after"));
		return { status: response.status, text, ...(waitMs === undefined ? {} : { waitMs }) };
	}

	async function patient(body: JsonObject, context: AskContext): Promise<Reply> {
		const reply = await post(body, context);
		if (reply.status !== 429 && reply.status < 500) return reply;
		const { waitMs = unaskedWaitMs } = reply;
		if (reply.status === 501 || waitMs > limits.retryAfterMsMax) return reply;
		await sleep(waitMs, context.signal);
		return post(body, context);
	}

	return async (subject, request, context) => {
		const redactor = createRedactor();
		// Servers quote what they refuse.
		for (const secret of [key, request.prompt, request.system]) if (secret !== undefined) redactor.learn(secret);
		const failed = (reason: string) =>
			failure("provider_failed", { provider: "ai", plugin: context.plugin, subject, reason: redactor.text(reason) });
		const asked = async (body: JsonObject) => {
			try {
				return await patient(body, context);
			} catch (error) {
				if (context.signal.aborted) throw context.signal.reason;
				// What follows the first sentence is advice for whoever wrote this program.
				throw failed(`no answer from ${url.origin}: ${messageOf(error).split(". ")[0]}`);
			}
		};

		let body = chatBody(request);
		let reply = await asked(body);
		for (let tries = 0; tries < adaptionsMax && refusals.has(reply.status); tries += 1) {
			const other = adapted(body, request, serverMessage(reply.text));
			if (other === undefined) break;
			body = other;
			reply = await asked(body);
		}
		const { status, text, waitMs } = reply;
		if (status < 200 || status > 299) {
			const wait = waitMs === undefined ? "" : `, and asks to wait ${Math.ceil(waitMs / 1_000)} s`;
			const said = redactor.text(serverMessage(text)).slice(0, messageCharsMax);
			const message = quotes(said, [request.prompt, request.system ?? ""]) ? "it quotes the request" : said;
			throw failed(`${url.origin} answered ${status}${wait}${message === "" ? "" : `: ${message}`}`);
		}
		const answer = answerOf(text, request.schema !== undefined);
		if ("problem" in answer) throw failed(`${url.origin}: ${answer.problem}`);
		return answer.text;
	};
}

interface Reply {
	status: number;
	text: string;
	waitMs?: number;
}

/** Statuses of a server that does not know a part of the request. */
const refusals = new Set([400, 415, 422, 501]);
// One a part that can be left out.
const adaptionsMax = 3;
// What a server that is busy and names no time is given.
const unaskedWaitMs = 500;
const messageCharsMax = 300;

/** Reads an answer up to its limit, in bytes. */
async function textOf(response: Response, bytesMax: number): Promise<string> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of response.body ?? []) {
		length += chunk.byteLength;
		if (length > bytesMax) throw new Error(`it sent more than ${bytesMax} bytes`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

/** The wait that a server asks for: seconds, or a date. */
function retryAfterMs(header: string | null): number | undefined {
	if (header === null) return undefined;
	const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const giveUp = () => {
			clearTimeout(timer);
			reject(signal.reason);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener("abort", giveUp);
			resolve();
		}, ms);
		signal.addEventListener("abort", giveUp, { once: true });
	});
}

/** What a server says is wrong, in whichever of the usual places; nothing of a page. */
function serverMessage(text: string): string {
	const said = parsed(text);
	const error = member(said, "error");
	const message = [member(error, "message"), error, member(said, "message"), member(said, "detail")].find(isText) ?? "";
	return message.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
}

/** Whether a message repeats a part of what it was asked, which is nobody else's to read. */
function quotes(message: string, texts: string[]): boolean {
	for (let start = 0; start + quoteChars <= message.length; start += 1) {
		const part = message.slice(start, start + quoteChars);
		if (texts.some((text) => text.includes(part))) return true;
	}
	return false;
}

// Fewer stand in any two texts by chance.
const quoteChars = 16;

function answerOf(text: string, isStructured: boolean): { text: string } | { problem: string } {
	const said = parsed(text);
	if (said === undefined) return { problem: text.trim() === "" ? "its answer is empty" : "its answer is no JSON" };
	const choices = member(said, "choices");
	const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
	const message = member(choice, "message");
	if (isText(member(message, "refusal"))) return { problem: "the model refused to answer" };
	const content = contentOf(member(message, "content"));
	if (content === undefined) return { problem: "its answer has no choices[0].message.content" };
	if (isStructured && member(choice, "finish_reason") === "length") {
		return { problem: "the answer was cut at its largest number of tokens" };
	}
	return { text: content };
}

/** A text, or the text parts of a list. */
function contentOf(content: unknown): string | undefined {
	if (!Array.isArray(content)) return typeof content === "string" ? content : undefined;
	return content
		.map((part: unknown) => member(part, "text"))
		.filter(isText)
		.join("");
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function member(value: unknown, name: string): unknown {
	return typeof value === "object" && value !== null ? read(value, name) : undefined;
}

function isText(value: unknown): value is string {
	return typeof value === "string" && value !== "";
}
