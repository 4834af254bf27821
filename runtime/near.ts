/** Finds the name that somebody who wrote `word` most likely meant; undefined when none is near. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
	// A short word is near to everything, and nobody mistypes a third of a long one.
	const farthest = Math.min(3, Math.ceil(word.length / 3));
	let best: string | undefined;
	let bestDistance = farthest + 1;
	for (const name of names) {
		const distance = distanceOf(word.toLowerCase(), name.toLowerCase(), bestDistance);
		if (distance >= bestDistance) continue;
		best = name;
		bestDistance = distance;
	}
	return best;
}

// A longer one is no name that somebody typed.
const wordCharsMax = 200;

/** How many characters have to be put in, taken out, changed or swapped; `limit` when it is that much or more. */
function distanceOf(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) >= limit || Math.max(a.length, b.length) > wordCharsMax) return limit;
	let before: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, index) => index);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const isSame = a[row - 1] === b[column - 1];
			const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			current.push(
				Math.min(
					at(last, column) + 1,
					at(current, column - 1) + 1,
					at(last, column - 1) + (isSame ? 0 : 1),
					isSwap ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
				),
			);
		}
		before = last;
		last = current;
	}
	return Math.min(limit, at(last, b.length));
}

function at(row: readonly number[], column: number): number {
	return row[column] ?? Number.POSITIVE_INFINITY;
}
