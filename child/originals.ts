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

type Values = readonly (readonly [object: object, name: string, value: unknown])[];

function valuesOf(): Values {
	return kept.flatMap(([object, names]) => names.map((name) => [object, name, Reflect.get(object, name)] as const));
}

const { set } = Reflect;

function setAll(values: Values): void {
	for (const [object, name, value] of values) set(object, name, value);
}

const kept: readonly (readonly [object: object, names: readonly string[]])[] = [
	[globalThis, ["setImmediate", "TextEncoder", "TextDecoder"]],
	[JSON, ["parse", "stringify"]],
	[Bun, ["inspect", "sleep", "sleepSync", "JSONL"]],
	[Array, ["isArray"]],
];
