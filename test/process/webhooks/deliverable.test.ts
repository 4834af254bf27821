import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { hookPlugin, post, seesEvents, soon, startHook, urlOf } from "./support.ts";

const bench = createBench();

test.each([
	["a wire that carries less", {}],
	["a bound that is beyond the wire", { bodyBytesMax: 1e9 }],
])(
	"with %s a sender hears 413 of a body that no message can bring to the plugin; a smaller one is brought",
	async (_, own) => {
		await startHook(bench, hookPlugin(bench, { headers: ["x-long"] }), {
			limits: { wire: { lineBytesMax: 600_000 }, webhooks: { ...soon, ...own } },
		});
		const headers = { "x-long": '"'.repeat(8_000) };
		let bytes = 600_000;
		for (let status = 413; status === 413; bytes -= 10_000) {
			({ status } = await post(urlOf(bench), new Uint8Array(bytes - 10_000), headers));
			expect([413, 202]).toContain(status);
		}
		expect(bytes).toBeGreaterThan(300_000);
		const [seen] = await seesEvents(bench, 1);
		expect(Buffer.from(seen?.body ?? "", "base64")).toHaveLength(bytes);
	},
);
