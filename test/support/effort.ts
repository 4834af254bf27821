import { appendFileSync } from "node:fs";

/** Whether this run takes full counts: other and more cases than the fixed slice of `bun run test`. */
export const deep = process.env.BROOD_TEST_DEEP === "1";

/** A fixed slice of each property in the quick run; other and more cases in the deep one. */
export const propertyRuns = deep ? { numRuns: 5_000 } : { seed: 20_260_101, numRuns: 200 };

/** Tells the test command how much a test tried, so that the run can say so at its end. */
export function tally(subject: string, count: number, note = ""): void {
	const line = `${subject}: ${count}${note === "" ? "" : ` (${note})`}`;
	const file = process.env.BROOD_TEST_TALLY;
	if (file === undefined) console.log(line);
	else appendFileSync(file, `${line}\n`);
}

/** How long a property may take, in milliseconds. */
export const propertyMs = deep ? 600_000 : 20_000;
