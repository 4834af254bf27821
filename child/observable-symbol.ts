/** The key of the observable protocol. The engine may lack it; libraries look for it once, as they are imported. */
export function observableSymbol(): symbol {
	const existing: unknown = Reflect.get(Symbol, "observable");
	if (typeof existing === "symbol") return existing;
	const created = Symbol("observable");
	Object.defineProperty(Symbol, "observable", { value: created, configurable: true });
	return created;
}
