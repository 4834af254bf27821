import { describe, expect, test } from "bun:test";
import type { Providers } from "../../../host/index.ts";
import { BroodError } from "../../../runtime/errors.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

interface Question {
	/** Answers everything that this provider is asked with the same. */
	providers(answer: () => Promise<never>): Providers;
	/** What the plugin asks, in its own words. */
	asks: string;
	/** How messages name the call. */
	subject: string;
	/** What is no answer, and the clause that says what one is; absent where nothing is answered. */
	wrong?: { answer: unknown; allowed: string };
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const questions: Record<string, Question> = {
	ai: {
		providers: (answer) => ({ ai: { ask: answer, generate: answer } }),
		asks: `amp.ai.ask("q")`,
		subject: "ai.ask",
		wrong: { answer: { result: "maybe" }, allowed: "result is yes, no or uncertain" },
	},
	agents: {
		providers: (answer) => ({ agents: { run: answer, createThread: answer } }),
		asks: `amp.getBuiltinAgent("medium").run("m")`,
		subject: "agent.run",
		wrong: { answer: {}, allowed: "it is { threadID, text }, both texts" },
	},
	attachments: {
		providers: (answer) => ({ attachments: { upload: answer } }),
		asks: `amp.attachments.upload({ data: "${png}", mimeType: "image/png" })`,
		subject: "attachments.upload",
		wrong: { answer: { url: "ftp://x" }, allowed: "url begins with http:// or https://" },
	},
	configuration: {
		providers: (answer) => ({ configuration: { get: answer } }),
		asks: "amp.configuration.get()",
		subject: "configuration.get",
		wrong: { answer: [], allowed: "settings are an object, not an array" },
	},
	executor: {
		providers: (answer) => ({ executor: { kind: "remote", keepAlive: answer } }),
		asks: "amp.system.executor.keepAlive()",
		subject: "system.executor.keepAlive",
		wrong: { answer: {}, allowed: "keepAlive gives an object with unsubscribe" },
	},
	webhooks: {
		providers: (answer) => ({ webhooks: { open: answer } }),
		asks: `amp.createWebhook({ key: "k", handler() {} })`,
		subject: "createWebhook",
		wrong: { answer: { url: "ftp://x", close() {} }, allowed: "url begins with http:// or https://" },
	},
	threads: {
		providers: (answer) => ({
			threads: new Proxy({} as NonNullable<Providers["threads"]>, {
				get: (_, name) =>
					name === "activeThread" ? { current: null, subscribe: () => ({ unsubscribe() {} }) } : answer,
			}),
		}),
		asks: `amp.threads.get("T-1").title.get()`,
		subject: "threads.get(…).title.get",
		wrong: { answer: 1, allowed: "it: Invalid input: expected string, received number" },
	},
	ui: {
		providers: (answer) => ({
			ui: { available: true, notify: answer, input: answer, confirm: answer, form: answer, select: answer },
		}),
		asks: `ctx.ui.input({ title: "Name" })`,
		subject: 'the input dialog "Name"',
		wrong: { answer: 1, allowed: "it takes text, not a number" },
	},
	system: {
		providers: (answer) => ({ system: { open: answer } }),
		asks: `amp.system.open("https://example.com/")`,
		subject: "system.open",
	},
};

/** What the plugin hears of its question. */
async function heard({ providers, asks }: Question, answer: () => unknown) {
	const plugin = `export default (amp) => {
		amp.registerTool({ name: "ask", description: "", inputSchema: { type: "object" }, async execute(_, ctx) {
			try { return JSON.stringify(await ${asks}); }
			catch (e) { return JSON.stringify({ name: e.name, code: e.code, message: e.message, cause: e.cause?.message }); }
		} });
	};`;
	const { host } = await bench.start({ p: plugin }, { providers: providers(async () => answer() as never) });
	const { text } = await host.tools.call("ask", {});
	await host.stop();
	return JSON.parse(text);
}

describe("a provider of the host", () => {
	for (const [name, question] of Object.entries(questions)) {
		const { subject, wrong } = question;
		if (wrong !== undefined) {
			test(`${name}: a wrong answer is told as the host's fault, with what is allowed`, async () => {
				expect(await heard(question, () => wrong.answer)).toEqual({
					name: "BroodError",
					code: "invalid_answer",
					message: `The ${name} provider of the host answered ${subject} of plugin "p" wrongly: ${wrong.allowed}.`,
				});
			});
		}

		test(`${name}: what it throws is told with provider, call and plugin, and is the cause`, async () => {
			const broken = () => {
				throw new TypeError("form broke");
			};
			expect(await heard(question, broken)).toEqual({
				name: "BroodError",
				code: "provider_failed",
				message: `The ${name} provider of the host failed at ${subject} of plugin "p": form broke.`,
				cause: "form broke",
			});
		});

		test(`${name}: an error of brood that it throws stays as it is`, async () => {
			const away = () => {
				throw new BroodError("ui_not_available", "Nobody is there.");
			};
			expect(await heard(question, away)).toEqual({
				name: expect.any(String),
				code: "ui_not_available",
				message: "Nobody is there.",
			});
		});
	}
});
