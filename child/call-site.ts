import { ownFiles } from "./own-files.ts";
import { headOf } from "./show-error.ts";

/**
 * Makes the stack of an error begin where the plugin made the call that it came of, so that whoever shows it finds a line
 * of the plugin. An error whose stack cannot be changed stays as it is. Never throws.
 *
 * @param asked made while the plugin's call was on the stack; the error itself where it was made in that call
 * @param own the files of this runtime, whose places are none of the author's
 */
export function placeAt(error: Error, asked: Error, own = ownFiles): void {
	try {
		const frames = framesOf(asked).filter((line) => !own.some((path) => line.includes(path)));
		if (frames.length > 0) error.stack = [headOf(error), ...frames].join("\n");
	} catch {
		// A frozen error, or one with a getter of the plugin's own.
	}
}

/** Where an error came from, as ` (file:line:column)`; nothing when its stack does not say. Never throws. */
export function describeSite(error: unknown): string {
	try {
		const [first = ""] = error instanceof Error ? framesOf(error) : [];
		const place = / (?:at (?:async )?|.*\()(\/?[^(]*:\d+:\d+)\)?$/.exec(first)?.[1];
		return place === undefined ? "" : ` (${place})`;
	} catch {
		return "";
	}
}

function framesOf({ stack }: Error): string[] {
	return (stack ?? "").split("\n").filter((line) => /^ +at /.test(line));
}
