import type { UIProvider } from "../contracts/providers.ts";

/** Passes everything on, and tells what secret inputs propose and get before anybody else hears it. */
export function hearSecrets(ui: UIProvider, learn: (plugin: string, secret: string) => void): UIProvider {
	return {
		get available() {
			return ui.available;
		},
		notify: (request, context) => ui.notify(request, context),
		async input(request, context) {
			if (!request.secret) return ui.input(request, context);
			if (request.initialValue !== undefined) learn(context.plugin, request.initialValue);
			const answer = await ui.input(request, context);
			if (answer !== undefined) learn(context.plugin, answer);
			return answer;
		},
		confirm: (request, context) => ui.confirm(request, context),
		form: (request, context) => ui.form(request, context),
		select: (request, context) => ui.select(request, context),
	};
}
