import { describe, expect, test } from "bun:test";
import { type OpenAIOptions, openAI } from "../../../../host/providers/openai.ts";
import { rejection } from "../../runtime/support.ts";
import { type ChatServer, chatServer, completion, refusal } from "./openai-support.ts";

const context = { plugin: "p", signal: new AbortController().signal };
const schema = {
	name: "n",
	jsonSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
};
const judgement = JSON.stringify({ result: "no", probability: 0.1, reason: "r" });

async function generated(server: ChatServer, request: object = {}, options: Partial<OpenAIOptions> = {}) {
	return openAI({ url: server.url, ...options }).generate({ prompt: "the prompt", ...request }, context);
}

describe("a request", () => {
	test("carries what the plugin passed, in the words of the protocol", async () => {
		await using server = chatServer(() => completion("text"));
		const options = { system: "s", model: "maker/m", maxTokens: 7, reasoningEffort: "low", threadID: "T-1" };
		expect(await generated(server, options, { model: "standard", key: "key-1" })).toBe("text");
		expect(server.asked[0]?.body).toEqual({
			model: "maker/m",
			messages: [
				{ role: "system", content: "s" },
				{ role: "user", content: "the prompt" },
			],
			max_tokens: 7,
			reasoning_effort: "low",
		});
		expect(server.asked[0]?.headers.get("authorization")).toBe("Bearer key-1");
	});

	test("names the model of the host where the plugin names none, and no key where there is none", async () => {
		await using server = chatServer(() => completion("text"));
		await generated(server, {}, { model: "standard" });
		await generated(server, {}, { model: "", key: "" });
		expect(server.asked.map(({ body }) => body.model)).toEqual(["standard", undefined]);
		expect(server.asked[1]?.headers.has("authorization")).toBe(false);
	});

	test("has the key without the line break of the file it came from, and shows none that no header can carry", async () => {
		await using server = chatServer(() => completion("text"));
		await generated(server, {}, { key: "key-1\n" });
		expect(server.asked[0]?.headers.get("authorization")).toBe("Bearer key-1");
		const error = await rejection(generated(server, {}, { key: "canary\nkey" }));
		expect(error).toMatchObject({ code: "provider_failed" });
		expect(String(error)).not.toContain("canary");
	});

	test.each([
		["", "/v1/chat/completions"],
		["/", "/v1/chat/completions"],
		["/v1", "/v1/chat/completions"],
		["/v1/", "/v1/chat/completions"],
		["/api/v3", "/api/v3/chat/completions"],
		["/v1/chat/completions", "/v1/chat/completions"],
		["/x?version=1", "/x/chat/completions?version=1"],
	])("to a url that ends in %j goes to %s", async (path, expected) => {
		await using server = chatServer(() => completion("text"));
		await generated(server, {}, { url: server.url + path });
		expect(server.asked[0]?.path).toBe(expected);
	});

	test("needs an http or https url", () => {
		for (const url of ["", "localhost:1", "file:///x", "no url"]) expect(() => openAI({ url })).toThrow("http://");
	});
});

