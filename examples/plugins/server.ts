// A subprocess of the plugin's own, as a language server or a database would be: started on load, asked by a tool and
// ended on dispose. After a crash no dispose runs, and the host ends the subprocess with the plugin.
// Run it: brood -p examples/plugins/server.ts call next_number '{}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Gives out numbers from a subprocess";

// It answers each line with the next number.
const script = "number=0; while read -r line; do number=$((number + 1)); echo $number; done";

export default function (amp: PluginAPI) {
	const server = Bun.spawn(["/bin/sh", "-c", script], { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
	amp.logger.log(`the server is process ${server.pid}`);

	amp.onDispose(async () => {
		// The end of its input is the end of its loop.
		await server.stdin.end();
		await server.exited;
	});

	const lines = linesOf(server.stdout);

	/** Answers come in the order of the questions, so each call waits for the next line that nobody waits for yet. */
	async function ask(question: string): Promise<string> {
		const answer = lines.next();
		server.stdin.write(`${question}\n`);
		await server.stdin.flush();
		const { value } = await answer;
		if (typeof value !== "string") throw new Error("The server has ended.");
		return value;
	}

	amp.registerTool({
		name: "next_number",
		description: "Gives the next number, and never the same one twice",
		inputSchema: { type: "object", additionalProperties: false },
		execute: () => ask("next"),
	});
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of stream) {
		const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = parts.pop() ?? "";
		yield* parts;
	}
	return undefined;
}
