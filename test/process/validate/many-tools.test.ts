import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { createWorkshop } from "./support.ts";

const shop = createWorkshop();

test("thousands of schemas are compiled without keeping the program from everything else", async () => {
	const ended = shop.path("ended");
	shop.write({
		"many.ts": `export default (amp) => {
	const inputSchema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
	for (let n = 0; n < 1_000; n += 1) amp.registerTool({ name: "t" + n, description: "", inputSchema, execute() {} });
	amp.onDispose(() => Bun.write(${JSON.stringify(ended)}, ""));
};
`,
	});
	let turns = 0;
	// The schemas are looked at when the plugin has ended.
	const timer = setInterval(() => {
		if (existsSync(ended)) turns += 1;
	}, 1);
	const { ok, plugins } = await shop.validate(["many.ts"]);
	clearInterval(timer);
	expect({ ok, tools: plugins[0]?.tools.length }).toEqual({ ok: true, tools: 1_000 });
	expect(turns).toBeGreaterThan(100);
});
