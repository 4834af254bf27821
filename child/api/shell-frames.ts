/**
 * Follows a `sh` script as it grows, to know how a value must be written at its end. What cannot be followed for sure
 * becomes an obstacle: values after it are refused, so that a mistake here ends in an error and never in an injection.
 */
export interface Script {
	frames: Frame[];
	/** Why no value can be placed any more. */
	obstacle: string | undefined;
	/** The text ends with a `$` that would swallow what follows. */
	openDollar: boolean;
}

export type Frame =
	| CommandFrame
	| HeredocFrame
	| { kind: "double" }
	| { kind: "single" }
	| { kind: "comment" }
	| { kind: "arithmetic"; depth: number };

export interface CommandFrame {
	kind: "command";
	/** Inside `$(…)`, which ends at the `)` that nothing in it opened. */
	nested: boolean;
	depth: number;
	/** The word read so far, with `opaque` for what was quoted or expanded. */
	word: string;
	/** The word is the target of `<` or `>`. */
	redirect: boolean;
	/** Here-documents whose bodies start at the next line. */
	heredocs: Heredoc[];
}

export interface HeredocFrame {
	kind: "heredoc";
	queue: Heredoc[];
	line: string;
	holdsValue: boolean;
}

export interface Heredoc {
	delimiter: string;
	quoted: boolean;
	stripTabs: boolean;
}

export function openScript(): Script {
	return { frames: [commandFrame(false)], obstacle: undefined, openDollar: false };
}

// No script can hold it, so no keyword or comment is seen where a part was quoted.
export const opaque = "\0";

export const commandFrame = (nested: boolean): CommandFrame => ({
	kind: "command",
	nested,
	depth: 0,
	word: "",
	redirect: false,
	heredocs: [],
});

export function block(script: Script, obstacle: string): void {
	script.obstacle ??= obstacle;
}

export function inHeredoc(script: Script): boolean {
	return script.frames.some((frame) => frame.kind === "heredoc");
}

export function topOf(script: Script): Frame {
	const frame = script.frames.at(-1);
	if (frame === undefined) throw new Error("the outermost frame of a script is never closed");
	return frame;
}

export function cannotPlace(where: string): TypeError {
	return new TypeError(`amp.$ cannot place a value safely ${where}; put it into a shell variable first`);
}
