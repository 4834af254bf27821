import { emitter, type Subscription } from "../../runtime/disposable.ts";
import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { providerFailure, wrongAnswer } from "../base/provider-failure.ts";
import type {
	AskContext,
	ConfirmRequest,
	FormField,
	FormRequest,
	InputRequest,
	SelectRequest,
	UIProvider,
} from "../contracts/providers.ts";
import { type Checked, checkConfirm, checkForm, checkInput, checkSelect } from "./answers.ts";
import { cleanLine, cleanText } from "./clean.ts";
import { type DialogKind, describeDialog, whileWanted } from "./dialog.ts";

/** How many dialogs of a plugin are open, after that number changed. */
export interface OpenDialogs {
	plugin: string;
	open: number;
}

/** What stands between plugins and a UI provider. */
export interface Dialogs extends UIProvider {
	/** Dialogs of a plugin that wait for their answer, shown or queued; `notify` is not counted. */
	open(plugin: string): number;
	listen(listener: (change: OpenDialogs) => void): Subscription;
}

/**
 * Puts a provider behind a layer that cleans the text of plugins, checks the answers and counts open dialogs.
 *
 * - No control character passes, and each text is cut at `limits.text.uiTextCharsMax` code points. Only the value of an
 *   image field is not cut, since it may hold the image itself.
 * - An option is returned as the plugin wrote it, and so is an initial value that nobody edited.
 * - A select without options that allows no other answer is not shown: nobody could answer it, so it counts as cancelled.
 * - A plugin that asks for more than anybody could answer (`limits.text.uiOptionsMax`, `uiFieldsMax`, `uiDialogsMax`)
 *   is refused with `invalid_params` or `busy`.
 * - Where a provider answers `null`, the person cancelled; any other answer that does not fit is `invalid_answer`,
 *   and what it throws that is no error of brood is `provider_failed`.
 * - When `context.signal` aborts, methods reject with `cancelled` at once, also when the provider never answers.
 */
export function createDialogs(provider: UIProvider, limits: Limits): Dialogs {
	const changes = emitter<OpenDialogs>();
	const counts = new Map<string, number>();
	const clean = cleaner(limits.text.uiTextCharsMax);

	function count(plugin: string, change: 1 | -1): void {
		const open = (counts.get(plugin) ?? 0) + change;
		if (open === 0) counts.delete(plugin);
		else counts.set(plugin, open);
		changes.emit({ plugin, open });
	}

	const { uiOptionsMax, uiFieldsMax, uiDialogsMax } = limits.text;

	function refuseMany(plugin: string, subject: string, what: string, given: number, allowed: number): void {
		if (given <= allowed) return;
		throw failure("invalid_params", { plugin, subject, reason: `it has ${given} ${what} of ${allowed} allowed` });
	}

	async function counted<Answer>(plugin: string, wait: () => Promise<Answer>): Promise<Answer> {
		const open = counts.get(plugin) ?? 0;
		if (open >= uiDialogsMax)
			throw failure("busy", {
				plugin,
				subject: "A dialog",
				reason: `${open} others of the plugin wait to be answered`,
			});
		count(plugin, 1);
		try {
			return await wait();
		} finally {
			count(plugin, -1);
		}
	}

	async function ask<Answer>(question: Question<Answer>, context: AskContext): Promise<Answer | undefined> {
		const { plugin } = context;
		const dialog = describeDialog(question.kind, question.title);
		const answer = await counted(plugin, () =>
			whileWanted(context, dialog, () => blaming(`the ${dialog}`, plugin, question.send)),
		);
		if (answer === undefined || answer === null) return undefined;
		const checked = question.check(answer);
		if ("answer" in checked) return checked.answer;
		throw wrongAnswer({ provider: "ui", subject: `the ${dialog}`, plugin }, checked.wrong);
	}

	return {
		get available() {
			return provider.available;
		},
		notify: (request, context) =>
			blaming("ui.notify", context.plugin, async () =>
				provider.notify({ message: clean.text(request.message) }, context),
			),
		input: (request, context) => ask(inputQuestion(provider, clean, request, context), context),
		confirm: (request, context) => ask(confirmQuestion(provider, clean, request, context), context),
		form: async (request, context) => {
			refuseMany(context.plugin, "ui.confirm", "fields", request.fields.length, uiFieldsMax);
			return ask(formQuestion(provider, clean, request, context), context);
		},
		select: async (request, context) => {
			if (request.options.length === 0 && !request.allowOther) return undefined;
			refuseMany(context.plugin, "ui.select", "options", request.options.length, uiOptionsMax);
			return ask(selectQuestion(provider, clean, request, context), context);
		},
		open: (plugin) => counts.get(plugin) ?? 0,
		listen: changes.listen,
	};
}

