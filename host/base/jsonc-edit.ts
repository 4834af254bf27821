import type { Json } from "../../runtime/records.ts";
import { locateMembers, type MemberPlace, type ObjectPlace } from "./jsonc.ts";

/**
 * Sets a member of the outermost object in a text of JSON with comments; all else in the text stays as it is.
 * Of a name that stands twice the last one counts, as it does for whoever reads it.
 *
 * @throws JsoncError when the text cannot be read
 */
export function setMember(text: string, key: string, value: Json): string {
	return setMembers(text, [[key, value]]);
}

/** Sets members of different names like `setMember`, each new one behind the one before it. @throws JsoncError */
export function setMembers(text: string, values: readonly (readonly [key: string, value: Json])[]): string {
	const place = locateMembers(text);
	const style = styleOf(text, place);
	const existing = new Map(place.members.map((member) => [member.key, member]));
	const added: string[] = [];
	const changed: Change[] = [];
	for (const [key, value] of values) {
		const written = writeValue(value, style);
		const member = existing.get(key);
		if (member === undefined) added.push(`${JSON.stringify(key)}: ${written}`);
		else changed.push({ start: member.valueStart, stop: member.end, by: written });
	}
	// What is added stands behind all that is changed.
	const longer = added.length === 0 ? text : addMembers(text, place, added, style);
	return rewrite(
		longer,
		changed.sort((one, other) => one.start - other.start),
	);
}

/** Removes a member wherever its name stands; comments stay. @throws JsoncError when the text cannot be read */
export function removeMember(text: string, key: string): string {
	const { members } = locateMembers(text);
	/** What goes, the last one first. */
	const cuts: Span[] = [];
	let isLast = true;
	for (let index = members.length - 1; index >= 0; index -= 1) {
		const member = members[index];
		if (member?.key !== key) {
			isLast = false;
			continue;
		}
		// The last one of those that stay has no comma, unless there was one behind them all.
		const comma = isLast && index < members.length - 1 ? undefined : member.comma;
		cutMember(text, cuts, { ...member, comma });
		const before = members[index - 1]?.comma;
		if (comma === undefined && before !== undefined) cut(cuts, before, before + 1);
		else isLast = false;
	}
	return rewrite(
		text,
		cuts.reverse().map((span) => ({ ...span, by: "" })),
	);
}

interface Style {
	lineEnd: string;
	/** What stands before a member on its line. */
	indent: string;
	isOnOneLine: boolean;
}

function styleOf(text: string, { open, close, members }: ObjectPlace): Style {
	const first = members[0];
	const lead = first === undefined ? undefined : /[\r\n]([ \t]*)$/.exec(text.slice(0, first.start))?.[1];
	return {
		lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
		indent: lead === undefined || lead === "" ? "\t" : lead,
		isOnOneLine: members.length > 0 && !/[\r\n]/.test(text.slice(open, close)),
	};
}

function writeValue(value: Json, { isOnOneLine, indent, lineEnd }: Style): string {
	if (isOnOneLine) return JSON.stringify(value);
	return JSON.stringify(value, null, indent).replaceAll("\n", `${lineEnd}${indent}`);
}

function addMembers(text: string, { open, close, members }: ObjectPlace, added: string[], style: Style): string {
	const last = members.at(-1);
	// What was written behind the last member, a comment or a comma, stays behind it.
	const tail = text.slice(last?.end ?? open + 1, close).trimEnd();
	const head = text.slice(0, last?.end ?? open + 1);
	const separated = last !== undefined && last.comma === undefined ? `,${tail}` : tail;
	const closing = last?.comma === undefined ? "" : ",";
	const blank = text.slice(head.length + tail.length, close);
	const lead = style.isOnOneLine ? " " : style.lineEnd + style.indent;
	const end = style.isOnOneLine || /[\r\n]/.test(blank) ? blank : style.lineEnd;
	return `${head}${separated}${lead}${added.join(`,${lead}`)}${closing}${end}${text.slice(close)}`;
}

interface Span {
	start: number;
	stop: number;
}

interface Change extends Span {
	by: string;
}

/** The text with these places changed, which lie in order and apart. */
function rewrite(text: string, changes: readonly Change[]): string {
	const pieces = changes.flatMap(({ start, by }, index) => [text.slice(changes[index - 1]?.stop ?? 0, start), by]);
	return pieces.join("") + text.slice(changes.at(-1)?.stop ?? 0);
}

/** Adds to the cuts a span before them; those that it meets become one with it. */
function cut(cuts: Span[], start: number, stop: number): void {
	let end = stop;
	for (let next = cuts.at(-1); next !== undefined && next.start <= end; next = cuts.at(-1)) {
		end = Math.max(end, next.stop);
		cuts.pop();
	}
	cuts.push({ start, stop: end });
}

function cutMember(text: string, cuts: Span[], { start, end, comma }: MemberPlace): void {
	let from = end;
	if (comma !== undefined) {
		// Between a value and its comma may stand a comment.
		if (text.slice(end, comma).trim() === "") from = comma + 1;
		else cut(cuts, comma, comma + 1);
	}
	const stop = skipBlanks(text, cuts, from);
	const lineStart = startOfBlanks(text, start);
	const lineEnd = /(?:\r\n|\r|\n)?/y;
	lineEnd.lastIndex = stop;
	const [ending = ""] = lineEnd.exec(text) ?? [];
	// The line goes with it when nothing else stands there.
	const isAlone = ending !== "" && /[\r\n]/.test(text.charAt(lineStart - 1));
	cut(cuts, isAlone ? lineStart : start, isAlone ? stop + ending.length : stop);
}

/** Goes on over blanks, and over what is cut already. */
function skipBlanks(text: string, cuts: readonly Span[], from: number): number {
	let at = from;
	for (let next = cuts.length - 1; ; ) {
		const span = cuts[next];
		if (span !== undefined && span.start <= at) {
			at = Math.max(at, span.stop);
			next -= 1;
		} else if (text[at] === " " || text[at] === "\t") at += 1;
		else return at;
	}
}

function startOfBlanks(text: string, end: number): number {
	let at = end;
	while (text[at - 1] === " " || text[at - 1] === "\t") at -= 1;
	return at;
}
