import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

test("a plugin that replaces what the runtime uses breaks nothing of it, and keeps its own", async () => {
	const { host } = await bench.start({
		one: `
		const broken = (name) => { throw new Error(name + " of the plugin"); };
		for (const [object, names] of [
			[globalThis, ["setImmediate", "TextEncoder", "TextDecoder"]],
			[JSON, ["parse", "stringify"]],
			[Bun, ["inspect", "sleep", "sleepSync"]],
		]) for (const name of names) object[name] = function replaced() { broken(name); };
		export default (amp) => {
			amp.registerTool({
				name: "one", description: "", inputSchema: { type: "object" },
				execute() {
					amp.logger.log("logged", { a: 1 });
					amp.registerCommand("late", { title: "Late" }, () => {});
					return [setImmediate, TextEncoder, TextDecoder, JSON.parse, Bun.inspect].every(({ name }) => name === "replaced");
				},
			});
			amp.onDispose(() => console.log("disposed"));
		};`,
	});
	expect(host.plugins.get("one").error).toBeUndefined();
	expect((await host.tools.call("one", {})).text).toBe("true");
	expect(host.commands.list().map(({ item }) => item.id)).toEqual(["late"]);
	expect(host.plugins.log("one").map(({ message }) => message)).toContain("logged { a: 1 }");
	await host.stop();
	expect(host.plugins.log("one").map(({ message }) => message)).toContain("disposed");
});