/** Asks the provider; what it throws that is no error of brood names it. */
async function blaming<Answer>(subject: string, plugin: string, ask: () => Promise<Answer>): Promise<Answer> {
	try {
		return await ask();
	} catch (error) {
		throw providerFailure(error, { provider: "ui", subject, plugin });
	}
}

interface Question<Answer> {
	kind: DialogKind;
	title: string | undefined;
	send: () => Promise<unknown>;
	check: (answer: unknown) => Checked<Answer | undefined>;
}

interface Cleaner {
	line(text: string): string;
	text(text: string): string;
}

function cleaner(charsMax: number): Cleaner {
	return { line: (text) => cleanLine(text, charsMax), text: (text) => cleanText(text, charsMax) };
}

function inputQuestion(
	provider: UIProvider,
	clean: Cleaner,
	request: InputRequest,
	context: AskContext,
): Question<string> {
	const shown: InputRequest = {
		...request,
		...optional("title", request.title, clean.line),
		...optional("helpText", request.helpText, clean.text),
		...optional("initialValue", request.initialValue, clean.text),
		...optional("submitButtonText", request.submitButtonText, clean.line),
		...optional("fieldName", request.fieldName, clean.line),
	};
	return {
		kind: "input",
		title: shown.title,
		send: async () => provider.input(shown, context),
		check: (answer) => {
			const untouched = request.initialValue !== undefined && answer === shown.initialValue;
			return untouched ? { answer: request.initialValue } : checkInput(answer);
		},
	};
}

function confirmQuestion(
	provider: UIProvider,
	clean: Cleaner,
	request: ConfirmRequest,
	context: AskContext,
): Question<boolean> {
	const shown = cleanConfirm(clean, request);
	return {
		kind: "confirm",
		title: shown.title,
		send: async () => provider.confirm(shown, context),
		check: checkConfirm,
	};
}

function formQuestion(
	provider: UIProvider,
	clean: Cleaner,
	request: FormRequest,
	context: AskContext,
): Question<Record<string, string>> {
	const fields = request.fields.map((field): FormField => {
		const value = field.type === "image" ? cleanText(field.value, Number.POSITIVE_INFINITY) : clean.text(field.value);
		return { ...field, label: clean.line(field.label), value };
	});
	const shown = { ...cleanConfirm(clean, request), fields };
	const originals = new Map(request.fields.map((field) => [field.name, field.value]));
	const cleaned = new Map(fields.map((field) => [field.name, field.value]));
	return {
		kind: "form",
		title: shown.title,
		send: async () => provider.form(shown, context),
		check: (answer) => {
			const checked = checkForm(fields, answer);
			if ("wrong" in checked) return checked;
			const entries = Object.entries(checked.answer).map(([name, value]): [string, string] => {
				return [name, value === cleaned.get(name) ? (originals.get(name) ?? value) : value];
			});
			return { answer: Object.fromEntries(entries) };
		},
	};
}

function selectQuestion(
	provider: UIProvider,
	clean: Cleaner,
	request: SelectRequest,
	context: AskContext,
): Question<string> {
	const originals = new Map<string, string>();
	for (const option of request.options) {
		const key = clean.line(option);
		if (!originals.has(key)) originals.set(key, option);
	}
	const { initialValue, ...rest } = request;
	const initial = initialValue === undefined ? undefined : clean.line(initialValue);
	const shown: SelectRequest = {
		...rest,
		title: clean.line(request.title),
		options: [...originals.keys()],
		...optional("message", request.message, clean.text),
		...(initial !== undefined && originals.has(initial) ? { initialValue: initial } : {}),
	};
	return {
		kind: "select",
		title: shown.title,
		send: async () => provider.select(shown, context),
		check: (answer) => {
			const checked = checkSelect(shown, answer);
			if ("wrong" in checked || checked.answer === undefined) return checked;
			return { answer: originals.get(checked.answer) ?? checked.answer };
		},
	};
}

function cleanConfirm(clean: Cleaner, request: ConfirmRequest): ConfirmRequest {
	const { requireHuman } = request;
	return {
		...(requireHuman === undefined ? {} : { requireHuman }),
		title: clean.line(request.title),
		...optional("message", request.message, clean.text),
		...optional("confirmButtonText", request.confirmButtonText, clean.line),
	};
}

/** A member with its cleaned text, or none. */
function optional<Key extends string>(
	key: Key,
	text: string | undefined,
	clean: (text: string) => string,
): { [Name in Key]?: string } {
	const member: { [Name in Key]?: string } = {};
	if (text !== undefined) member[key] = clean(text);
	return member;
}
