import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A model that thinks until its signal aborts; each question resolves as it is asked and as it is given up. */
function thinking() {
	const asked = new Map<string, PromiseWithResolvers<void>>();
	const ended = new Map<string, PromiseWithResolvers<unknown>>();
	const of = <Value>(table: Map<string, PromiseWithResolvers<Value>>, name: string) =>
		table.getOrInsertComputed(name, () => Promise.withResolvers<Value>());
	return {
		asked: (name: string) => of(asked, name).promise,
		givenUp: (name: string) => of(ended, name).promise,
		isGivenUp: async (name: string) => (await Promise.race([of(ended, name).promise, Promise.resolve(open)])) !== open,
		provider: {
			ask: (request: { question: string }, { signal }: { signal: AbortSignal }) => think(request.question, signal),
			generate: (request: { prompt: string }, { signal }: { signal: AbortSignal }) => think(request.prompt, signal),
		},
	};

	function think(name: string, signal: AbortSignal): Promise<never> {
		of(asked, name).resolve();
		return new Promise((_, reject) => {
			signal.addEventListener("abort", () => {
				of(ended, name).resolve(signal.reason);
				reject(signal.reason);
			});
		});
	}
}

const open = Symbol("open");

const plugin = `export default (amp) => {
	const both = (ai, where) => Promise.all([ai.ask(where + " ask"), ai.generate({ prompt: where + " generate" })]);
	amp.on("agent.start", async (event, ctx) => { void amp.ai.ask("amp").catch(() => {}); await both(ctx.ai, "event"); });
	amp.registerCommand("c", { title: "C" }, (ctx) => both(ctx.ai, "command"));
};`;

test("what an event or a command asked a model is given up with it, and what amp.ai was asked goes on", async () => {
	const model = thinking();
	const { host } = await bench.start({ p: plugin }, { providers: { ai: model.provider } });
	const cases = [
		["event", (signal: AbortSignal) => host.emit("agent.start", { message: "m", id: "1" }, { signal })],
		["command", (signal: AbortSignal) => host.commands.run("c", { signal })],
	] as const;
	for (const [where, start] of cases) {
		const caller = new AbortController();
		const call = start(caller.signal).catch((error: unknown) => error);
		await Promise.all([model.asked(`${where} ask`), model.asked(`${where} generate`)]);
		expect(await model.isGivenUp(`${where} ask`)).toBe(false);
		caller.abort();
		await Promise.all([model.givenUp(`${where} ask`), model.givenUp(`${where} generate`)]);
		expect(await call).toMatchObject({ code: "cancelled" });
	}
	expect(await model.isGivenUp("amp")).toBe(false);
	await host.stop();
	await model.givenUp("amp");
});

test("a handler that is late has its questions given up too", async () => {
	const model = thinking();
	const limits = { call: { eventHandlerMs: 200 } };
	const { host } = await bench.start({ p: plugin }, { providers: { ai: model.provider }, limits });
	const { handlers } = await host.emit("agent.start", { message: "m", id: "1" });
	expect(handlers).toMatchObject([{ error: { code: "timeout" } }]);
	await Promise.all([model.givenUp("event ask"), model.givenUp("event generate")]);
});
