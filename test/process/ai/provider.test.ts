import { describe, expect, test } from "bun:test";
import type { AIProvider, AskRequest, GenerateRequest } from "../../../host/index.ts";
import { createAskBench } from "./support.ts";

const bench = createAskBench();
const options = { threadID: "T-1", model: "maker/model-1", reasoningEffort: "low", system: "Be short.", maxTokens: 12 };

/** A provider that answers each request with the next of these; the last repeats. */
function answering(...answers: unknown[]) {
	const asked: (AskRequest | GenerateRequest)[] = [];
	const next = async (request: AskRequest | GenerateRequest) => {
		asked.push(request);
		return answers[Math.min(asked.length, answers.length) - 1] as never;
	};
	return { asked, ai: { ask: next, generate: next } satisfies AIProvider };
}

describe("what a plugin passes", () => {
	test("reaches the provider as it was meant, without what it does not know", async () => {
		const { asked, ai } = answering({ result: "no", probability: 0.25, reason: "r", more: 1 });
		const { call } = await bench.start({ providers: { ai } });
		expect(await call("ai.ask", "Is it?", { ...options, newer: 1 })).toEqual({
			value: { result: "no", probability: 0.25, reason: "r" },
		});
		expect(asked).toEqual([{ question: "Is it?", ...options }]);
		expect((await call("ai.ask", "Is it?", null)).code).toBeUndefined();
	});

	test("is refused in its own call where it cannot work, and the provider hears nothing", async () => {
		const { asked, ai } = answering("x");
		const { call, code } = await bench.start({ providers: { ai } });
		const schema = (fields: unknown, more = {}) => ({ prompt: "p", schema: { name: "n", fields, ...more } });
		const asks: [unknown[], string][] = [
			[[], "the question is a text"],
			[[""], "the question is a text"],
			[[7], "the question is a text"],
			[["q", "fast"], "options are an object"],
			[["q", { maxTokens: 0 }], "maxTokens is a positive integer"],
			[["q", { maxTokens: 1.5 }], "maxTokens is a positive integer"],
			[["q", { maxTokens: "9" }], "maxTokens is a positive integer"],
			[["q", { model: "a model" }], 'model is "provider/model" or a name'],
			[["q", { model: "/m" }], 'model is "provider/model" or a name'],
			[["q", { model: 4 }], "model is a text"],
			[["q", { system: [] }], "system is a text"],
			[["q", { threadID: "" }], "threadID is a text"],
			[["q", { reasoningEffort: 1 }], "reasoningEffort is a text"],
		];
		const generates: [unknown[], string][] = [
			[[], "it takes an object with a prompt"],
			[["p"], "it takes an object with a prompt"],
			[[{ prompt: "" }], "prompt is a text"],
			[[{ prompt: "p", maxTokens: -1 }], "maxTokens is a positive integer"],
			[[{ prompt: "p", schema: null }], "schema is an object"],
			[[{ prompt: "p", schema: { fields: { a: "string" } } }], "schema.name has 1 to 64"],
			[[schema({ a: "string" }, { name: "a b" })], "schema.name has 1 to 64"],
			[[schema({ a: "string" }, { description: 1 })], "schema.description is a text"],
			[[schema({})], "schema.fields names at least one field"],
			[[schema(["a"])], "schema.fields is an object"],
			[[schema({ a: "text" })], 'schema.fields["a"] is string, number, integer or boolean'],
			[[schema({ a: 1 })], 'schema.fields["a"] is the name of a type or a JSON Schema'],
			[[schema({ a: { type: "string", optional: "yes" } })], 'schema.fields["a"].optional is true or false'],
			[[schema({ a: { type: "text" } })], "schema:"],
		];
		const told = await Promise.all([
			...asks.map(([args]) => call("ai.ask", ...args)),
			...generates.map(([args]) => call("ai.generate", ...args)),
			code("return amp.ai.generate({ prompt: 'p', schema: { name: 'n', fields: { a: { const: 1n } } } })"),
			code(
				"return amp.ai.generate({ prompt: 'p', schema: { name: 'n', fields: { a: new (class Z extends Map {})() } } })",
			),
		]);
		const expected = [...asks, ...generates].map(([, text]) => text);
		for (const [index, text] of [...expected, "cannot be carried as JSON", "is a plain object"].entries()) {
			expect(told[index]).toEqual({ code: "invalid_params", message: expect.stringContaining(text) });
		}
		expect(asked).toEqual([]);
	});

	test("as fields becomes one JSON Schema of an object", async () => {
		const { asked, ai } = answering({ a: "x", list: [1], level: "low" });
		const { call } = await bench.start({ providers: { ai } });
		const fields = {
			a: "string",
			list: "integer[]",
			level: { enum: ["low", "high"], description: "how much" },
			note: { type: "string", optional: true },
			sure: { type: "boolean", optional: false },
		};
		const { sure, ...without } = fields;
		expect(
			await call("ai.generate", { prompt: "p", schema: { name: "n", description: "d", fields: without } }),
		).toEqual({
			value: { a: "x", list: [1], level: "low" },
		});
		expect(await call("ai.generate", { prompt: "p", schema: { name: "n", fields } })).toMatchObject({
			message: expect.stringContaining("must have required property 'sure'"),
		});
		expect(asked[0]).toEqual({
			prompt: "p",
			schema: {
				name: "n",
				description: "d",
				jsonSchema: {
					type: "object",
					properties: {
						a: { type: "string" },
						list: { type: "array", items: { type: "integer" } },
						level: { enum: ["low", "high"], description: "how much" },
						note: { type: "string" },
					},
					required: ["a", "list", "level"],
					additionalProperties: false,
				},
			},
		});
	});
});

