import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { createBench } from "../support/host.ts";

const bench = createBench();
const entry = resolve(import.meta.dir, "../../../child/entry.ts");

/** What a child says of its load to a host that answers hello like this. */
async function failureAfter(answer: object): Promise<unknown> {
	const plugin = bench.write("alone", "export default () => {};");
	const child = Bun.spawn([process.execPath, entry, plugin, "--wire=3"], {
		stdio: ["ignore", "pipe", "pipe", "socket-fd"],
		detached: true,
	});
	bench.watch(child.pid);
	let said = "";
	let isAnswered = false;
	const socket = await Bun.connect({
		fd: child.stdio[3] ?? -1,
		socket: {
			binaryType: "uint8array",
			data(opened, bytes) {
				said += new TextDecoder().decode(bytes);
				if (isAnswered) return;
				isAnswered = true;
				opened.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, ...answer })}\n`);
			},
			close() {},
			drain() {},
		},
	});
	expect(await child.exited).toBe(70);
	socket.end();
	const messages: { method?: string; params?: unknown }[] = said
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	return messages.find(({ method }) => method === "runtime.failed")?.params;
}

test("a child that is refused, or answered by another protocol, while it imports its plugin says that the import is not to blame", async () => {
	const error = { code: -32000, message: "not you" };
	expect(await failureAfter({ error })).toMatchObject({ stage: "client.info", error: { message: "not you" } });
	expect(await failureAfter({ result: { protocol: "9.0.0" } })).toMatchObject({
		stage: "client.info",
		error: { data: { code: "incompatible_protocol" } },
	});
});
