import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { jsonLog } from "../../../host/index.ts";
import { chatServer, completion, refusal } from "../../unit/host/providers/openai-support.ts";
import { createAskBench } from "./support.ts";

const bench = createAskBench();
const names = ["BROOD_AI_URL", "BROOD_AI_MODEL", "BROOD_AI_KEY"] as const;
const kept = names.map((name) => process.env[name]);
const key = "canary-key-4f1c";

beforeEach(() => {
	for (const name of names) delete process.env[name];
});
afterEach(() => {
	for (const [index, name] of names.entries()) {
		const value = kept[index];
		if (value === undefined) delete process.env[name];
		else process.env[name] = value;
	}
});

describe("with BROOD_AI_URL set", () => {
	test("questions and prompts are answered by that server, with that model and that key", async () => {
		await using server = chatServer(({ body }) =>
			completion(
				JSON.stringify(body).includes("judgement")
					? '{"result":"yes","probability":0.9,"reason":"so it is"}'
					: "response_format" in body
						? '{"n":3}'
						: "a text",
			),
		);
		Object.assign(process.env, { BROOD_AI_URL: server.url, BROOD_AI_MODEL: "local", BROOD_AI_KEY: key });
		const { call } = await bench.start();
		expect(await call("ai.ask", "Is it?")).toEqual({
			value: { result: "yes", probability: 0.9, reason: "so it is" },
		});
		expect(await call("ai.generate", { prompt: "p", model: "maker/other" })).toEqual({ value: "a text" });
		expect(await call("ai.generate", { prompt: "p", schema: { name: "n", fields: { n: "integer" } } })).toEqual({
			value: { n: 3 },
		});
		expect(server.asked.map(({ body }) => body.model)).toEqual(["local", "maker/other", "local"]);
		expect(new Set(server.asked.map(({ headers }) => headers.get("authorization")))).toEqual(
			new Set([`Bearer ${key}`]),
		);
	});

	test("a model that misses the schema is told where, once, and then the plugin", async () => {
		await using server = chatServer(() => completion('{"n":"three"}'));
		process.env.BROOD_AI_URL = server.url;
		const { call } = await bench.start();
		const told = await call("ai.generate", { prompt: "p", schema: { name: "n", fields: { n: "integer" } } });
		expect(told).toEqual({ code: "invalid_answer", message: expect.stringContaining("n must be integer") });
		expect(server.asked.map(({ body }) => JSON.stringify(body).includes("n must be integer"))).toEqual([false, true]);
	});

	test("the provider of the embedder comes first", async () => {
		await using server = chatServer(() => completion("server"));
		process.env.BROOD_AI_URL = server.url;
		const ai = {
			ask: async () => ({ result: "no", probability: 0, reason: "" }) as const,
			generate: async () => "own",
		};
		const { call } = await bench.start({ providers: { ai } });
		expect(await call("ai.generate", { prompt: "p" })).toEqual({ value: "own" });
		expect(server.asked).toEqual([]);
	});

	test("to what is no URL, only those that ask are told", async () => {
		process.env.BROOD_AI_URL = `localhost ${key}`;
		const { host, call } = await bench.start();
		expect(host.plugins.get("p").state).toBe("ready");
		expect(await call("ai.ask", "q")).toEqual({
			code: "provider_failed",
			message: expect.stringContaining("BROOD_AI_URL is no http or https URL"),
		});
	});

	test("a server that hangs is left when the time is over", async () => {
		await using server = chatServer(() => new Promise(() => {}));
		process.env.BROOD_AI_URL = server.url;
		const { call } = await bench.start({ limits: { ai: { answerMs: 60 } } });
		expect(await call("ai.ask", "q")).toMatchObject({ code: "timeout" });
	});
});

test("neither key, prompt nor answer reach a log or an error, and the key no message of the wire", async () => {
	const prompt = "canary-prompt of a person, which is nobody else's";
	const answer = "canary-answer";
	await using server = chatServer((asked, count) => {
		if (count <= 2) return completion(answer);
		return refusal(401, `${asked.headers.get("authorization")} may not ask ${JSON.stringify(asked.body)}`);
	});
	Object.assign(process.env, { BROOD_AI_URL: server.url, BROOD_AI_KEY: key });
	const lines: string[] = [];
	const log = jsonLog((line) => lines.push(line));
	// With an environment of its own the plugin knows nothing of the key, and neither does what masks its secrets.
	const { call, code, host, frames, events, logged } = await bench.start({
		log,
		env: { PATH: process.env.PATH ?? "" },
	});
	const request = { prompt, schema: { name: "n", fields: { n: "integer" } } };
	const told = [
		await call("ai.generate", request),
		await call("ai.generate", { prompt }),
		await call("ai.ask", prompt, { system: prompt }),
	];
	// One that nobody waits for is logged with its message.
	await code(`amp.ai.generate({ prompt: ${JSON.stringify(prompt)} }); return 1`);
	await logged("p", "nobody awaited it");
	expect(told.map((one) => one.code)).toEqual(["invalid_answer", "provider_failed", "provider_failed"]);
	expect(server.asked.length).toBeGreaterThanOrEqual(4);
	const shown = [JSON.stringify(told), lines.join("\n"), JSON.stringify(host.plugins.log("p")), JSON.stringify(events)];
	for (const text of shown) expect(text).not.toMatch(/canary/);
	expect(lines.join("\n")).toContain("answered 401");
	const wire = JSON.stringify(frames("p").map(({ message }) => message));
	expect(wire).toContain("canary-prompt");
	expect(wire).not.toContain(key);
});
