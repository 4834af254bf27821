import type { UIProvider } from "../contracts/providers.ts";

/** Keeps lines back while a dialog is open, which they would tear apart on the screen. */
export function holdLines(
	ui: UIProvider,
	write: (line: string) => void,
): { ui: UIProvider; print(line: string): void } {
	const waiting: string[] = [];
	let open = 0;

	async function during<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
		open += 1;
		try {
			return await ask();
		} finally {
			open -= 1;
			if (open === 0) for (const line of waiting.splice(0)) write(line);
		}
	}

	return {
		ui: aroundDialogs(ui, during),
		print: (line) => (open > 0 ? void waiting.push(line) : write(line)),
	};
}

/** The same UI, each of whose dialogs is opened by `during`; messages are not. */
export function aroundDialogs(
	ui: UIProvider,
	during: <Answer>(ask: () => Promise<Answer>) => Promise<Answer>,
): UIProvider {
	return {
		available: ui.available,
		notify: (request, context) => ui.notify(request, context),
		input: (request, context) => during(() => ui.input(request, context)),
		confirm: (request, context) => during(() => ui.confirm(request, context)),
		form: (request, context) => during(() => ui.form(request, context)),
		select: (request, context) => during(() => ui.select(request, context)),
	};
}
