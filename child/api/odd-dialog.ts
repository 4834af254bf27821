import { failure } from "../../runtime/errors.ts";
import { apiRejection } from "../ask.ts";

export type DialogName = "ui.confirm" | "ui.input" | "ui.select";

/** The error for a dialog asked with what is no object. It tells what that is, not what it holds, which may be a secret. */
export function noDialogOptions(subject: DialogName, given: unknown): Error {
	return refusal(subject, `${subject} takes an object such as { title }, not ${typeNameOf(given)}`);
}

/** The error for a choice of what is no list. */
export function noChoices(given: unknown): Error {
	return refusal("ui.select", `options is a list of texts, not ${typeNameOf(given)}`);
}

function refusal(subject: DialogName, reason: string): Error {
	return apiRejection(failure("invalid_params", { subject, reason }), subject);
}

function typeNameOf(value: unknown): string {
	if (Array.isArray(value)) return "a list";
	if (value === undefined || value === null) return "nothing";
	return typeof value === "string" ? "a text" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}
