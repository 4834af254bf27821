import { fstatSync, type Stats } from "node:fs";

/** Whether a file descriptor is a terminal; one that is closed is none. */
export function isTerminal(descriptor: number): boolean {
	try {
		const facts = fstatSync(descriptor);
		if (!facts.isCharacterDevice()) return false;
		// The module that knows takes longer to load than bare Bun to start.
		return kindOf(facts) ?? process.getBuiltinModule("node:tty").isatty(descriptor);
	} catch {
		return false;
	}
}

/** Whether a device is a terminal, by its number; undefined where that does not tell. */
function kindOf({ rdev }: Stats): boolean | undefined {
	if (process.platform !== "linux") return undefined;
	const major = (rdev >> 8) & 0xfff;
	// Linux gives 1 to memory such as /dev/null, 4 and 5 to consoles, and these eight to the terminals of windows.
	if (major === 1) return false;
	return major === 4 || major === 5 || (major >= 136 && major <= 143) ? true : undefined;
}