describe("an object", () => {
	test("is asked for by its schema, and with the problems of the answer before it", async () => {
		await using server = chatServer(() => completion('{"a":"x"}'));
		expect(await generated(server, { schema, problems: ["a must be string"] })).toEqual({ a: "x" });
		const { body } = server.asked[0] ?? {};
		expect(body?.response_format).toEqual({
			type: "json_schema",
			json_schema: { name: "n", schema: schema.jsonSchema, strict: false },
		});
		expect(JSON.stringify(body?.messages)).toContain("a must be string");
	});

	test("is found in a block of code, and what holds none is given back as it is", async () => {
		await using server = chatServer((_, count) =>
			completion(count === 1 ? 'So:\n```json\n{"a":"x"}\n```' : "no {object"),
		);
		expect(await generated(server, { schema })).toEqual({ a: "x" });
		expect(await generated(server, { schema })).toBe("no {object");
	});

	test("is asked for in words where a server refuses a schema", async () => {
		await using server = chatServer(({ body }) =>
			"response_format" in body ? refusal(400, "response_format is not supported") : completion('{"a":"x"}'),
		);
		expect(await generated(server, { schema, system: "s" })).toEqual({ a: "x" });
		expect(server.asked).toHaveLength(2);
		const [system, user] = (server.asked[1]?.body.messages ?? []) as { role: string; content: string }[];
		expect(system?.content).toStartWith("s\n\n");
		expect(system?.content).toContain(JSON.stringify(schema.jsonSchema));
		expect(user).toEqual({ role: "user", content: "the prompt" });
	});

	test("that was cut is an error of its own, a text that was cut is a text", async () => {
		await using server = chatServer(() => completion('{"a":', { finish_reason: "length" }));
		expect(await rejection(generated(server, { schema }))).toMatchObject({
			code: "provider_failed",
			message: expect.stringContaining("cut at its largest number of tokens"),
		});
		expect(await generated(server)).toBe('{"a":');
	});
});

test("a server that knows other names of options, or none, is asked without them", async () => {
	await using server = chatServer(({ body }) => {
		if ("max_tokens" in body) return refusal(400, "Use 'max_completion_tokens' instead of 'max_tokens'.");
		if ("reasoning_effort" in body) return refusal(422, "unknown field reasoning_effort");
		return "response_format" in body ? refusal(400, "no") : completion('{"a":"x"}');
	});
	expect(await generated(server, { schema, maxTokens: 7, reasoningEffort: "low" })).toEqual({ a: "x" });
	const { response_format, reasoning_effort, max_completion_tokens } = server.asked.at(-1)?.body ?? {};
	expect([response_format, reasoning_effort, max_completion_tokens]).toEqual([undefined, undefined, 7]);
	expect(server.asked).toHaveLength(4);
});

describe("a question", () => {
	test("is judged: yes, no or uncertain, with a probability and a reason", async () => {
		await using server = chatServer(() => completion(judgement.replace("no", "NO")));
		const { ask } = openAI({ url: server.url });
		expect(await ask({ question: "q?", system: "Be fair." }, context)).toEqual(JSON.parse(judgement));
		const { messages, response_format } = server.asked[0]?.body ?? {};
		const [system, user] = messages as { content: string }[];
		expect(system?.content).toStartWith("Be fair.");
		expect(user?.content).toBe("q?");
		expect(JSON.stringify(response_format)).toContain('"enum":["yes","no","uncertain"]');
	});

	test.each([
		"no JSON",
		"[]",
		'{"result":"perhaps","probability":1,"reason":""}',
		'{"result":"yes","probability":7,"reason":""}',
	])("that the model answers with %s fails", async (content) => {
		await using server = chatServer(() => completion(content));
		const { ask } = openAI({ url: server.url });
		expect(await rejection(ask({ question: "q" }, context))).toMatchObject({ code: "provider_failed" });
	});
});

