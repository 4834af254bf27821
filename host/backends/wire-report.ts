/** What is wrong with what one child writes to the wire, told in its log: each kind once at once, and then now and then. */
export interface WireReport {
	/** A message that is wrong, in one sentence. */
	problem(text: string): void;
	/** Something that is no message. */
	noise(excerpt: string, reason: string): void;
	/** How much noise there was so far. */
	readonly noises: number;
	/** A clause that quotes the first noise after so many, for an error that it may explain; empty when there was none. */
	quote(after: number): string;
}

// What a plugin repeats is told the first time, the tenth, the hundredth: enough to see it and too little to fill a log.
const isTold = (count: number) => /^10*$/.test(String(count));

// A plugin that invents new mistakes all the time gets them told as one kind.
const kindsMax = 32;
const quotesMax = 32;

/** Makes the report of one child; `tell` writes a line of its log. */
export function createWireReport(tell: (text: string) => void): WireReport {
	const counts = new Map<string, number>();
	const excerpts: string[] = [];
	let noises = 0;

	function count(kind: string, text: string): void {
		const known = counts.has(kind) || counts.size < kindsMax ? kind : "";
		const times = (counts.get(known) ?? 0) + 1;
		counts.set(known, times);
		if (isTold(times)) tell(times === 1 ? text : `${text} (${times} of this kind so far)`);
	}

	return {
		// Names and values that a message quotes do not make it another kind.
		problem: (text) => count(text.replace(/".*"|: .*/s, ""), text),
		noise(excerpt, reason) {
			noises += 1;
			excerpts.push(excerpt);
			if (excerpts.length > quotesMax) excerpts.shift();
			count("noise", `something that is no message was skipped (${reason}): ${excerpt} ${hintFor(excerpt)}`);
		},
		get noises() {
			return noises;
		},
		quote(after) {
			const excerpt = excerpts[Math.max(0, excerpts.length - (noises - after))];
			return noises === after || excerpt === undefined ? "" : `its stdout carried what is no message: ${excerpt}`;
		},
	};
}

function hintFor(excerpt: string): string {
	const framing = /^Content-Length:/i.test(excerpt) ? "There are no headers: " : "";
	return `[${framing}each line of stdout is one JSON message; text for people belongs on stderr]`;
}
