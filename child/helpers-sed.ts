import { resolvePath } from "./helpers-path.ts";
import { shellSteps } from "./helpers-words.ts";

/**
 * The files that `sed` edits in place in a shell command, in order, as absolute paths. Nothing is run or expanded: each
 * `cd` is taken to succeed, every branch to run, and a glob or a variable stands for itself.
 *
 * @param folder where the command starts; null when that is not known
 */
export function filesEditedBySed(command: string, folder: string | null): (string | undefined)[] {
	const folders: (string | null)[] = [];
	const files: (string | undefined)[] = [];
	let current = folder;
	for (const step of shellSteps(command)) {
		if (step.kind === "open") folders.push(current);
		if (step.kind === "close") current = folders.pop() ?? current;
		if (step.kind !== "command") continue;
		const [program = "", ...args] = withoutPrefix(step.words);
		if (program === "cd" && !step.piped) current = folderAfter(args, current);
		if (/^(?:.*\/)?g?sed$/.test(program)) {
			for (const file of filesInPlace(args)) files.push(resolvePath(current, file));
		}
	}
	return files;
}

const reservedWords = new Set(["!", "{", "if", "then", "else", "elif", "while", "until", "do", "time"]);

/** Drops the reserved words and assignments that may stand before a program. */
function withoutPrefix(words: string[]): string[] {
	const start = words.findIndex((word) => !reservedWords.has(word) && !/^[A-Za-z_]\w*=/.test(word));
	return start === -1 ? [] : words.slice(start);
}

function folderAfter(args: string[], folder: string | null): string | null {
	const target = args.find((arg) => !/^-[LPe]*$|^--$/.test(arg)) ?? "";
	// `cd`, `cd -` and `cd ~` lead where the command alone does not tell.
	return target === "" || target.startsWith("~") ? null : (resolvePath(folder, target) ?? null);
}

/** The file operands of `sed`, or none when it does not edit in place. */
function filesInPlace(args: string[]): string[] {
	const operands: string[] = [];
	let inPlace = false;
	let hasScript = false;
	for (let index = 0; index < args.length; index += 1) {
		const arg = args[index] ?? "";
		if (arg === "--") {
			operands.push(...args.slice(index + 1));
			break;
		}
		if (arg === "-" || !arg.startsWith("-")) {
			operands.push(arg);
			continue;
		}
		const option = arg.startsWith("--") ? readLong(arg) : readShort(arg);
		inPlace ||= option.inPlace;
		hasScript ||= option.script;
		// BSD sed takes the suffix as the next word, and `-i ''` is its way to keep no copy.
		if (option.takesNext || (option.bareInPlace && args[index + 1] === "")) index += 1;
	}
	if (!inPlace) return [];
	return (hasScript ? operands : operands.slice(1)).filter((file) => file !== "-");
}

interface SedOption {
	inPlace: boolean;
	/** In place, with no suffix in the same word. */
	bareInPlace: boolean;
	/** The script comes with this option, so no operand is one. */
	script: boolean;
	/** The next word belongs to the option. */
	takesNext: boolean;
}

function readLong(arg: string): SedOption {
	const [name = ""] = arg.split("=", 1);
	const script = name === "--expression" || name === "--file";
	return {
		inPlace: name === "--in-place",
		bareInPlace: false,
		script,
		takesNext: (script || name === "--line-length") && !arg.includes("="),
	};
}

/** Reads options that share one dash: the first that takes a value takes the rest of the word. */
function readShort(arg: string): SedOption {
	const [, letter, rest] = /^-[^iefl]*([iefl]?)(.*)$/s.exec(arg) ?? [];
	const script = letter === "e" || letter === "f";
	return {
		inPlace: letter === "i",
		bareInPlace: letter === "i" && rest === "",
		script,
		takesNext: (script || letter === "l") && rest === "",
	};
}
