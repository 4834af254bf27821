import type { Json } from "../../runtime/records.ts";
import { locateMembers, type MemberPlace, type ObjectPlace } from "./jsonc.ts";

/**
 * Sets a member of the outermost object in a text of JSON with comments; all else in the text stays as it is.
 * Of a name that stands twice the last one counts, as it does for whoever reads it.
 *
 * @throws JsoncError when the text cannot be read
 */
export function setMember(text: string, key: string, value: Json): string {
	const place = locateMembers(text);
	const style = styleOf(text, place);
	const existing = place.members.findLast((member) => member.key === key);
	const written = writeValue(value, style);
	if (existing !== undefined) return splice(text, existing.valueStart, existing.end, written);
	return addMember(text, place, `${JSON.stringify(key)}: ${written}`, style);
}

/** Removes a member wherever its name stands; comments stay. @throws JsoncError when the text cannot be read */
export function removeMember(text: string, key: string): string {
	for (let rest = text; ; ) {
		const { members } = locateMembers(rest);
		const index = members.findLastIndex((member) => member.key === key);
		const member = members[index];
		if (member === undefined) return rest;
		rest = cutMember(rest, member, members[index - 1]);
	}
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

function addMember(text: string, { open, close, members }: ObjectPlace, member: string, style: Style): string {
	const last = members.at(-1);
	// What was written behind the last member, a comment or a comma, stays behind it.
	const tail = text.slice(last?.end ?? open + 1, close).trimEnd();
	const head = text.slice(0, last?.end ?? open + 1);
	const separated = last !== undefined && last.comma === undefined ? `,${tail}` : tail;
	const closing = last?.comma === undefined ? "" : ",";
	const blank = text.slice(head.length + tail.length, close);
	if (style.isOnOneLine) return `${head}${separated} ${member}${closing}${blank}${text.slice(close)}`;
	const end = /[\r\n]/.test(blank) ? blank : style.lineEnd;
	return `${head}${separated}${style.lineEnd}${style.indent}${member}${closing}${end}${text.slice(close)}`;
}

function cutMember(text: string, member: MemberPlace, previous: MemberPlace | undefined): string {
	let end = member.end;
	let rest = text;
	if (member.comma !== undefined) {
		// Between a value and its comma may stand a comment.
		rest = splice(text, member.comma, member.comma + 1, "");
		if (text.slice(end, member.comma).trim() === "") end = member.comma;
	}
	const [start, stop] = wholeLine(rest, member.start, end);
	rest = splice(rest, start, stop, "");
	const isLast = member.comma === undefined;
	return isLast && previous?.comma !== undefined ? splice(rest, previous.comma, previous.comma + 1, "") : rest;
}

/** Takes the line with it when nothing else stands there. */
function wholeLine(text: string, start: number, end: number): [number, number] {
	const before = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, start))?.[1];
	const after = /^[ \t]*(?:\r\n|\r|\n)/.exec(text.slice(end))?.[0];
	if (before !== undefined && after !== undefined) return [start - before.length, end + after.length];
	return [start, end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0)];
}

function splice(text: string, start: number, end: number, by: string): string {
	return text.slice(0, start) + by + text.slice(end);
}
