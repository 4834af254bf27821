/** What a host does at the end of its program. */
export interface EndingHooks {
	/** Stops all plugins; resolves when they have ended. */
	stop(): Promise<void>;
	/** Kills what is left, at once and without waiting. */
	kill(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ties the end of the program to the end of its plugins: a signal and the natural end stop them, a second SIGINT
 * kills them, and whatever else ends the program kills them too.
 *
 * @returns a function that unties it
 */
export function endWithProgram({ stop, kill }: EndingHooks): () => void {
	let ending = false;

	async function end(signal: NodeJS.Signals): Promise<void> {
		if (ending) {
			if (signal !== "SIGINT") return;
			kill();
			return raise(signal);
		}
		ending = true;
		await stop();
		raise(signal);
	}

	function raise(signal: NodeJS.Signals): void {
		untie();
		// A program with a handler of its own decides itself what the signal means.
		if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
	}

	const handlers = signals.map((signal) => [signal, () => void end(signal)] as const);
	const beforeExit = () => void stop();
	for (const [signal, handler] of handlers) process.on(signal, handler);
	process.once("beforeExit", beforeExit);
	process.on("exit", kill);

	function untie(): void {
		for (const [signal, handler] of handlers) process.off(signal, handler);
		process.off("beforeExit", beforeExit);
		process.off("exit", kill);
	}
	return untie;
}
