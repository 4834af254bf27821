import type { Json, JsonObject } from "../../../runtime/records.ts";
import type { AskContext, UIProvider } from "../../contracts/providers.ts";
import { cleanLine } from "../../ui/clean.ts";
import { type Question, textOf } from "./dev-form.ts";

/** Who asks a person, and in whose name. */
export interface Asker {
	ui: UIProvider;
	context: AskContext;
}

/** Lets a person choose one of several; undefined when they give up. Labels that are equal stand for the first of them. */
export async function pick<Item>(
	{ ui, context }: Asker,
	title: string,
	items: readonly { label: string; item: Item }[],
	last?: string,
): Promise<{ label: string; item: Item } | undefined> {
	const shown = items.map(({ label, item }) => ({ label: cleanLine(label, labelCharsMax), item }));
	const initial = shown.some(({ label }) => label === last) ? last : undefined;
	const request = { title, options: [...new Set(shown.map(({ label }) => label))] };
	const answer = await ui.select({ ...request, ...(initial === undefined ? {} : { initialValue: initial }) }, context);
	return shown.find(({ label }) => label === answer);
}

/** Asks for the input of a tool, question by question; undefined when the person gives up. */
export async function askInput(asker: Asker, title: string, questions: Question[]): Promise<JsonObject | undefined> {
	const input: [string, Json][] = [];
	for (const question of questions) {
		const answer = await ask(asker, title, question);
		if (answer === undefined) return undefined;
		if (answer === leftOut) continue;
		if (question.name !== undefined) input.push([question.name, answer.value]);
		else if (typeof answer.value === "object" && answer.value !== null && !Array.isArray(answer.value))
			return answer.value;
	}
	return Object.fromEntries(input);
}

/** Asks for one text until it can be read; undefined when the person gives up. */
export async function askText<Value>(
	{ ui, context }: Asker,
	{ title, help, initial = "", read }: TextQuestion<Value>,
): Promise<Value | undefined> {
	let [shown, helpText] = [initial, help];
	for (;;) {
		const text = await ui.input({ title, ...optional("helpText", helpText), initialValue: shown }, context);
		if (text === undefined) return undefined;
		const answer = read(text);
		if ("value" in answer) return answer.value;
		[shown, helpText] = [text, `Not so: ${answer.wrong}.`];
	}
}

interface TextQuestion<Value> {
	title: string;
	help: string | undefined;
	initial: string | undefined;
	read(text: string): { value: Value } | { wrong: string };
}

/** An answer that gives no value. */
const leftOut = "left out";

// Wider ones would wrap.
const labelCharsMax = 90;

type Given = { value: Json } | typeof leftOut;

async function ask(asker: Asker, subject: string, question: Question): Promise<Given | undefined> {
	const { name, isNeeded, kind, help, choices, initial, read } = question;
	const title = `${subject}${name === undefined ? "" : ` › ${cleanLine(name, labelCharsMax)}`} (${kind})`;
	if (choices !== undefined) {
		const items = choices.map((value): Choice => ({ label: textOf(value), item: { value } }));
		const none: Choice[] = isNeeded ? [] : [{ label: `(${leftOut})`, item: leftOut }];
		// What has no value yet is left out by Enter.
		const all = initial === undefined ? [...none, ...items] : [...items, ...none];
		return (await pick(asker, help === undefined ? title : `${title}: ${help}`, all, initial))?.item;
	}
	return askText<Given>(asker, {
		title,
		help,
		initial,
		read(text) {
			if (text === "" && !isNeeded) return { value: leftOut };
			const answer = read(text);
			return "value" in answer ? { value: answer } : answer;
		},
	});
}

interface Choice {
	label: string;
	item: Given;
}

function optional<Key extends string>(key: Key, text: string | undefined): { [Name in Key]?: string } {
	const member: { [Name in Key]?: string } = {};
	if (text !== undefined) member[key] = text;
	return member;
}
