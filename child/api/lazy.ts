/** Members made on first touch; a plugin may replace them like any other. */
export type LazyMembers<Makers> = { [Name in keyof Makers]: Makers[Name] extends () => infer Value ? Value : never };

/** Adds members to an object that are made when they are first read. */
export function defineLazy<Target extends object, Makers extends Record<string, () => unknown>>(
	target: Target,
	makers: Makers,
): Target & LazyMembers<Makers> {
	for (const [name, make] of Object.entries(makers)) {
		Object.defineProperty(target, name, {
			get: () => settle(target, name, make()),
			set: (value: unknown) => settle(target, name, value),
			enumerable: true,
			configurable: true,
		});
	}
	return target as Target & LazyMembers<Makers>;
}

/** Makes a member one like any other, with this value, which it gives back. */
export function settle<Value>(target: object, name: string, value: Value): Value {
	Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
	return value;
}
