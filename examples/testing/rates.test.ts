// What a plugin is given in place of the person's settings and of a model. What a test does not give and the plugin asks
// for all the same fails the test, by its name.
// Run it: bun test ./examples/testing/rates.test.ts
import { expect, test } from "bun:test";
import { testPlugin } from "brood/test";

const rates = new URL("./rates.ts", import.meta.url);

test("converts by the rate of the settings, also after it has changed", async () => {
	await using plugin = await testPlugin(rates, { settings: { rate: 1.1 } });
	expect((await plugin.tools.call("convert", { amount: 2 })).text).toBe("2.20");
	plugin.settings.update({ rate: 2 });
	expect((await plugin.tools.call("convert", { amount: 2 })).text).toBe("4.00");
});

test("asks where there is no rate", async () => {
	const ai = {
		ask: async () => ({ result: "uncertain" as const, probability: 0.5, reason: "nobody was asked" }),
		generate: async ({ prompt }: { prompt: string }) => `asked: ${prompt}`,
	};
	await using plugin = await testPlugin(rates, { ai, isolation: "graph" });
	expect((await plugin.tools.call("convert", { amount: 2 })).text).toStartWith("asked: Convert 2 EUR");
});

test("needs an AI where there is no rate", async () => {
	await using plugin = await testPlugin(rates, { isolation: "graph" });
	await expect(plugin.tools.call("convert", { amount: 2 })).rejects.toThrow("amp.ai.generate");
});
