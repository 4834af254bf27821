/** What `on` and every `register…` call return: `unsubscribe` undoes that one registration, once. */
export interface Subscription extends Disposable {
	unsubscribe(): void;
}

/** Makes a subscription whose `undo` runs at most once. */
export function subscription(undo: () => void): Subscription {
	let active = true;
	const unsubscribe = () => {
		if (!active) return;
		active = false;
		undo();
	};
	return { unsubscribe, [Symbol.dispose]: unsubscribe };
}

/** Listeners of one kind of happening; one that throws does not keep the others from hearing. */
export interface Emitter<Event> {
	emit(event: Event): void;
	listen(listener: (event: Event) => void): Subscription;
}

/** Makes an emitter; `onError` hears what a listener throws. */
export function emitter<Event>(onError: (error: unknown) => void = reportError): Emitter<Event> {
	const listeners = new Set<(event: Event) => void>();
	return {
		emit(event) {
			for (const listener of [...listeners]) {
				try {
					listener(event);
				} catch (error) {
					onError(error);
				}
			}
		},
		listen(listener) {
			const own = (event: Event) => listener(event);
			listeners.add(own);
			return subscription(() => listeners.delete(own));
		},
	};
}
