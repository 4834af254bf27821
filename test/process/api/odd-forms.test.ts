import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

test("an observable takes functions in the place of an observer, or nothing, and tells what else it was given", async () => {
	const plugin = `export default (amp) => {
		amp.registerTool({ name: "observe", description: "", inputSchema: { type: "object" }, async execute() {
			const { promise, resolve } = Promise.withResolvers();
			amp.threads.get("T-none").title.subscribe(undefined, resolve);
			const failed = (await promise).message;
			const silent = [undefined, null, {}].map((none) => amp.activeThread.subscribe(none));
			for (const { unsubscribe } of silent) unsubscribe();
			const next = await new Promise((resolve) => amp.activeThread.subscribe(resolve, () => {}, () => {}));
			let refused;
			try { amp.activeThread.subscribe("x"); } catch (error) { refused = error.name + ": " + error.message; }
			return { failed, next, refused };
		} });
	};`;
	const { host } = await bench.start({ one: plugin });
	const { text } = await host.tools.call("observe", {});
	expect(JSON.parse(text)).toEqual({
		failed: `There is no thread "T-none".`,
		next: null,
		refused: "TypeError: subscribe takes a function or { next, error, complete }, not string",
	});
});

test("what is no dispose callback is told of where it is passed, and the plugin lives", async () => {
	const plugin = `export default (amp) => {
		amp.onDispose(undefined).unsubscribe();
		amp.onDispose({ dispose() {} });
		amp.onDispose(null);
		amp.onDispose(() => amp.logger.log("disposed"));
	};`;
	const running = await bench.start({ one: plugin });
	for (const type of ["undefined", "object", "null"]) {
		await running.logged("one", `onDispose takes a function, not ${type}`);
	}
	await running.host.stop();
	await running.logged("one", "disposed");
	expect(logged(running, "dispose callback failed")).toEqual([]);
});

test("a plugin that takes all back as it is disposed is asked for nothing more, and nothing is missed in its log", async () => {
	const plugin = `export default (amp) => {
		const tool = (name) => ({ name, description: "", inputSchema: { type: "object" }, execute: () => name });
		const made = [
			amp.on("tool.call", () => undefined),
			amp.registerTool(tool("one")),
			amp.registerCommand("two", { title: "Two" }, () => {}),
		];
		amp.onDispose(async () => {
			for (const subscription of made) subscription.unsubscribe();
			await new Promise((resolve) => setImmediate(resolve));
			amp.registerTool(tool("late"));
			await Bun.sleep(20);
			amp.logger.log("disposed");
		});
	};`;
	const running = await bench.start({ one: plugin });
	const asked = running.wire("one").filter((line) => line.includes(".list")).length;
	await running.host.stop();
	await running.logged("one", "disposed");
	expect(running.wire("one").filter((line) => line.includes(".list"))).toHaveLength(asked);
	expect(logged(running, "could not be fetched")).toEqual([]);
});

function logged({ events }: Awaited<ReturnType<typeof bench.start>>, text: string): string[] {
	const messages = events.flatMap((event) => (event.type === "log" ? [event.entry.message] : []));
	return messages.filter((message) => message.includes(text));
}

test("an error without a message says so, and the one of Promise.any tells the messages of its parts", async () => {
	const plugin = `export default (amp) => {
		const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
		tool("silent", () => { throw new RangeError(); });
		tool("any", () => Promise.any([Promise.reject(new Error("first")), Promise.reject("second"), Promise.reject(new Error())]));
	};`;
	const { host } = await bench.start({ one: plugin });
	const failed = async (name: string) => {
		const { ok, text } = await host.tools.call(name, {});
		return [ok, text];
	};
	expect(await failed("silent")).toEqual([false, "an error without a message"]);
	expect(await failed("any")).toEqual([false, "first; second"]);
});
