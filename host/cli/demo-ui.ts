import type { AskContext, UIProvider } from "../contracts/providers.ts";

/** What is told of a dialog. */
export type Narration =
	| { type: "asked"; kind: string; plugin: string; title: string; details: string }
	/** `undefined` when it was cancelled; never the answer to a secret input. */
	| { type: "answered"; answer: string | undefined };

/** Passes dialogs on to another UI and tells of each as it is asked and as it is answered. */
export function narratedUI(inner: UIProvider, tell: (narration: Narration) => void): UIProvider {
	async function ask<Answer>(
		shown: { kind: string; title?: string | undefined; details?: string | undefined },
		{ plugin }: AskContext,
		send: () => Promise<Answer>,
		show: (answer: NonNullable<Answer>) => string,
	): Promise<Answer> {
		tell({ type: "asked", kind: shown.kind, plugin, title: shown.title ?? "", details: shown.details ?? "" });
		const answer = await send();
		tell({ type: "answered", answer: answer === undefined || answer === null ? undefined : show(answer) });
		return answer;
	}

	return {
		available: inner.available,
		async notify(request, context) {
			tell({ type: "asked", kind: "notify", plugin: context.plugin, title: request.message, details: "" });
			await inner.notify(request, context);
		},
		input: (request, context) =>
			ask(
				{ kind: request.secret ? "secret" : "input", title: request.title, details: request.helpText },
				context,
				() => inner.input(request, context),
				(answer) => (request.secret ? "•".repeat(8) : answer),
			),
		confirm: (request, context) =>
			ask(
				{ kind: "confirm", title: request.title, details: request.message },
				context,
				() => inner.confirm(request, context),
				(answer) => (answer ? (request.confirmButtonText ?? "Yes") : "No"),
			),
		form: (request, context) =>
			ask(
				{ kind: "form", title: request.title, details: request.message },
				context,
				() => inner.form(request, context),
				(answer) => JSON.stringify(answer),
			),
		select: (request, context) =>
			ask(
				{ kind: "select", title: request.title, details: request.options.join(" · ") },
				context,
				() => inner.select(request, context),
				(answer) => answer,
			),
	};
}
