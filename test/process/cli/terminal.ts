import type { createDesk } from "./support.ts";

export interface TerminalOptions {
	columns?: number;
	/** A file of the workspace that takes stdout, as in `command > file`. */
	stdout?: string;
}

/** Runs a command in a terminal of its own. */
export function openTerminal(
	desk: ReturnType<typeof createDesk>,
	command: string[],
	{ columns = 100, stdout }: TerminalOptions = {},
) {
	let shown = "";
	let seen = 0;
	let arrived = () => {};
	const decoder = new TextDecoder();
	const redirected = ["sh", "-c", 'file="$0"; exec "$@" > "$file"', stdout ?? "", ...command];
	const child = Bun.spawn(stdout === undefined ? command : redirected, {
		cwd: desk.path(),
		env: desk.environment({ TERM: "xterm-256color", NO_COLOR: "1", BROOD_BUN: process.execPath }),
		terminal: {
			cols: columns,
			rows: 40,
			data(_terminal, data) {
				shown += decoder.decode(data, { stream: true });
				arrived();
			},
		},
	});
	return {
		child,
		type: (keys: string) => child.terminal?.write(keys),
		raw: () => shown,
		plain: () => Bun.stripANSI(shown).replaceAll("\r", ""),
		/** Waits until a text is shown behind the last one that was waited for. */
		async see(text: string): Promise<void> {
			for (;;) {
				const at = Bun.stripANSI(shown).indexOf(text, seen);
				if (at !== -1) {
					seen = at + text.length;
					return;
				}
				const { promise, resolve } = Promise.withResolvers<void>();
				arrived = resolve;
				const ended = await Promise.race([promise, child.exited.then(() => true)]);
				if (ended && !Bun.stripANSI(shown).includes(text, seen)) throw new Error(`never saw ${text} in:\n${shown}`);
			}
		},
	};
}
