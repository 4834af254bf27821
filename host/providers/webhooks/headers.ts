/** Of the headers of a request those that a webhook asked for, by these names; several of one name are joined by ", ". */
export function headersAskedFor(names: readonly string[], headers: Headers): Record<string, string> {
	const asked = names.flatMap((name): [string, string][] => {
		const value = headers.get(name);
		return value === null ? [] : [[name, value]];
	});
	return Object.fromEntries(asked);
}
