import { join } from "node:path";
import type { Bench } from "../support/host.ts";

/** A program with a host that is going to be stopped, and the processes of its plugins. */
export interface SleepingHost {
	pid: number;
	plugins: number[];
	/** How all that was under way came out. */
	end(): Promise<unknown>;
}

const script = join(import.meta.dir, "../../fixtures/time/sleeping-host.ts");

/** Writes the plugins that the program expects; gives its command. `done` is written when the short call has ended. */
export function sleepingHostCommand(bench: Bench, folder: string, done: string): string[] {
	const begins = (name: string, then: string) => `async () => { console.error("${name}"); ${then} }`;
	const tool = (name: string, then: string) =>
		`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${begins(name, then)} });`;
	const mark = `require("node:fs").writeFileSync(${JSON.stringify(done)}, "");`;
	const calls = [
		tool("short", `await Bun.sleep(450); ${mark} return "short";`),
		tool("large", 'await Bun.sleep(450); return "x".repeat(1_000_000);'),
		tool("never", "await new Promise(() => {});"),
	];
	const seen = begins("event", 'await Bun.sleep(450); return { message: { content: "seen" } };');
	bench.write(`${folder}/calls.ts`, `export default (amp) => { ${calls.join("\n")} };`);
	bench.write(`${folder}/event.ts`, `export default (amp) => amp.on("agent.start", ${seen});`);
	bench.write(`${folder}/idle.ts`, "export default () => {};");
	const late = bench.write(`${folder}/late.ts`, `export default ${begins("late", "await Bun.sleep(450);")};`);
	return [process.execPath, script, join(late, "..")];
}

/** What such a program says of a sleep that harmed nobody. */
export const unharmed = {
	short: "short".length,
	large: 1_000_000,
	event: { messages: [{ content: "seen", plugin: "event" }] },
	late: "ready",
	// A sleep makes no call endless.
	never: "timeout",
	states: ["late starting", "late ready"],
	launches: ["calls 1", "event 1", "idle 1", "late 1"],
};

/** Starts the program; resolves when all is under way. */
export async function startSleepingHost(bench: Bench, folder: string, done: string): Promise<SleepingHost> {
	const child = Bun.spawn(sleepingHostCommand(bench, folder, done), { stdout: "pipe", stderr: "inherit" });
	const lines = linesOf(child.stdout);
	const { value } = await lines.next();
	const { pids } = JSON.parse(value ?? "{}") as { pids: number[] };
	for (const pid of pids) bench.watch(pid);
	return {
		pid: child.pid,
		plugins: pids,
		async end() {
			const said = await lines.next();
			await child.exited;
			return (JSON.parse(said.value ?? "{}") as { end?: unknown }).end;
		},
	};
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
	const decoder = new TextDecoder();
	let text = "";
	for await (const chunk of stream) {
		text += decoder.decode(chunk, { stream: true });
		for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n")) {
			yield text.slice(0, at);
			text = text.slice(at + 1);
		}
	}
	return undefined;
}
