import { isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Json } from "../../runtime/records.ts";
import { createRedactor, type Redactor, secretMark } from "../../runtime/redact.ts";
import type { AskContext, FormField, UIProvider } from "../contracts/providers.ts";
import type { DialogKind } from "./dialog.ts";

/** One dialog or message as it was asked; while it is open it has none of `answer`, `cancelled` and `error`. */
export interface UIRecord {
	kind: DialogKind | "notify";
	plugin: string;
	title?: string;
	message?: string;
	helpText?: string;
	options?: string[];
	fields?: FormField[];
	/** What the person answered; `[secret]` for a secret input. */
	answer?: Json;
	/** The person cancelled. */
	cancelled?: true;
	error?: { code?: string; message: string };
}

/**
 * Passes everything on to another UI and keeps a record of it, in the order of asking, without secrets that it saw.
 *
 * @param secrets what is not recorded either
 */
export function recordingUI(inner: UIProvider, secrets: string[] = []): { ui: UIProvider; record: UIRecord[] } {
	const record: UIRecord[] = [];
	const redactors = new Map<string, Redactor>();
	const ui: UIProvider = {
		get available() {
			return inner.available;
		},
		notify: (request, context) =>
			keep(
				begin("notify", context, { message: request.message }),
				() => inner.notify(request, context),
				() => ({}),
			),
		input: (request, context) => {
			const { title, helpText, secret, initialValue } = request;
			if (secret && initialValue !== undefined) redactorOf(context).learn(initialValue);
			return keep(
				begin("input", context, { title, helpText }),
				() => inner.input(request, context),
				(answer) => {
					if (!secret || answer === undefined) return conclude(answer);
					redactorOf(context).learn(answer);
					return { answer: secretMark };
				},
			);
		},
		confirm: (request, context) =>
			keep(
				begin("confirm", context, { title: request.title, message: request.message }),
				() => inner.confirm(request, context),
				conclude,
			),
		form: (request, context) => {
			const { title, message, fields } = request;
			return keep(begin("form", context, { title, message, fields }), () => inner.form(request, context), conclude);
		},
		select: (request, context) => {
			const { title, message, options } = request;
			return keep(
				begin("select", context, { title, message, options }),
				() => inner.select(request, context),
				conclude,
			);
		},
	};
	return { ui, record };

	function redactorOf({ plugin }: AskContext): Redactor {
		const known = redactors.get(plugin);
		if (known !== undefined) return known;
		const redactor = createRedactor();
		secrets.forEach(redactor.learn);
		redactors.set(plugin, redactor);
		return redactor;
	}

	function begin(kind: UIRecord["kind"], context: AskContext, shown: Shown): UIRecord {
		const safe = redactorOf(context).value(present(shown)) as Partial<UIRecord>;
		const entry: UIRecord = { kind, plugin: context.plugin, ...safe };
		record.push(entry);
		return entry;
	}
}

type Shown = { [Key in "title" | "message" | "helpText" | "options" | "fields"]?: UIRecord[Key] | undefined };

/** Leaves out the members that are undefined, so that a record equals its JSON. */
function present(shown: Shown): Partial<UIRecord> {
	return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
}

function conclude(answer: Json | undefined): Partial<UIRecord> {
	return answer === undefined ? { cancelled: true } : { answer };
}

async function keep<Answer>(
	entry: UIRecord,
	ask: () => Promise<Answer>,
	outcome: (answer: Answer) => Partial<UIRecord>,
): Promise<Answer> {
	try {
		const answer = await ask();
		Object.assign(entry, outcome(answer));
		return answer;
	} catch (error) {
		entry.error = { ...(isBroodError(error) ? { code: error.code } : {}), message: messageOf(error) };
		throw error;
	}
}
