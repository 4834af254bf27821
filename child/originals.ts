/**
 * Keeps what the rest of the runtime takes of the global objects as it loads, which may be after a plugin has replaced it.
 * Gives back how to load something that finds them as they were.
 */
export function keepOriginals(): <Loaded>(load: () => Loaded) => Loaded {
	const originals = valuesOf();
	return (load) => {
		const replaced = valuesOf();
		setAll(originals);
		// A loop over the members of any object meets what was given to all of them.
		const shared = getOwnPropertyDescriptors(all);
		for (const name in all) deleteProperty(all, name);
		try {
			return load();
		} finally {
			defineProperties(all, shared);
			setAll(replaced);
		}
	};
}

const kept: readonly (readonly [object: object, ...names: string[]])[] = [
	[
		globalThis,
		"JSON",
		"Map",
		"Promise",
		"Set",
		"TextDecoder",
		"TextEncoder",
		"Uint8Array",
		"WeakMap",
		"WeakSet",
		"process",
		"queueMicrotask",
		"setImmediate",
	],
	[JSON, "parse", "stringify"],
	[Array, "isArray"],
	[Object, "assign", "entries", "fromEntries", "keys"],
	[Promise, "withResolvers"],
	[Bun, "connect", "inspect", "sleep", "sleepSync"],
];

const { prototype: all, defineProperties, getOwnPropertyDescriptors } = Object;
const { deleteProperty, get, set } = Reflect;

function valuesOf(): unknown[] {
	const values: unknown[] = [];
	for (const [object, ...names] of kept) for (const name of names) values.push(get(object, name));
	return values;
}

function setAll(values: unknown[]): void {
	let at = 0;
	for (const [object, ...names] of kept) for (const name of names) set(object, name, values[at++]);
}
