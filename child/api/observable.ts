import type { Observable, Observer, Subscription } from "../types/common.ts";

/** Makes an observable; `start` runs for each subscriber and returns what ends it. */
export function createObservable<Value>(start: (observer: Observer<Value>) => () => void): Observable<Value> {
	const observable: Observable<Value> = {
		subscribe(listener): Subscription {
			const observer = typeof listener === "function" ? { next: listener } : listener;
			let active = true;
			const stop = start({
				next: (value) => active && observer.next?.(value),
				...(observer.error && { error: (error: unknown) => active && observer.error?.(error) }),
				complete: () => active && observer.complete?.(),
			});
			return {
				unsubscribe() {
					if (!active) return;
					active = false;
					stop();
				},
			};
		},
		pipe: (operator) => operator(observable),
		[symbolObservable()]: () => observable,
	};
	return observable;
}

/** The engine may lack the symbol; libraries look for it under this name. */
function symbolObservable(): symbol {
	const existing: unknown = Reflect.get(Symbol, "observable");
	if (typeof existing === "symbol") return existing;
	const created = Symbol("observable");
	Object.defineProperty(Symbol, "observable", { value: created, configurable: true });
	return created;
}
