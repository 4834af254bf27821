import { readFileSync } from "node:fs";
import type { Running } from "../support/host.ts";
import { childrenOf } from "../support/processes.ts";

/** Resolves when so many processes wait for a plugin. */
export async function spares(running: Running, waiting: number): Promise<void> {
	const last = running.events.findLast((event) => event.type === "spares");
	if (last?.type === "spares" && last.waiting === waiting) return;
	await running.next("spares", (event) => event.waiting === waiting);
}

/** The processes that this one has started as children without a plugin, whatever has become of them; Linux only. */
export function sparePids(parent = process.pid): number[] {
	return childrenOf(parent).filter((pid) => {
		const words = commandOf(pid);
		const wire = words.indexOf("--wire=3");
		return wire > 0 && words[wire - 1] === "";
	});
}

function commandOf(pid: number): string[] {
	try {
		return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
	} catch {
		return [];
	}
}

/** A plugin that tells what it sees of its process, and ends it when told to. */
export const tells = (name: string) => `export default (amp) => {
	amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, async execute({ end, set }) {
		if (end) process.exit(3);
		if (set) process.env.SET_BY_PLUGIN = globalThis.setByPlugin = set;
		return JSON.stringify({
			pid: process.pid,
			cwd: process.cwd(),
			file: process.argv[2],
			given: process.env.GIVEN ?? null,
			set: [process.env.SET_BY_PLUGIN, globalThis.setByPlugin].join(),
			settings: await amp.configuration.get(),
		});
	} });
};`;

/** What a plugin of the source above answers. */
export async function told({ host }: Running, tool: string, input = {}) {
	return JSON.parse((await host.tools.call(tool, input, { events: false })).text);
}
