/**
 * Keeps what the rest of the runtime takes of the global objects as it loads, which may be after a plugin has replaced it.
 * Gives back how to load something that finds them as they were.
 */
export function keepOriginals(): <Loaded>(load: () => Loaded) => Loaded {
	const originals = valuesOf();
	return (load) => {
		const replaced = valuesOf();
		setAll(originals);
		try {
			return load();
		} finally {
			setAll(replaced);
		}
	};
}

const kept: readonly (readonly [object: object, name: string])[] = [
	[globalThis, "setImmediate"],
	[globalThis, "TextEncoder"],
	[globalThis, "TextDecoder"],
	[JSON, "parse"],
	[JSON, "stringify"],
	[Array, "isArray"],
	[Bun, "inspect"],
	[Bun, "sleep"],
	[Bun, "sleepSync"],
];

const { get, set } = Reflect;

function valuesOf(): unknown[] {
	const values: unknown[] = [];
	for (const [object, name] of kept) values.push(get(object, name));
	return values;
}

function setAll(values: unknown[]): void {
	let at = 0;
	for (const [object, name] of kept) set(object, name, values[at++]);
}
