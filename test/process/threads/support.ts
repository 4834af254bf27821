import type { Running } from "../support/host.ts";

/** A plugin whose tool runs any code with `amp`, the call's context, and an object that stays between calls. */
export const actor = `
export default function (amp) {
	const kept = { heard: [] };
	const Async = (async () => {}).constructor;
	amp.registerTool({
		name: "do",
		description: "Runs code",
		inputSchema: { type: "object" },
		async execute({ code }, context) {
			return JSON.stringify(await new Async("amp", "kept", "context", code)(amp, kept, context)) ?? "undefined";
		},
	});
}
`;

/** Runs code in the plugin; what it returns comes back, and what it throws is thrown. */
export async function act({ host }: Running, code: string): Promise<unknown> {
	const result = await host.tools.call("do", { code });
	if (result.error !== undefined) throw result.error;
	return result.text === "undefined" ? undefined : JSON.parse(result.text);
}

/** Code that gives what a promise rejects with. */
export const refusal = (call: string) =>
	`try { await ${call}; return "resolved"; } catch (error) { return error.code + ": " + error.message; }`;

/** Waits until the plugin has heard so many values; the calls of the tool go over the same wire as what is told. */
export async function heard(running: Running, count: number): Promise<unknown> {
	return act(
		running,
		`while (kept.heard.length < ${count}) await new Promise((r) => setTimeout(r, 1)); return kept.heard;`,
	);
}
