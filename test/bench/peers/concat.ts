import { childFile } from "./child-file.ts";
import { endLines, spawnLines } from "./lines.ts";
import type { Peer } from "./peer.ts";

/** Lines of JSON as most programs read them: each chunk is added to a text that is then searched for a line end. */
export const concatPeer: Peer = {
	async open() {
		const begun = performance.now();
		const child = spawnLines([process.execPath, childFile("concat.ts")]);
		let answered: (message: Echo) => void = () => {};
		void read(child.stdout, (message) => answered(message));
		return {
			took: { start: performance.now() - begun },
			pid: child.pid,
			async call(text) {
				const { promise, resolve } = Promise.withResolvers<Echo>();
				answered = resolve;
				child.stdin.write(`${JSON.stringify({ id: 1, method: "echo", params: { text } })}\n`);
				await child.stdin.flush();
				return (await promise).result.text;
			},
			close: () => endLines(child),
		};
	},
};

interface Echo {
	result: { text: string };
}

async function read(stream: ReadableStream<Uint8Array>, hear: (message: Echo) => void): Promise<void> {
	const decoder = new TextDecoder();
	let text = "";
	for await (const chunk of stream) {
		text += decoder.decode(chunk, { stream: true });
		for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n")) {
			hear(JSON.parse(text.slice(0, end)));
			text = text.slice(end + 1);
		}
	}
}
