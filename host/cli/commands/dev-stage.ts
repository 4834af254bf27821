import type { Output } from "../output.ts";

/** A screen on which one thing happens at a time: lines scroll, or something has it for itself. */
export interface Stage {
	/** The same output for lines; they wait while something has the screen. */
	readonly output: Output;
	/** Gives the screen to a task; it may be given to several that take turns. */
	during<Result>(task: () => Promise<Result>): Promise<Result>;
	/** Puts a line below all others, where it stays; none when empty. */
	keepInSight(line: string): void;
	/** Draws that line again, which somebody may have overwritten. */
	redraw(): void;
	/** Takes that line away for good. */
	close(): void;
}

export interface StageParts {
	/** Where it is written to. */
	output: Output;
	/** Whether a line can stay in its place: on a terminal. */
	hasFooter: boolean;
	/** Something has the screen from now on. */
	taken(): void;
	/** Nothing has it any more. */
	free(): void;
}

export function createStage({ output, hasFooter, taken, free }: StageParts): Stage {
	const footer = createFooter(hasFooter ? output.draw : () => {});
	let waiting: (() => void)[] = [];
	let holders = 0;

	function print(write: () => void): void {
		if (holders > 0) return void waiting.push(write);
		footer.erase();
		write();
		footer.draw();
	}

	function take(): void {
		holders += 1;
		if (holders > 1) return;
		footer.erase();
		taken();
	}

	function release(): void {
		holders -= 1;
		if (holders > 0) return;
		for (const write of waiting) write();
		waiting = [];
		footer.draw();
		free();
	}

	return {
		output: {
			...output,
			result: (text) => print(() => output.result(text)),
			note: (text) => print(() => output.note(text)),
		},
		async during(task) {
			take();
			try {
				// Others write to the screen by themselves, and must not come first.
				await output.drained().catch(() => {});
				return await task();
			} finally {
				release();
			}
		},
		keepInSight(line) {
			footer.text = line;
			print(() => {});
		},
		redraw: () => print(() => {}),
		close() {
			footer.text = "";
			print(() => {});
		},
	};
}

/** A line below all others, with the cursor behind it. */
function createFooter(write: (text: string) => void) {
	let drawn = "";
	return {
		text: "",
		erase() {
			if (drawn !== "") write("\r\u001b[2K");
			drawn = "";
		},
		draw() {
			if (this.text !== "") write(this.text);
			drawn = this.text;
		},
	};
}
