/** The variables of this process, as those want them who take none without a value. */
export function ownEnvironment(): Record<string, string> {
	return Object.fromEntries(Object.entries(process.env).map(([name, value = ""]) => [name, value]));
}
