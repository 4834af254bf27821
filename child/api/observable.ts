import { subscription } from "../../runtime/disposable.ts";
import { observableSymbol } from "../observable-symbol.ts";
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
			return subscription(() => {
				active = false;
				stop();
			});
		},
		pipe: (operator) => operator(observable),
		[observableSymbol()]: () => observable,
	};
	return observable;
}
