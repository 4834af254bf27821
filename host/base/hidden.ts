/**
 * Characters that a terminal obeys instead of showing, or that make a text read as another one: controls but line feed
 * and tab, other line ends, bidirectional overrides and isolates, and what has no width. Joiners stay: emoji and some
 * scripts need them.
 */
export const hidden = /[^\P{Cc}\n\t]|[\u2028\u2029\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/gu;

/** The text with each hidden character as its escape, such as `\u202e`. */
export function revealHidden(text: string): string {
	return text.replace(hidden, escapeOf);
}

function escapeOf(character: string): string {
	const escaped = JSON.stringify(character).slice(1, -1);
	// JSON leaves those above 0x7e as they are.
	return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}` : escaped;
}
