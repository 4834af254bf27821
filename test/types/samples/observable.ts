import type { Observable, PluginAPI, Subscription } from "@ampcode/plugin";

function map<From, To>(change: (value: From) => To) {
	return (source: Observable<From>) => ({
		subscribe: (next: (value: To) => void): Subscription => source.subscribe((value) => next(change(value))),
	});
}

export default function (amp: PluginAPI) {
	const ids = amp.activeThread.pipe(map((thread) => thread?.id ?? "none"));
	const subscription = ids.subscribe((id) => amp.logger.log(id.length));
	const same = amp.configuration[Symbol.observable]?.();
	same?.subscribe({ next: (settings) => amp.logger.log(Object.keys(settings)), error: amp.logger.log, complete() {} });
	amp.onDispose(() => subscription.unsubscribe());
}
