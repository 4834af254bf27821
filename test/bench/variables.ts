/** The variables of an environment that have a value. */
export function definedOnly(environment: Record<string, string | undefined>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
	);
}
