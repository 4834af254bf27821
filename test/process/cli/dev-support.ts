import { readFileSync } from "node:fs";
import type { createDesk } from "./support.ts";
import { main } from "./support.ts";
import { openTerminal } from "./terminal.ts";

type Desk = ReturnType<typeof createDesk>;

/** A stream as text, which tests wait for. */
export interface Reader {
	text(): string;
	/** Waits for a text behind the last one that was waited for; gives what came since. */
	see(text: string | RegExp): Promise<string>;
}

/** `brood dev` where no person is: nobody has a keyboard, and both streams are read by programs. */
export function startDev(desk: Desk, parameters: string[], env: Record<string, string> = {}) {
	const child = desk.start([...parameters], { env });
	return {
		child,
		stdout: readerOf(child.stdout),
		stderr: readerOf(child.stderr),
		/** Ends it by a signal. @returns its exit code */
		async end(signal: NodeJS.Signals = "SIGTERM"): Promise<number> {
			child.kill(signal);
			return child.exited;
		},
		async [Symbol.asyncDispose]() {
			child.kill("SIGTERM");
			await child.exited;
		},
	};
}

/** `brood dev` in a terminal, and what the terminal is like after it. */
export function driveDev(desk: Desk, parameters: string[]) {
	const script = '"$@"; echo "exit code $?"; stty -a';
	const session = openTerminal(desk, ["sh", "-c", script, "sh", process.execPath, main, ...parameters]);
	return {
		...session,
		/** Waits for the end. @returns the exit code of the command */
		async ended(): Promise<number> {
			await session.child.exited;
			return Number(/exit code (\d+)/.exec(session.plain())?.[1]);
		},
		/** Whether the terminal edits lines and shows what is typed, as it did before. */
		isRestored: () => /[^-]icanon/.test(session.plain()) && /[^-]echo /.test(session.plain()),
		async [Symbol.asyncDispose]() {
			session.type("\u0003");
			await session.child.exited;
		},
	};
}

function readerOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Reader {
	let all = "";
	let seen = 0;
	let isOver = false;
	let arrived = Promise.withResolvers<void>();
	void (async () => {
		for await (const text of stream.pipeThrough(new TextDecoderStream())) {
			all += text;
			arrived.resolve();
			arrived = Promise.withResolvers();
		}
		isOver = true;
		arrived.resolve();
	})();
	return {
		text: () => all,
		async see(text) {
			for (;;) {
				const rest = all.slice(seen);
				const [found] = typeof text === "string" ? (rest.includes(text) ? [text] : []) : (text.exec(rest) ?? []);
				if (found !== undefined) {
					const end = rest.indexOf(found) + found.length;
					seen += end;
					return rest.slice(0, end);
				}
				if (isOver) throw new Error(`never saw ${text} in:\n${all}`);
				await arrived.promise;
			}
		},
	};
}

/** A plugin with one tool, whose answer tells the version. */
export const version = (tool: string, number: number, more = "") => `export default (amp) => {
	amp.registerTool({ name: "${tool}", description: "Version ${number}", inputSchema: { type: "object" }, execute: () => "${number}" });
	${more}
};
`;

/** What Linux says of a process: R that it runs, S that it sleeps, T that it is stopped. */
export function stateOf(pid: number): string {
	const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
	return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
}
