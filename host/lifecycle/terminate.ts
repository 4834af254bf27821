import type { ExitFacts } from "../../runtime/errors.ts";
import { messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { startDeadline } from "../backends/deadline.ts";
import { startCountdown } from "../base/countdown.ts";
import type { Backend } from "../contracts/backend.ts";

export interface TerminateOptions {
	/** Whether dispose callbacks run first. */
	graceful: boolean;
	limits: Limits["stop"];
	/** Aborts to skip what is left of the ladder and kill. */
	hurry: AbortSignal;
	/** Hears what went wrong on the way; the end comes all the same. */
	problem(text: string): void;
}

/**
 * The stop ladder: dispose, SIGINT, SIGKILL, each with its time. Always ends with the process gone.
 *
 * @returns how the process ended
 */
export async function terminate(backend: Backend, options: TerminateOptions): Promise<ExitFacts> {
	const { graceful, limits, hurry, problem } = options;
	if (graceful && !hurry.aborted) await dispose(backend, options);
	if (!hurry.aborted) {
		backend.kill("SIGINT", stopped);
		const exit = await endsWithin(backend, limits.interruptMs, hurry);
		if (exit !== undefined) return exit;
		if (!hurry.aborted) problem(`it did not end within ${limits.interruptMs} ms after SIGINT and was killed`);
	}
	backend.kill("SIGKILL", stopped);
	return backend.exited;
}

async function dispose(backend: Backend, { limits, hurry, problem }: TerminateOptions): Promise<void> {
	const late = new Error(`it did not answer dispose within ${limits.disposeMs} ms`);
	const { signal, clear } = startDeadline(limits.disposeMs, () => late, hurry);
	try {
		await Promise.race([backend.dispose(signal), backend.exited]);
	} catch (error) {
		if (signal.reason === late) problem(late.message);
		else if (!hurry.aborted) problem(`dispose failed: ${messageOf(error)}`);
	} finally {
		clear();
	}
}

async function endsWithin(backend: Backend, ms: number, hurry: AbortSignal): Promise<ExitFacts | undefined> {
	const { promise, resolve } = Promise.withResolvers<undefined>();
	const give = () => resolve(undefined);
	const timer = startCountdown(ms, give);
	hurry.addEventListener("abort", give, { once: true });
	try {
		return await Promise.race([backend.exited, promise]);
	} finally {
		timer.clear();
		hurry.removeEventListener("abort", give);
	}
}

const stopped = "the host stopped it";
