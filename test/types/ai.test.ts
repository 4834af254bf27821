import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type { AIAnswer, AISchema, EventContext, PluginAPI } from "../../child/plugin.ts";
import type { AIProvider, AskRequest, GenerateRequest, AIAnswer as ProviderAnswer } from "../../host/index.ts";
import type { AIAskParams, AIGenerateParams, AttachmentParams } from "../../runtime/protocol-providers.ts";
import { providerParamsSchemas } from "../../runtime/schema/providers.ts";

/** Compiled, never run: each line is a claim about what authors may write. */
async function _claims({ ai, attachments }: PluginAPI): Promise<void> {
	const options = { threadID: "T-1", model: "maker/model", reasoningEffort: "low", system: "s", maxTokens: 9 };
	expectTypeOf(await ai.ask("q")).toEqualTypeOf<AIAnswer>();
	expectTypeOf((await ai.ask("q", options)).result).toEqualTypeOf<"yes" | "no" | "uncertain">();
	// @ts-expect-error the question comes first
	await ai.ask({ question: "q" });
	// @ts-expect-error tokens are counted
	await ai.ask("q", { maxTokens: "many" });

	expectTypeOf(await ai.generate({ prompt: "p" })).toEqualTypeOf<string>();
	expectTypeOf(await ai.generate({ prompt: "p", ...options })).toEqualTypeOf<string>();
	// @ts-expect-error there is no answer without a prompt
	await ai.generate({ system: "s" });

	const made = await ai.generate({
		prompt: "p",
		schema: {
			name: "n",
			description: "d",
			fields: {
				title: "string",
				count: "integer",
				sure: { type: "boolean", description: "d" },
				tags: "string[]",
				scores: { type: "array", items: { type: "number" } },
				level: { enum: ["low", "high"] },
				note: { type: "string", optional: true },
				rest: { anyOf: [{ type: "null" }, { type: "object" }] },
			},
		},
	});
	expectTypeOf(made.title).toEqualTypeOf<string>();
	expectTypeOf(made.count).toEqualTypeOf<number>();
	expectTypeOf(made.sure).toEqualTypeOf<boolean>();
	expectTypeOf(made.tags).toEqualTypeOf<string[]>();
	expectTypeOf(made.scores).toEqualTypeOf<number[]>();
	expectTypeOf(made.level).toEqualTypeOf<"low" | "high">();
	expectTypeOf(made.note).toEqualTypeOf<string | undefined>();
	expectTypeOf(made.rest).toEqualTypeOf<unknown>();
	// @ts-expect-error no such field
	made.other;
	expectTypeOf(await ai.generate<{ n: number }>({ prompt: "p", schema: {} as AISchema })).toEqualTypeOf<{
		n: number;
	}>();
	// @ts-expect-error no such type
	await ai.generate({ prompt: "p", schema: { name: "n", fields: { a: "text" } } });
	// @ts-expect-error a schema has a name
	await ai.generate({ prompt: "p", schema: { fields: { a: "string" } } });

	expectTypeOf(await attachments.upload({ data: new Uint8Array(), mimeType: "image/png" })).toEqualTypeOf<{
		url: string;
	}>();
	await attachments.upload({ data: Buffer.alloc(1), mimeType: "image/png" });
	await attachments.upload({ data: "AA==", mimeType: "image/png" });
	// @ts-expect-error a type is needed
	await attachments.upload({ data: "AA==" });
	// @ts-expect-error paths are not read
	await attachments.upload({ path: "/x.png", mimeType: "image/png" });
}

test("the claims about ai and attachments compile, and handlers have the same ai", () => {
	expectTypeOf<EventContext["ai"]>().toEqualTypeOf<PluginAPI["ai"]>();
	expect(typeof _claims).toBe("function");
});

test("what is parsed is what goes over the wire, and what a provider is asked", () => {
	type Params<Name extends keyof typeof providerParamsSchemas> = z.infer<(typeof providerParamsSchemas)[Name]>;
	expectTypeOf<Params<"ai.ask">>().toEqualTypeOf<AIAskParams>();
	expectTypeOf<Params<"ai.generate">>().toEqualTypeOf<AIGenerateParams>();
	expectTypeOf<Params<"attachments.upload">>().toEqualTypeOf<AttachmentParams>();
	expectTypeOf<AIAskParams>().toExtend<AskRequest>();
	expectTypeOf<AIGenerateParams>().toExtend<GenerateRequest>();
	expectTypeOf<ProviderAnswer>().toEqualTypeOf<AIAnswer>();
	expectTypeOf<ReturnType<AIProvider["ask"]>>().toEqualTypeOf<Promise<AIAnswer>>();
	expect(Object.keys(providerParamsSchemas)).toContain("attachments.upload");
});
