import { type BroodError, failure } from "../../runtime/errors.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import type { AskContext, UIProvider } from "../contracts/providers.ts";
import { type Checked, checkConfirm, checkForm, checkInput, checkSelect } from "./answers.ts";
import { cleanLine, cut } from "./clean.ts";
import { type DialogKind, describeDialog, dialogKinds, whileWanted } from "./dialog.ts";

/**
 * One prepared answer: text for input and select, true or false for confirm, an object of fields for a form, `null` for
 * a person who cancels. An object with nothing but `kind`, `title` and one of `answer` and `cancel` also says which
 * dialog is expected; a form with a field named `answer` needs that second form.
 */
export type ScriptedAnswer = Json | ScriptedDialog;

/** A prepared answer with the dialog that it belongs to. */
export interface ScriptedDialog {
	kind?: DialogKind;
	/** Must equal the title of the dialog. */
	title?: string;
	answer?: Json;
	/** The person cancels; stands in place of `answer`. */
	cancel?: true;
}

/** A UI of prepared answers. */
export interface ScriptedUI extends UIProvider {
	/** The answers that no dialog has taken so far, in order. */
	readonly left: readonly ScriptedAnswer[];
}

/**
 * Answers dialogs from a list, in order; a dialog takes one answer, also when it does not fit. `notify` takes none.
 * Methods reject with `invalid_answer` when the next answer does not fit, and with `ui_not_available` when none is left.
 *
 * @param options.source where the answers come from, as messages name it
 */
export function scriptedUI(answers: ScriptedAnswer[], options: { source?: string } = {}): ScriptedUI {
	const script: Script = { answers, next: 0, source: options.source ?? "the script" };
	return {
		available: true,
		get left() {
			return script.answers.slice(script.next);
		},
		notify: async () => {},
		input: (request, context) => reply(script, context, "input", request.title, checkInput),
		confirm: (request, context) => reply(script, context, "confirm", request.title, checkConfirm),
		form: (request, context) =>
			reply(script, context, "form", request.title, (answer) => checkForm(request.fields, answer)),
		select: (request, context) =>
			reply(script, context, "select", request.title, (answer) => checkSelect(request, answer)),
	};
}

/**
 * Reads the content of a file of answers.
 *
 * @throws BroodError `usage` that names the file and the number of the answer
 */
export function parseAnswers(json: unknown, file: string): ScriptedAnswer[] {
	if (!Array.isArray(json)) throw failure("usage", { reason: `${file} must hold a JSON array, one answer a dialog` });
	return json.map((answer: unknown, index) => {
		const wrong = describeFault(answer);
		if (wrong !== undefined)
			throw failure("usage", { reason: `Answer ${index + 1} in ${file} cannot be used: ${wrong}` });
		return answer as ScriptedAnswer;
	});
}

/** A prepared answer as a message names it, with the dialogs that it can be for: `true for a confirm dialog`. */
export function describeAnswer(scripted: ScriptedAnswer): string {
	const { kind, title, answer } = readAnswer(scripted);
	const kinds = kind ?? (answer === null ? "cancelled" : (kindsByType[typeof answer] ?? "form"));
	const named = title === undefined ? "" : ` "${cleanLine(title, answerCharsMax)}"`;
	return `${cut(JSON.stringify(answer), answerCharsMax)} for ${kinds === "input" ? "an" : "a"} ${kinds} dialog${named}`;
}

const kindsByType: Partial<Record<string, string>> = { boolean: "confirm", string: "select or input" };
// Enough to recognise it.
const answerCharsMax = 100;

interface Script {
	answers: ScriptedAnswer[];
	next: number;
	source: string;
}

function reply<Answer>(
	script: Script,
	context: AskContext,
	kind: DialogKind,
	title: string | undefined,
	check: (answer: Json) => Checked<Answer>,
): Promise<Answer | undefined> {
	const dialog = describeDialog(kind, title);
	return whileWanted(context, dialog, async () => {
		const number = script.next + 1;
		const scripted = script.answers[script.next];
		if (scripted === undefined) throw exhausted(script, context, dialog);
		script.next = number;
		const refuse = (reason: string) =>
			failure("invalid_answer", {
				plugin: context.plugin,
				subject: `the ${dialog}`,
				reason: `answer ${number} of ${script.source} does not fit, ${reason}`,
			});
		const expected = readAnswer(scripted);
		if (expected.kind !== undefined && expected.kind !== kind) throw refuse(`it is for the kind "${expected.kind}"`);
		if (expected.title !== undefined && expected.title !== title)
			throw refuse(`it is for the title "${expected.title}"`);
		if (expected.answer === null) return undefined;
		const checked = check(expected.answer);
		if ("wrong" in checked) throw refuse(checked.wrong);
		return checked.answer;
	});
}

function exhausted(script: Script, context: AskContext, dialog: string): BroodError {
	const { plugin } = context;
	const { source, answers } = script;
	const reason = `plugin "${plugin}" asks the ${dialog}, its answer ${answers.length + 1}, and ${source} holds ${answers.length}`;
	return failure("ui_not_available", { plugin, reason });
}

function readAnswer(scripted: ScriptedAnswer): { kind?: string; title?: string; answer: Json } {
	if (!isDialog(scripted)) return { answer: scripted };
	const { kind, title, answer } = scripted;
	return {
		...(kind === undefined ? {} : { kind }),
		...(title === undefined ? {} : { title }),
		answer: answer ?? null,
	};
}

const dialogKeys = ["kind", "title", "answer", "cancel"];

/** Tells an answer that names its dialog from the plain fields of a form. */
function isDialog(scripted: ScriptedAnswer): scripted is ScriptedDialog {
	if (typeof scripted !== "object" || scripted === null || Array.isArray(scripted)) return false;
	const marked = Object.hasOwn(scripted, "answer") || Object.hasOwn(scripted, "cancel");
	return marked && Object.keys(scripted).every((key) => dialogKeys.includes(key));
}

function describeFault(answer: unknown): string | undefined {
	if (typeof answer !== "object" || answer === null) return describeValueFault(answer);
	if (Array.isArray(answer) || !isDialog(answer as JsonObject)) return describeValueFault(answer);
	const { kind, title, cancel, ...rest } = answer as Record<string, unknown>;
	if (kind !== undefined && !dialogKinds.some((known) => known === kind)) {
		return `"kind" must be one of ${dialogKinds.join(", ")}`;
	}
	if (title !== undefined && typeof title !== "string") return `"title" must be text`;
	if (cancel === undefined) return describeValueFault(rest.answer);
	if (cancel !== true) return `"cancel" must be true or absent`;
	return Object.hasOwn(rest, "answer") ? `it has both "answer" and "cancel"` : undefined;
}

function describeValueFault(value: unknown): string | undefined {
	if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
	if (typeof value !== "object" || Array.isArray(value)) {
		return "an answer is text, true, false, null or an object of form fields";
	}
	const odd = Object.entries(value).find(([, field]) => typeof field !== "string");
	return odd === undefined ? undefined : `field "${odd[0]}" must be text`;
}