describe("what the provider answers", () => {
	test("must be a judgement for ask; else the plugin gets a named error and the log a line", async () => {
		const right = { result: "yes", probability: 1, reason: "" };
		const wrong: unknown[] = [
			undefined,
			"yes",
			{ ...right, result: true },
			{ ...right, result: "maybe" },
			{ ...right, probability: 1.01 },
			{ ...right, probability: -0.01 },
			{ ...right, probability: Number.NaN },
			{ ...right, probability: "1" },
			{ ...right, reason: undefined },
		];
		const { ai } = answering(...wrong, right);
		const { call, logged } = await bench.start({ providers: { ai } });
		for (const _ of wrong) expect((await call("ai.ask", "q")).code).toBe("invalid_answer");
		expect(await call("ai.ask", "q")).toEqual({ value: right });
		expect((await logged("p", "result is yes, no or uncertain")).message).toContain("ai.ask");
	});

	test("must be a text for generate without a schema", async () => {
		const { asked, ai } = answering({ a: 1 }, "", "text");
		const { call } = await bench.start({ providers: { ai } });
		expect(await call("ai.generate", { prompt: "p" })).toMatchObject({ code: "invalid_answer" });
		expect(await call("ai.generate", { prompt: "p" })).toEqual({ value: "" });
		expect(await call("ai.generate", { prompt: "p", ...options })).toEqual({ value: "text" });
		expect(asked[2]).toEqual({ prompt: "p", ...options });
	});

	test("is asked for once more with the problems where it does not fit the schema, then given up with them", async () => {
		const cyclic: Record<string, unknown> = {};
		cyclic.self = cyclic;
		const { asked, ai } = answering({ n: "1" }, { n: 1 }, "no object", { n: 1, more: 2 }, cyclic, { n: 2 });
		const { call, logged } = await bench.start({ providers: { ai } });
		const wanted = { prompt: "p", schema: { name: "count", fields: { n: "integer" } } };
		expect(await call("ai.generate", wanted)).toEqual({ value: { n: 1 } });
		expect(asked.map((request) => ("problems" in request ? request.problems : undefined))).toEqual([
			undefined,
			["n must be integer"],
		]);
		expect(await call("ai.generate", wanted)).toEqual({
			code: "invalid_answer",
			message: expect.stringContaining(
				'twice it does not fit the schema "count": it must NOT have additional properties',
			),
		});
		await logged("p", 'twice it does not fit the schema "count"');
		expect(await call("ai.generate", wanted)).toEqual({ value: { n: 2 } });
		expect(asked).toHaveLength(6);
	});

	test("that it throws, or does not give in time, is a named error for the plugin and a line in the log", async () => {
		const late = Promise.withResolvers<AbortSignal>();
		const ai: AIProvider = {
			ask: () => {
				throw new TypeError("no model here");
			},
			generate: (_, { signal }) => {
				late.resolve(signal);
				return new Promise(() => {});
			},
		};
		const { call, logged } = await bench.start({ providers: { ai }, limits: { ai: { answerMs: 50 } } });
		expect(await call("ai.ask", "q")).toEqual({
			code: "provider_failed",
			message: 'The ai provider of the host failed at ai.ask of plugin "p": no model here.',
		});
		await logged("p", "no model here");
		expect(await call("ai.generate", { prompt: "p" })).toMatchObject({ code: "timeout" });
		expect((await late.promise).aborted).toBe(true);
		await logged("p", "did not answer within 50 ms");
	});

	test("is waited for no longer than its plugin runs", async () => {
		const asked = Promise.withResolvers<AbortSignal>();
		const ai: AIProvider = {
			ask: (_, { signal }) => {
				asked.resolve(signal);
				return new Promise(() => {});
			},
			generate: async () => "",
		};
		const { host, call } = await bench.start({ providers: { ai } });
		const lost = call("ai.ask", "q").catch((error: unknown) => error);
		const signal = await asked.promise;
		await host.disable("p");
		expect(await lost).toMatchObject({ code: "plugin_exited" });
		expect(signal.aborted).toBe(true);
	});
});

test("without a provider each member says which one is missing and what to set", async () => {
	const { call } = await bench.start();
	for (const told of [await call("ai.ask", "q"), await call("ai.generate", { prompt: "p" })]) {
		expect(told.code).toBe("provider_missing");
		expect(told.message).toContain("BROOD_AI_URL");
		expect(told.message).toContain("providers.ai");
	}
});

test("events and commands have what the ai of the plugin has", async () => {
	const { asked, ai } = answering({ result: "yes", probability: 1, reason: "" });
	const { host, logged, code } = await bench.start({ providers: { ai } });
	await code(`
		amp.registerCommand("c", { title: "C" }, async (ctx) => amp.logger.log("same " + (Object.keys(ctx.ai).join() === Object.keys(amp.ai).join()), (await ctx.ai.ask("c")).result));
		amp.on("agent.start", async (_, ctx) => ({ message: { content: (await ctx.ai.ask("e")).result } }));
	`);
	expect((await host.emit("agent.start", { message: "m", id: "1" })).result).toMatchObject({
		messages: [{ content: "yes" }],
	});
	await host.commands.run("c");
	await logged("p", "same true yes");
	expect(asked).toEqual([{ question: "e" }, { question: "c" }]);
});
