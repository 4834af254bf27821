import { onTestFinished } from "bun:test";
import { messageOf } from "../../runtime/errors.ts";
import type { CallSite } from "./call-site.ts";

/** Lets a test fail for what a plugin is found to have done, or not done, once it was stopped. */
export interface Verdict {
	/**
	 * Tells it to Bun so that it hides no other: a disposal that throws would, since Bun says nothing of the two errors that
	 * a SuppressedError holds. The test that runs is told when it ends; one of several at once cannot be, so that the run
	 * fails, with the line of this test.
	 *
	 * @throws the error itself where no test runs
	 */
	conclude(error: Error | undefined): void;
}

/** Must be called while the test runs that is to fail. @param site where that test has called the kit */
export function createVerdict(site: CallSite): Verdict {
	let found: Error | undefined;
	let isOver = false;
	// Of an error that is thrown at once Bun shows where that was, rather than where the error says that it began.
	const heard = atEndOfTest(async () => {
		isOver = true;
		if (found !== undefined) throw found;
	});
	return {
		conclude(error) {
			if (error === undefined) return;
			site.place(error);
			if (heard === "by the run") reportError(error);
			else if (heard === "by nobody" || isOver) throw error;
			else found = error;
		},
	};
}

/** Has something done when the test that runs ends, and says who hears what it throws. */
function atEndOfTest(task: () => Promise<void>): "by the test" | "by the run" | "by nobody" {
	try {
		onTestFinished(task);
		return "by the test";
	} catch (error) {
		return messageOf(error).includes("concurrent") ? "by the run" : "by nobody";
	}
}
