import { expect } from "bun:test";
import { loopbackWebhooks } from "../../../host/providers/webhooks/loopback.ts";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample(
	"awaits-a-webhook",
	"has its address when it is ready, and is told of what is signed",
	async ({ load, path }) => {
		const { host, told, logged } = await load({
			variables: { CI_SIGNATURE: "right" },
			providers: { webhooks: loopbackWebhooks({ file: path("webhooks.sqlite") }) },
		});
		const url = host.statusItems.list()[0]?.url ?? "";
		const send = async (signature: string, status: string) =>
			(await fetch(url, { method: "POST", headers: { "x-signature": signature }, body: JSON.stringify({ status }) }))
				.status;
		expect(await send("wrong", "failed")).toBe(202);
		await logged("awaits-a-webhook", "dropped 19 bytes");
		expect(await send("right", "passed")).toBe(202);
		await logged("awaits-a-webhook", "told of passed");
		expect(told()).toEqual(["build passed"]);
	},
);
