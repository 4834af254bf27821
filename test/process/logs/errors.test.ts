import { expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const failing = `
class DiskFull extends Error {
	override name = "DiskFull";
	code = "ENOSPC";
}
export default (amp) => {
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	tool("own", () => { throw new DiskFull("no room", { cause: new RangeError("disk 7", { cause: "worn out" }) }); });
	tool("all", () => Promise.any([Promise.reject(new TypeError("first")), Promise.reject(new DiskFull("second"))]));
};`;

test("an error of a plugin's own class keeps name, message, code, causes and stack", async () => {
	const { host } = await bench.start({ failing });
	const { ok, text, error } = await host.tools.call("own", {});
	expect({ ok, text }).toEqual({ ok: false, text: "no room" });
	expect(error).toMatchObject({ name: "DiskFull", message: "no room", code: "ENOSPC" });
	expect(error?.stack).toMatch(/failing\.ts:8\b/);
	expect(error?.cause).toBeInstanceOf(RangeError);
	expect(error?.cause).toMatchObject({ message: "disk 7", cause: { message: "worn out" } });
});

test("an AggregateError keeps its errors, each with its class, code and stack", async () => {
	const { host } = await bench.start({ failing });
	const { error } = await host.tools.call("all", {});
	if (!(error instanceof AggregateError)) throw new Error(`it is ${error?.name}`);
	expect(error.errors[0]).toBeInstanceOf(TypeError);
	expect(error.errors).toMatchObject([{ message: "first" }, { name: "DiskFull", code: "ENOSPC", message: "second" }]);
	expect(error.errors[1].stack).toContain("failing.ts");
});

test("each state tells itself in the list, and one that is bad tells why", async () => {
	const later = Promise.withResolvers<void>();
	const server = Bun.serve({ port: 0, fetch: () => later.promise.then(() => new Response("")) });
	const slow = `await fetch("http://localhost:${server.port}"); export default () => {};`;
	const crash = `export default (amp) => amp.registerCommand("die", { title: "" }, () => process.exit(9));`;
	const limits = { restart: { delaysMs: [60_000] } };
	const running = await bench.start(
		{ fine: "export default () => {};", off: "export default () => {};", crash },
		{ limits },
	);
	const { host, reaches } = running;
	await host.disable("off");
	await host.commands.run("die").catch(() => {});
	await reaches("crash", "restarting");
	bench.write("fine", slow);
	const states = (name: string) => {
		const { state, error } = host.plugins.list().find((plugin) => plugin.name === name) ?? {};
		return [state, error?.message ?? null];
	};
	expect(states("off")).toEqual(["disabled", null]);
	expect(states("crash")).toEqual(["restarting", expect.stringContaining("it exited with code 9")]);
	expect(states("fine")).toEqual(["ready", null]);
	await host.disable("fine");
	const starting = host.enable("fine");
	expect(states("fine")).toEqual(["starting", null]);
	later.resolve();
	await starting;
	expect(states("fine")).toEqual(["ready", null]);
	bench.write("fine", "throw new Error('worse');");
	const reloaded = await host.reload("fine").catch((error: unknown) => error);
	// The old one serves on, and the list says that it is not what lies on the disk.
	expect(states("fine")).toEqual(["ready", expect.stringContaining("worse")]);
	expect(isBroodError(reloaded, "load_failed")).toBe(true);
	await host.disable("fine");
	await host.enable("fine");
	expect(states("fine")).toEqual(["failed", expect.stringContaining("worse")]);
	await server.stop(true);
});
