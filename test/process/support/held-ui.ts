import type { AskContext, UIProvider } from "../../../host/contracts/providers.ts";

/** One dialog that waits for the test to answer it. */
export interface HeldDialog {
	kind: string;
	title: string | undefined;
	plugin: string;
	signal: AbortSignal;
	answer(value: unknown): void;
}

/** A UI whose dialogs stay open until the test answers them. */
export interface HeldUI {
	provider: UIProvider;
	/** Messages of `notify`, in order. */
	notified: string[];
	/** Waits until this many dialogs have been opened in all; gives them, in the order of opening. */
	opened(count: number): Promise<HeldDialog[]>;
}

export function heldUI(): HeldUI {
	const dialogs: HeldDialog[] = [];
	const notified: string[] = [];
	let arrived = Promise.withResolvers<void>();

	const hold =
		(kind: string) =>
		(request: { title?: string }, { plugin, signal }: AskContext) =>
			new Promise<never>((resolve) => {
				// Whether it fits is the host's business to check.
				dialogs.push({ kind, title: request.title, plugin, signal, answer: (value) => resolve(value as never) });
				arrived.resolve();
				arrived = Promise.withResolvers();
			});

	return {
		notified,
		provider: {
			available: true,
			notify: async ({ message }) => void notified.push(message),
			input: hold("input"),
			confirm: hold("confirm"),
			form: hold("form"),
			select: hold("select"),
		},
		async opened(count) {
			while (dialogs.length < count) await arrived.promise;
			return dialogs;
		},
	};
}
