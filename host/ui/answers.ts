import type { FormField, SelectRequest } from "../contracts/providers.ts";
import { cut } from "./clean.ts";

/** An answer that fits its dialog, or what is wrong with it, as a clause; what was typed into an input is never quoted. */
export type Checked<Answer> = { answer: Answer } | { wrong: string };

/** Whether an answer to an input dialog is text. */
export function checkInput(answer: unknown): Checked<string> {
	return typeof answer === "string" ? { answer } : { wrong: `it takes text, not ${describeType(answer)}` };
}

/** Whether an answer to a confirm dialog is true or false. */
export function checkConfirm(answer: unknown): Checked<boolean> {
	return typeof answer === "boolean" ? { answer } : { wrong: `it takes true or false, not ${describeType(answer)}` };
}

/** Whether an answer is one of the options, or typed where that is allowed; typed text is trimmed, and blank text is no answer. */
export function checkSelect(request: SelectRequest, answer: unknown): Checked<string | undefined> {
	if (typeof answer !== "string") return { wrong: `it takes one of its options as text, not ${describeType(answer)}` };
	if (request.options.includes(answer)) return { answer };
	if (request.allowOther) return { answer: answer.trim() || undefined };
	const options = cut(JSON.stringify(request.options.slice(0, quoteCharsMax)), quoteCharsMax);
	return { wrong: `${cut(JSON.stringify(answer), quoteCharsMax)} is not among its options ${options}` };
}

/** Whether an answer holds text for the text fields only; a field that is left out keeps its value. */
export function checkForm(fields: FormField[], answer: unknown): Checked<Record<string, string>> {
	if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
		return { wrong: `it takes an object of its fields, not ${describeType(answer)}` };
	}
	const given = new Map<string, unknown>(Object.entries(answer));
	const editable = fields.filter((field) => field.type === "text");
	for (const name of given.keys()) {
		if (!editable.some((field) => field.name === name))
			return { wrong: `it has no text field ${JSON.stringify(name)}` };
	}
	const entries: [string, string][] = [];
	for (const field of editable) {
		const value = given.has(field.name) ? given.get(field.name) : field.value;
		if (typeof value !== "string")
			return { wrong: `its field ${JSON.stringify(field.name)} takes text, not ${describeType(value)}` };
		if (isMissing(field, value)) return { wrong: `its field ${JSON.stringify(field.name)} must not be empty` };
		entries.push([field.name, value]);
	}
	return { answer: Object.fromEntries(entries) };
}

/** Whether a field that must be filled in is blank. */
export function isMissing(field: FormField, value: string): boolean {
	return field.optional !== true && value.trim() === "";
}

// A message quotes enough to see what differs.
const quoteCharsMax = 200;

function describeType(value: unknown): string {
	if (value === null || value === undefined) return `${value}`;
	if (Array.isArray(value)) return "an array";
	if (typeof value === "string") return "text";
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
