/** Offsets of the brackets of a masked source. */
export interface Brackets {
	/** The closing bracket of each opening one, in the order of the text. */
	closeOf: ReadonlyMap<number, number>;
	openOf: ReadonlyMap<number, number>;
	/** The opening bracket around each opening one. */
	parentOf: ReadonlyMap<number, number>;
}

/**
 * Pairs round, square and curly brackets.
 * @throws Error when they do not match: the source is broken, or the mask is
 */
export function matchBrackets(code: string): Brackets {
	const closed = new Map<number, number>();
	const openOf = new Map<number, number>();
	const parentOf = new Map<number, number>();
	const open: number[] = [];
	for (const { 0: char, index } of code.matchAll(/[()[\]{}]/g)) {
		if (char in partners) {
			const parent = open.at(-1);
			if (parent !== undefined) parentOf.set(index, parent);
			open.push(index);
			continue;
		}
		const start = open.pop();
		if (start === undefined || partners[code.charAt(start)] !== char) throw unmatched(code, index);
		closed.set(start, index);
		openOf.set(index, start);
	}
	const left = open.pop();
	if (left !== undefined) throw unmatched(code, left);
	return { closeOf: new Map([...closed].sort(([a], [b]) => a - b)), openOf, parentOf };
}

const partners: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function unmatched(code: string, at: number): Error {
	return new Error(`A bracket has no partner in line ${code.slice(0, at).split("\n").length}`);
}
