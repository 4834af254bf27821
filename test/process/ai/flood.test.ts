import { expect, test } from "bun:test";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const plugin = (name: string, execute: string) =>
	`export default (amp) => { amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} }); };`;
const quiet = plugin("echo", "() => 'echo'");

/** Lets the other plugin answer again and again, until the flood has had its time. */
async function echoes({ host }: Running, ms: number): Promise<number> {
	const end = performance.now() + ms;
	let count = 0;
	while (performance.now() < end) {
		expect((await host.tools.call("echo", {}, { events: false })).text).toBe("echo");
		count += 1;
	}
	return count;
}

test.each([
	[
		"objects by large schemas",
		`() => {
			const choice = (n) => ({ type: "object", required: ["a" + n], minProperties: n });
			const field = () => ({ anyOf: Array.from({ length: 8 }, (_, n) => choice(n)) });
			const fields = Object.fromEntries(Array.from({ length: 35 }, (_, n) => ["f" + n, field()]));
			for (let n = 0; n < 200; n++) (async () => { for (;;) await amp.ai.generate({ prompt: "p", schema: { name: "n" + n, fields } }).catch(() => {}); })();
			return "begun";
		}`,
	],
	[
		"uploads of images without an end",
		`() => {
			const data = new Uint8Array(2_000_000);
			data.set([255, 216, 255, 224]);
			for (let n = 0; n < 8; n++) (async () => { for (;;) { await amp.attachments.upload({ data, mimeType: "image/jpeg" }).catch(() => {}); await Bun.sleep(1); } })();
			return "begun";
		}`,
	],
])("a plugin that asks without pause for %s does not hold up another", async (_, flood) => {
	const running = await bench.start(
		{ evil: plugin("go", flood), quiet },
		{
			limits: { wire: { askingMsPerSecondMax: 20 } },
			providers: {
				ai: { ask: async () => ({ result: "no", probability: 0, reason: "" }), generate: async () => ({}) },
				attachments: { upload: async () => ({ url: "https://x.example" }) },
			},
		},
	);
	await running.host.tools.call("go", {}, { events: false });
	// Some thousands; some twenty where the flood is served at once.
	expect(await echoes(running, 1_000)).toBeGreaterThan(200);
});
