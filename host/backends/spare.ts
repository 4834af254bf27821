import type { Limits } from "../../runtime/limits.ts";
import type { Launch } from "../contracts/services.ts";
import { describeExit, quoteTail } from "./load-failure.ts";
import { type ChildProcess, spawnChild, spawnLimitsOf } from "./process.ts";
import type { Watchdog } from "./watchdog.ts";

/** A child that was started without a plugin: it has said hello, and waits for the answer, which names one. */
export interface Spare {
	readonly launch: Launch;
	readonly child: ChildProcess;
	/** When it was started, by `performance.now`, where it did not wait long enough to be warm. */
	readonly sinceMs?: number;
	/** Whether it has said hello; false when it has ended instead. */
	readonly greeted: Promise<boolean>;
	/** Resolves when it is of no use any more. */
	readonly gone: Promise<unknown>;
	/** What it has said and nobody has read; the wire is to be opened with it. */
	readonly received: Uint8Array[];
	/** Whether it was started with what these limits ask of a process. */
	keeps(limits: Limits): boolean;
	/** Gives it to a plugin, whose log gets what it prints, and has printed before. */
	give(line: (text: string) => void): void;
	/** Why it ended, once it has. */
	explainEnd(): Promise<string>;
}

/** Starts a child without a plugin. @throws BroodError `launch_failed` */
export function startSpare(launch: Launch, { limits, watchdog }: { limits: Limits; watchdog: Watchdog }): Spare {
	const printed: string[] = [];
	// Nothing of a plugin runs in it: one that prints on and on is broken, and its output worth nothing.
	let hear = (text: string): void => {
		if (printed.length < printedLinesMax) printed.push(text);
	};
	const child = spawnChild({ launch, limits, watchdog, line: (text) => hear(text) });
	const received: Uint8Array[] = [];
	let receivedBytes = 0;
	const greeted = Promise.withResolvers<boolean>();
	const closed = Promise.withResolvers<void>();
	child.wire.open({
		data(bytes) {
			received.push(bytes);
			receivedBytes += bytes.byteLength;
			if (receivedBytes > helloBytesMax) closed.resolve();
			else if (bytes.includes(newline)) greeted.resolve(true);
		},
		drained() {},
		closed: () => closed.resolve(),
	});
	const gone = Promise.race([closed.promise, child.exited]);
	void gone.then(() => greeted.resolve(false));

	return {
		launch,
		child,
		received,
		greeted: greeted.promise,
		gone,
		keeps: (others) => Bun.deepEquals(spawnLimitsOf(limits), spawnLimitsOf(others)),
		give(line) {
			printed.forEach(line);
			hear = line;
		},
		async explainEnd() {
			const exit = await child.exited;
			if (received.length === 0) launch.mute?.();
			return `${describeExit(exit)}${quoteTail(exit)}`;
		},
	};
}

const newline = 0x0a;
/** It has one line to say. */
const helloBytesMax = 64 * 1024;
const printedLinesMax = 100;
