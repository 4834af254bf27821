import { expect, test } from "bun:test";
import { createBench } from "./support/host.ts";

const bench = createBench();

/** Blocks for longer than any limit here, as a breakpoint does. */
const standing = `export default (amp) => {
	const stand = () => { const end = performance.now() + 900; while (performance.now() < end); return "done"; };
	amp.registerTool({ name: "TOOL", description: "", inputSchema: { type: "object" }, execute: stand });
	amp.on("agent.start", () => { stand(); return { message: { content: "stood", display: true } }; });
};
`;

/** So short that whoever stands still is given up. */
const limits = {
	call: { eventHandlerMs: 200 },
	liveness: { pingEveryMs: 50, silentMs: 100, giveUpMs: 200 },
};

function inspecting(plugin: string) {
	let listens = 0;
	const listen = () => {
		listens += 1;
		return `ws+unix://${bench.path(`${listens}.sock`)}`;
	};
	return { inspect: { plugin, listen }, listens: () => listens };
}

test("a plugin that stands still in a debugger is not late and not dead, and each other one is", async () => {
	const { inspect, listens } = inspecting("one");
	const plugins = { one: standing.replace("TOOL", "one"), two: standing.replace("TOOL", "two") };
	const running = await bench.start(plugins, { limits, warm: 1, inspect });
	const { host } = running;
	const { text } = await host.tools.call("one", {}, { events: false, timeoutMs: 200 });
	expect(text).toBe("done");
	await expect(host.tools.call("two", {}, { events: false, timeoutMs: 200 })).rejects.toThrow();
	await running.logged("two", "it did not answer for 200 ms and was killed");
	const { handlers } = await host.emit("agent.start", { message: "hello" });
	expect(handlers.find(({ plugin }) => plugin === "one")?.result).toMatchObject({ message: { content: "stood" } });
	expect(host.plugins.log("one").filter(({ level }) => level !== "info")).toEqual([]);
	expect(listens()).toBe(1);
});

test("no process that waits for a plugin serves one that is inspected", async () => {
	const { inspect, listens } = inspecting("one");
	const running = await bench.start({ one: standing.replace("TOOL", "one") }, { warm: 1, inspect });
	await running.until("spares", ({ waiting }) => waiting === 1);
	await running.host.reload("one");
	expect(running.host.plugins.get("one").process?.spare).toBeUndefined();
	expect(listens()).toBe(2);
});

test.each([
	[{ plugin: "one" }, "inspect lacks the method listen"],
	[{ listen: (): string => "" }, "inspect lacks plugin"],
	[{ plugin: "", listen: (): string => "" }, "inspect lacks plugin"],
	[{ plugin: "one", listen: (): string => "", wait: true }, 'inspect has no option "wait"'],
])("%p is refused", async (inspect, text) => {
	await expect(bench.start({}, { inspect: inspect as never })).rejects.toThrow(text);
});
