import type { ConfirmField as WireField } from "../../runtime/protocol.ts";
import type { Ask } from "../ask.ts";
import type { ConfirmField, ConfirmOptions, PluginUI } from "../types/ui.ts";
import type { DialogName } from "./odd-dialog.ts";

/**
 * Dialogs as calls to the host. Real plugins pass odd values (objects as options, a second argument to notify,
 * numbers as titles): what has an obvious meaning is given it, the rest is left out.
 *
 * @param call the id of the host's call in which these dialogs are opened, so that their time is not counted there
 */
export function createUI(ask: Ask, call?: number, signal?: AbortSignal): PluginUI {
	const asked = call === undefined ? {} : { call };
	const options = signal === undefined ? {} : { signal };

	async function confirm(given: ConfirmOptions & { fields?: ConfirmField[] }) {
		const { title, message, confirmButtonText, requireHuman, fields } = optionsOf("ui.confirm", given);
		const form = Array.isArray(fields) ? { fields: fields.map(fieldOf) } : {};
		const text = texts({ message, confirmButtonText });
		const params = { title: textOf(title), ...text, ...flags({ requireHuman }), ...form, ...asked };
		const { value } = await ask("ui.confirm", params, options);
		return value ?? (Array.isArray(fields) ? undefined : false);
	}

	return {
		async notify(message) {
			await ask("ui.notify", { message: textOf(message), ...asked }, options);
		},
		async input(given) {
			const { title, helpText, initialValue, submitButtonText, fieldName, secret, requireHuman } = optionsOf(
				"ui.input",
				given ?? {},
			);
			const text = texts({ title, helpText, initialValue, submitButtonText, fieldName });
			return (await ask("ui.input", { ...text, ...flags({ secret, requireHuman }), ...asked }, options)).value;
		},
		// The overloads differ only in what the host answers with.
		confirm: confirm as PluginUI["confirm"],
		async select(given) {
			const {
				title,
				options: choices,
				message,
				initialValue,
				allowOther,
				requireHuman,
			} = optionsOf("ui.select", given);
			if (!Array.isArray(choices) && !(allowOther && (choices ?? null) === null)) {
				throw oddDialog().noChoices(choices);
			}
			const labels = choiceLabels(choices);
			const text = texts({ message, initialValue });
			const params = {
				title: textOf(title),
				options: labels,
				...text,
				...flags({ allowOther, requireHuman }),
				...asked,
			};
			return (await ask("ui.select", params, options)).value;
		},
	};
}

/** A text in the place of the options is the question: a person must not be asked an empty one. */
function optionsOf(name: DialogName, given: unknown): Record<string, unknown> {
	if (typeof given === "string") return { title: given };
	if (typeof given === "object" && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
	throw oddDialog().noDialogOptions(name, given);
}

function oddDialog() {
	return require("./odd-dialog.ts") as typeof import("./odd-dialog.ts");
}

/** Options are texts, or objects with a label or value as other tools have them. */
function choiceLabels(choices: unknown): string[] {
	if (!Array.isArray(choices)) return [];
	return choices.map((choice: unknown) => {
		if (typeof choice !== "object" || choice === null) return textOf(choice);
		const { value, label } = choice as { value?: unknown; label?: unknown };
		return textOf(value ?? label ?? "");
	});
}

function fieldOf(field: ConfirmField): WireField {
	const { type, name, label, value, multiline, optional } = field ?? {};
	return {
		type: type === "image" ? "image" : "text",
		name: textOf(name),
		label: textOf(label ?? name),
		value: textOf(value ?? ""),
		...flags({ multiline, optional }),
	};
}

/** Keeps the members that are set, as text. */
function texts<Name extends string>(members: Record<Name, unknown>): { [N in Name]?: string } {
	const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
	return Object.fromEntries(kept.map(([name, value]) => [name, textOf(value)])) as { [N in Name]?: string };
}

/** Keeps the members that are set, as booleans. */
function flags<Name extends string>(members: Record<Name, unknown>): { [N in Name]?: boolean } {
	const kept = Object.entries(members).filter(([, value]) => value !== undefined && value !== null);
	return Object.fromEntries(kept.map(([name, value]) => [name, Boolean(value)])) as { [N in Name]?: boolean };
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);
}
