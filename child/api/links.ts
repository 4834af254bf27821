import type { LinkMatch } from "../../runtime/protocol.ts";
import type { LinkItem } from "../../runtime/records.ts";

/** What each pattern finds in a text, pattern by pattern; a match begins and ends where a word does. */
export function matchLinks(items: readonly LinkItem[], text: string): LinkMatch[] {
	return items.flatMap((item) => matchesOf(item, text));
}

function matchesOf({ id, pattern, href }: LinkItem, text: string): LinkMatch[] {
	const bounded = new RegExp(`(?<!${wordCharacter})(?:${pattern})(?!${wordCharacter})`, "gu");
	const matches: LinkMatch[] = [];
	for (const { 0: match, index, groups = {} } of text.matchAll(bounded)) {
		// A pattern that only looks ahead finds places without a text.
		if (match === "") continue;
		const groupText = (name: string) => (name === "match" ? match : (groups[name] ?? ""));
		const filled = href.replace(/\{\{([^}]*)\}\}/g, (_, name: string) =>
			encodeURIComponent(groupText(name).toWellFormed()),
		);
		matches.push({ id, start: index, end: index + match.length, href: filled });
	}
	return matches;
}

const wordCharacter = "[\\p{L}\\p{M}\\p{N}_]";
