/** The size of a terminal that tells none, such as a pty that nobody has sized. */
export const usualSize = { columns: 80, rows: 24 };

/** Gives the usual size to a stream that claims to have no columns or no rows: prompts would be wrapped at nothing. */
export function giveSize(output: object): void {
	for (const [side, usual] of Object.entries(usualSize)) {
		if (Reflect.get(output, side) === 0) Reflect.set(output, side, usual);
	}
}
