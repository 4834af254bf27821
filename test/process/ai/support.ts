import type { JsonObject } from "../../../host/index.ts";
import { createBench, type Running } from "../support/host.ts";

/** A plugin whose tools call a member of `ai` or `attachments` with JSON, or run code of a test with `amp`. */
const source = `
const told = async (task) => {
	try { return { value: await task() }; }
	catch (error) { return { code: error.code, message: error.message }; }
};
export default (amp) => {
	const tool = (name, execute) =>
		amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute: async (input) => JSON.stringify(await told(() => execute(input))) });
	tool("call", ({ path, args }) => path.split(".").reduce((holder, name) => holder[name], amp)(...args));
	tool("code", ({ text }) => new Function("amp", "return (async () => {" + text + "})()")(amp));
};`;

export interface Told {
	value?: unknown;
	code?: string;
	message?: string;
}

export interface Asking extends Running {
	/** Calls a member in the plugin, and tells its value or its error. */
	call(path: string, ...args: unknown[]): Promise<Told>;
	/** Runs code in the plugin, which may use `amp`. */
	code(text: string): Promise<Told>;
}

type Options = Parameters<ReturnType<typeof createBench>["start"]>[1];

/** Must be called at the top of a test file, as `createBench`. */
export function createAskBench(): { start(options?: Options): Promise<Asking> } {
	const bench = createBench();
	return {
		async start(options) {
			const running = await bench.start({ p: source }, options);
			const told = async (tool: string, input: JsonObject): Promise<Told> =>
				JSON.parse((await running.host.tools.call(tool, input, { events: false })).text);
			return {
				...running,
				call: (path, ...args) => told("call", { path, args: JSON.parse(JSON.stringify(args)) }),
				code: (text) => told("code", { text }),
			};
		},
	};
}
