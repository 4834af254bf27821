import { block, type CommandFrame, cannotPlace, type HeredocFrame, type Script } from "./shell-frames.ts";

/** Reads `<<END`: its body starts at the next line. */
export function readHeredocOperator(script: Script, frame: CommandFrame, text: string, at: number): number {
	const operator = /<<(-?)[ \t]*((?:'[^'\n]*'|"[^"\\$`\n]*"|\\[^\n]|[^\s'"\\$`;&|<>()])+)(?=[\s;&|<>()])/y;
	operator.lastIndex = at;
	const match = operator.exec(text);
	if (match === null) {
		block(script, "a here-document whose end is not plain text");
		return 2;
	}
	const [whole, dash, word = ""] = match;
	frame.redirect = false;
	frame.heredocs.push({
		delimiter: word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
		quoted: /['"\\]/.test(word),
		stripTabs: dash === "-",
	});
	return whole.length;
}

/** Starts the bodies that were announced on the line that ends now. */
export function openHeredocs(script: Script, frame: CommandFrame): void {
	const pendingOutside = script.frames.some(
		(outer) => outer !== frame && outer.kind === "command" && outer.heredocs.length > 0,
	);
	if (pendingOutside) block(script, "a here-document that starts before $( ) and goes on in it");
	if (frame.heredocs.length === 0) return;
	script.frames.push({ kind: "heredoc", queue: frame.heredocs, line: "", holdsValue: false });
	frame.heredocs = [];
}

/** Ends a line of a body, and the body where the line says so. */
export function endHeredocLine(script: Script, frame: HeredocFrame): void {
	const heredoc = frame.queue[0];
	const line = heredoc?.stripTabs ? frame.line.replace(/^\t+/, "") : frame.line;
	if (frame.holdsValue && dashLosesByte(line, heredoc?.delimiter ?? "")) {
		throw cannotPlace("in a here-document where a line begins as its end does and goes on with a letter beyond ASCII");
	}
	if (line === heredoc?.delimiter) {
		if (frame.holdsValue) throw cannotPlace(`in a here-document that its line "${line}" would end`);
		frame.queue.shift();
		if (frame.queue.length === 0) script.frames.pop();
	}
	frame.line = "";
	frame.holdsValue = false;
}

/** Of a line that begins as the delimiter does, dash loses the first byte after that where it belongs to no ASCII letter. */
function dashLosesByte(line: string, delimiter: string): boolean {
	let same = 0;
	while (same < delimiter.length && line[same] === delimiter[same]) same += 1;
	return same > 0 && line.charCodeAt(same) > 127;
}
