import { writeSync } from "node:fs";

/** The keys of a person, heard one by one while nobody else reads them. */
export interface Keyboard {
	/** Leaves the terminal to somebody else, such as a dialog. */
	pause(): void;
	/** Hears keys again. */
	resume(): void;
	/** Gives the terminal back as it was. */
	close(): void;
}

export interface KeyboardParts {
	/** A key that stands for a character; neither Ctrl-C nor Ctrl-Z. */
	pressed(key: string): void;
	/** Ctrl-C, which a terminal that gives single keys makes a key of. */
	interrupt(): void;
	/** The program was stopped, and goes on. */
	resumed(): void;
}

/**
 * Hears keys without Enter. However the program ends, and while it is stopped, the terminal is as it was; only a SIGKILL
 * leaves nobody to do that.
 */
export function openKeyboard({ pressed, interrupt, resumed }: KeyboardParts): Keyboard {
	const { stdin } = process;
	let isPaused = false;
	let isClosed = false;

	function hear(chunk: Buffer): void {
		const text = chunk.toString();
		// An arrow or another key that stands for no character.
		if (text.startsWith("\u001b")) return;
		for (const key of text) {
			// Whatever the key before began reads the rest.
			if (isPaused) return;
			if (key === "\u0003") interrupt();
			else if (key === "\u001a") process.kill(0, "SIGTSTP");
			else pressed(key);
		}
	}

	function listen(): void {
		stdin.setRawMode(true);
		stdin.on("data", hear);
		stdin.resume();
	}

	function leave(): void {
		stdin.off("data", hear);
		stdin.setRawMode(false);
	}

	const release = keepTerminal(stdin, resumed);
	listen();
	return {
		pause() {
			if (isPaused) return;
			isPaused = true;
			leave();
		},
		resume() {
			if (!isPaused || isClosed) return;
			isPaused = false;
			listen();
		},
		close() {
			release();
			isPaused = true;
			isClosed = true;
			leave();
			stdin.pause();
		},
	};
}

/** Leaves the terminal as it was while the program is stopped, and at its end. @returns a function that ends that */
function keepTerminal(stdin: typeof process.stdin, resumed: () => void): () => void {
	let wasRaw = false;

	function stop(): void {
		wasRaw = stdin.isRaw;
		stdin.setRawMode(false);
		process.kill(process.pid, "SIGSTOP");
	}

	function goOn(): void {
		// The shell has changed the terminal meanwhile, which stdin does not know.
		const isRaw = stdin.isRaw || wasRaw;
		wasRaw = false;
		stdin.setRawMode(false);
		stdin.setRawMode(isRaw);
		resumed();
	}

	function giveBack(): void {
		stdin.setRawMode(false);
		// A prompt hides the cursor.
		writeSync(2, "\u001b[?25h");
	}

	process.on("SIGTSTP", stop).on("SIGCONT", goOn).on("exit", giveBack);
	return () => void process.off("SIGTSTP", stop).off("SIGCONT", goOn).off("exit", giveBack);
}
