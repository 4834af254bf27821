import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { createBench } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };
const megabyte = 2 ** 20;

const plugin = `
	Bun.connect = () => { throw new Error("the connect of the plugin"); };
	export default (amp) => {
		const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
		tool("echo", ({ text }) => text);
		tool("last", ({ size }) => {
			setImmediate(() => process.exit(0));
			return "x".repeat(size);
		});
	};`;

async function start() {
	const { host } = await bench.start({ one: plugin });
	const { pid } = host.plugins.get("one");
	return { host, echo: async (text: string) => (await host.tools.call("echo", { text }, alone)).text, pid };
}

/** How many sockets a process has open, each descriptor of them. */
function sockets(pid: number | null): number {
	const folder = `/proc/${pid}/fd`;
	return readdirSync(folder).filter((descriptor) => readlinkSync(`${folder}/${descriptor}`).startsWith("socket:"))
		.length;
}

/** Calls one after the other, until a plugin that is called so often must have changed its wire. */
async function callOften(echo: (text: string) => Promise<string>): Promise<void> {
	for (let call = 0; call < 200; call += 1) expect(await echo(`call ${call}`)).toBe(`call ${call}`);
}

describe("the wire of a plugin", () => {
	test.skipIf(process.platform !== "linux")(
		"is a stream of its socket until the plugin is called often, then the socket, whatever the plugin replaced",
		async () => {
			const { echo, pid } = await start();
			expect(await echo("one")).toBe("one");
			const before = sockets(pid);
			await callOften(echo);
			// The two ends of the stream are gone.
			expect(sockets(pid)).toBe(before - 2);
		},
	);

	test("loses nothing of large messages with small ones around them while it changes", async () => {
		const { host, echo } = await start();
		const texts = Array.from({ length: 60 }, (_, index) =>
			String.fromCharCode(97 + (index % 26)).repeat(index % 20 === 0 ? 3 * megabyte : 1 + index * 7),
		);
		for (let round = 0; round < 2; round += 1) {
			const answers = await Promise.all(texts.map(echo));
			expect(answers.map((answer) => Bun.hash(answer))).toEqual(texts.map((text) => Bun.hash(text)));
		}
		expect(host.plugins.log("one").filter(({ source }) => source === "host" || source === "output")).toEqual([]);
	});

	test.each([1, 8 * megabyte])(
		"lets an answer of %d bytes leave before an exit, also after it has changed",
		async (size) => {
			const { host, echo } = await start();
			await callOften(echo);
			const { ok, text } = await host.tools.call("last", { size }, alone);
			expect({ ok, size: text.length }).toEqual({ ok: true, size });
		},
	);
});
