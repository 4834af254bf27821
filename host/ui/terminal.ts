import type { Readable, Writable } from "node:stream";
import { failure } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type {
	AskContext,
	ConfirmRequest,
	FormField,
	FormRequest,
	InputRequest,
	NotifyRequest,
	SelectRequest,
	UIProvider,
} from "../contracts/providers.ts";
import { isMissing } from "./answers.ts";
import { cleanLine, cut } from "./clean.ts";
import { type DialogKind, describeDialog, whileWanted } from "./dialog.ts";
import { openScreen, pluginNameCharsMax, type Screen, type Terminal } from "./screen.ts";
import { createTurns } from "./turns.ts";

/**
 * Draws dialogs in a terminal, one at a time, each under the name of its plugin; those of one plugin in the order of
 * asking, and several plugins take turns.
 *
 * Escape and Ctrl-C cancel a dialog. `notify` is printed at once, or behind the dialogs that were asked before, and
 * never waits for them. Buttons have no place here: `submitButtonText` is not shown.
 *
 * @param options.input the keyboard; stdin unless given
 * @param options.output the screen; stderr unless given, since stdout carries results
 * @param options.interrupt called on Ctrl-C, after the dialog was answered as cancelled and those that wait behind it
 *   with it; a terminal in which a dialog is open turns Ctrl-C into a key, so nothing else tells the program
 */
export function terminalUI(options: { input?: Readable; output?: Writable; interrupt?: () => void } = {}): UIProvider {
	const turns = createTurns();
	let interrupts = 0;
	const terminal: Terminal = { ...options, interrupt };

	function interrupt(): void {
		if (options.interrupt === undefined) return;
		interrupts += 1;
		// Whoever asked has the answer first.
		setImmediate(options.interrupt);
	}

	function ask<Answer>(
		kind: DialogKind,
		title: string | undefined,
		context: AskContext,
		draw: (screen: Screen, label: string) => Promise<Answer | undefined>,
	): Promise<Answer | undefined> {
		const label = labelled(context, title ?? "asks for a text");
		const interruptsBefore = interrupts;
		return whileWanted(context, describeDialog(kind, title), () =>
			turns.take(context.plugin, async () => {
				if (context.signal.aborted || interrupts > interruptsBefore) return undefined;
				return draw(await openScreen(terminal, context), label);
			}),
		);
	}

	return {
		available: true,
		async notify(request, context) {
			const behindDialog = turns.busy;
			const waiting = turns.waiting(context.plugin);
			if (waiting >= limits.text.uiDialogsMax * 2)
				throw failure("busy", { plugin: context.plugin, subject: "ui.notify", reason: `${waiting} wait to be shown` });
			const printed = turns.take(context.plugin, async () =>
				printMessage(await openScreen(terminal, context), request, context),
			);
			if (!behindDialog) return printed;
			// Nobody is left to tell when the terminal breaks while the message waits.
			printed.catch(() => {});
		},
		input: (request, context) =>
			ask("input", request.title, context, (screen, label) => drawInput(screen, label, request)),
		confirm: (request, context) =>
			ask("confirm", request.title, context, (screen, label) => drawConfirm(screen, label, request)),
		form: (request, context) =>
			ask("form", request.title, context, (screen, label) => drawForm(screen, label, request)),
		select: (request, context) =>
			ask("select", request.title, context, (screen, label) => drawSelect(screen, label, request)),
	};
}

const imageCharsMax = 200;

function labelled(context: AskContext, text: string): string {
	return `[${cleanLine(context.plugin, pluginNameCharsMax)}] ${text}`;
}

function printMessage(screen: Screen, request: NotifyRequest, context: AskContext): void {
	screen.print(labelled(context, request.message), "info");
}

async function drawInput(screen: Screen, label: string, request: InputRequest): Promise<string | undefined> {
	if (request.helpText !== undefined) screen.print(request.helpText);
	const { initialValue } = request;
	if (!request.secret) return screen.text({ message: label, ...(initialValue === undefined ? {} : { initialValue }) });
	if (!initialValue) return screen.password(label);
	// A password prompt starts empty; the present value cannot be shown, yet must not get lost.
	const answer = await screen.password(`${label} (Enter keeps the present value)`);
	return answer === "" ? initialValue : answer;
}

async function drawConfirm(screen: Screen, label: string, request: ConfirmRequest): Promise<boolean | undefined> {
	if (request.message !== undefined) screen.print(request.message);
	return screen.confirm(label, request.confirmButtonText);
}

/** Asks field by field; Enter on the last one submits. A form without text fields asks for a yes. */
async function drawForm(
	screen: Screen,
	label: string,
	request: FormRequest,
): Promise<Record<string, string> | undefined> {
	const editable = request.fields.some((field) => field.type === "text");
	if (editable) screen.print(label, "step");
	if (request.message !== undefined) screen.print(request.message);
	const entries: [string, string][] = [];
	for (const field of request.fields) {
		if (field.type === "image") {
			screen.print(`${field.label}: ${describeImage(field.value)}`);
			continue;
		}
		const answer = await drawField(screen, field);
		if (answer === undefined) return undefined;
		entries.push([field.name, answer]);
	}
	if (!editable && !(await screen.confirm(label, request.confirmButtonText))) return undefined;
	return Object.fromEntries(entries);
}

function drawField(screen: Screen, field: FormField): Promise<string | undefined> {
	return screen.text({
		message: field.optional ? `${field.label} (optional)` : field.label,
		initialValue: field.value,
		...(field.multiline === undefined ? {} : { multiline: field.multiline }),
		validate: (value) => (isMissing(field, value) ? `${field.label} must not be empty` : undefined),
	});
}

/** Where an image is found; one that is in the text itself only by its type. */
function describeImage(value: string): string {
	const embedded = /^data:([^;,]*)/.exec(value);
	return embedded === null ? cut(value, imageCharsMax) : `an embedded image (${cut(embedded[1] ?? "", imageCharsMax)})`;
}

async function drawSelect(screen: Screen, label: string, request: SelectRequest): Promise<string | undefined> {
	if (request.message !== undefined) screen.print(request.message);
	const { options, initialValue } = request;
	if (options.length > 0) {
		const labels = request.allowOther ? [...options, "Other…"] : options;
		const initial = initialValue === undefined ? 0 : Math.max(0, options.indexOf(initialValue));
		const choice = await screen.select(label, labels, initial);
		if (choice === undefined || choice < options.length) return choice === undefined ? undefined : options[choice];
	}
	const typed = await screen.text({ message: options.length > 0 ? `${label}: other` : label });
	return typed?.trim() || undefined;
}
