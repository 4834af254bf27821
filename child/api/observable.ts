import { subscription } from "../../runtime/disposable.ts";
import { observableSymbol } from "../observable-symbol.ts";
import type { Observable, Observer, Subscription } from "../types/common.ts";

/** Makes an observable; `start` runs for each subscriber and returns what ends it. */
export function createObservable<Value>(start: (observer: Observer<Value>) => () => void): Observable<Value> {
	const observable: Observable<Value> = {
		subscribe(listener, ...others: unknown[]): Subscription {
			const observer = observerOf(listener, others);
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

/** An observer, or up to three functions in its place, as libraries of observables take them; none listens to nothing. */
function observerOf<Value>(listener: unknown, [error, complete]: unknown[]): Observer<Value> {
	if (typeof listener === "object" && listener !== null) return listener;
	const functions = Object.entries({ next: listener, error, complete }).filter(
		([, value]) => typeof value === "function",
	);
	if (listener === undefined || listener === null || typeof listener === "function")
		return Object.fromEntries(functions);
	throw new TypeError(`subscribe takes a function or { next, error, complete }, not ${typeof listener}`);
}
