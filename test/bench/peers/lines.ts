import type { Message } from "./link.ts";

type Piped = Bun.Subprocess<"pipe", "pipe", "inherit">;

/** Starts a child that speaks lines of JSON over its stdin and stdout. */
export function spawnLines(command: string[]): Piped {
	return Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "inherit" });
}

/** Reads whole lines; what is written in one turn goes out together. */
export function overLines(child: Piped, hear: (message: Message) => void): (message: unknown) => void {
	void read(child.stdout, hear);
	let isQueued = false;
	return (message) => {
		child.stdin.write(`${JSON.stringify(message)}\n`);
		if (isQueued) return;
		isQueued = true;
		queueMicrotask(() => {
			isQueued = false;
			void child.stdin.flush();
		});
	};
}

/** Ends the input of a child and waits for its end. */
export async function endLines(child: Piped): Promise<void> {
	await child.stdin.end();
	child.kill();
	await child.exited;
}

async function read(stream: ReadableStream<Uint8Array>, hear: (message: Message) => void): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of stream) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) hear(JSON.parse(line));
	}
}