describe("a server", () => {
	test("that is busy is asked once more, after the time that it names", async () => {
		await using server = chatServer((_, count) =>
			count === 1 ? refusal(429, "slow down", { "retry-after": "0.05" }) : completion("text"),
		);
		const begin = performance.now();
		expect(await generated(server)).toBe("text");
		expect(performance.now() - begin).toBeGreaterThan(45);
	});

	test("that stays broken, or wants too long a wait, is not asked again", async () => {
		await using broken = chatServer(() => refusal(503, "overloaded", { "retry-after": "0" }));
		await using full = chatServer(() => refusal(429, "quota", { "retry-after": "3600" }));
		const errors = await Promise.all([broken, full].map((server) => rejection(generated(server))));
		expect(errors.map((error) => (error as Error).message)).toEqual([
			`The ai provider of the host failed at ai.generate of plugin "p": ${broken.url} answered 503, and asks to wait 0 s: overloaded.`,
			`The ai provider of the host failed at ai.generate of plugin "p": ${full.url} answered 429, and asks to wait 3600 s: quota.`,
		]);
		expect([broken.asked.length, full.asked.length]).toEqual([2, 1]);
	});

	test.each<[string, () => Response, string]>([
		["an empty answer", () => new Response(""), "its answer is empty"],
		["a page", () => new Response("<html>"), "its answer is no JSON"],
		["a stream", () => new Response("data: {}\n\n", { headers: { "content-type": "text/event-stream" } }), "no JSON"],
		["no choice", () => Response.json({ choices: [] }), "has no choices[0].message.content"],
		["no content", () => completion(null), "has no choices[0].message.content"],
		["a refusal", () => completion(null, { message: { refusal: "I will not say X" } }), "the model refused to answer"],
		[
			"a message elsewhere",
			() => Response.json({ detail: "wrong\u0007 door" }, { status: 404 }),
			"answered 404: wrong door",
		],
		["a page as its error", () => new Response("<html>secret</html>", { status: 403 }), "answered 403."],
		["too much", () => new Response("x".repeat(2_000)), "it sent more than 1000 bytes"],
	])("that answers with %s is told as such", async (_, answer, expected) => {
		await using server = chatServer(answer);
		const error = await rejection(generated(server, {}, { limits: { answerBytesMax: 1_000 } }));
		expect(error).toMatchObject({ code: "provider_failed", plugin: "p", message: expect.stringContaining(expected) });
		expect(String(error)).not.toContain("I will not");
	});

	test("that gives its content in parts gives one text", async () => {
		await using server = chatServer(() =>
			completion([
				{ type: "text", text: "a" },
				{ type: "text", text: "b" },
			]),
		);
		expect(await generated(server)).toBe("ab");
	});

	test("that closes the connection, or is not there, is told with its address alone", async () => {
		const listener = Bun.listen({
			hostname: "127.0.0.1",
			port: 0,
			socket: { data: (socket) => void socket.end() },
		});
		const url = `http://user:pass@127.0.0.1:${listener.port}/v1?token=t-1`;
		const provider = openAI({ url });
		const closes = String(await rejection(provider.generate({ prompt: "p" }, context)));
		listener.stop(true);
		const gone = String(await rejection(provider.generate({ prompt: "p" }, context)));
		for (const text of [closes, gone]) {
			expect(text).toContain(`no answer from http://127.0.0.1:${listener.port}:`);
			expect(text).not.toMatch(/user:pass|t-1|verbose/);
		}
	});

	test("that hangs is left when the asker gives up, also in the wait before it is asked again", async () => {
		const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		await using hangs = chatServer(() => {
			arrived[0]?.resolve();
			return new Promise(() => {});
		});
		await using busy = chatServer(() => {
			arrived[1]?.resolve();
			return refusal(429, "later", { "retry-after": "9" });
		});
		const reason = new Error("given up");
		await Promise.all(
			[hangs, busy].map(async ({ url }, index) => {
				const asker = new AbortController();
				const left = rejection(openAI({ url }).generate({ prompt: "p" }, { plugin: "p", signal: asker.signal }));
				await arrived[index]?.promise;
				await Bun.sleep(20);
				asker.abort(reason);
				expect(await left).toBe(reason);
			}),
		);
	});

	test("that repeats the key, the prompt or a part of it in its error has them taken out", async () => {
		const prompt = "A long prompt about the private affairs of somebody else.";
		const said = ["bad key key-123456", `cannot read: ${prompt}`, "cannot read: private affairs of somebody"];
		for (const [index, message] of said.entries()) {
			await using server = chatServer(() => refusal(401, message));
			const error = String(await rejection(generated(server, { prompt }, { key: "key-123456" })));
			expect(error).toContain(["bad key [secret]", "cannot read: [secret]", "it quotes the request"][index] ?? "");
			expect(error).not.toMatch(/key-123456|private affairs/);
		}
	});
});
