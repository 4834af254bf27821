/** Members made on first touch; a plugin may replace them like any other. */
export type LazyMembers<Makers> = { [Name in keyof Makers]: Makers[Name] extends () => infer Value ? Value : never };

/** Adds members to an object that are made when they are first read. */
export function defineLazy<Target extends object, Makers extends Record<string, () => unknown>>(
	target: Target,
	makers: Makers,
): Target & LazyMembers<Makers> {
	for (const [name, make] of Object.entries(makers)) {
		const settle = (value: unknown) =>
			Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
		Object.defineProperty(target, name, {
			get() {
				const value = make();
				settle(value);
				return value;
			},
			set: settle,
			enumerable: true,
			configurable: true,
		});
	}
	return target as Target & LazyMembers<Makers>;
}
