import { cleanLine, cleanText } from "../ui/clean.ts";
import { isTerminal } from "./is-terminal.ts";

/** Text of a plugin: as it is where a program reads it, without what would command a terminal on a screen. */
export function forScreen(text: string, descriptor: 1 | 2): string {
	return isTerminal(descriptor) ? cleanText(text, Number.POSITIVE_INFINITY) : text;
}

/** The name of a plugin, which as a file name may hold anything but a slash. */
export function shownName(plugin: string): string {
	return cleanLine(plugin, nameCharsMax);
}

const nameCharsMax = 80;
