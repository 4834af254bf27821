import { expect, test } from "bun:test";
import type { UIProvider } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** A dialog as a plugin may ask it: what the person is shown, their answer, and what the plugin gets. */
interface Row {
	name: string;
	asked: string;
	/** Nothing is shown when absent. */
	shown?: object;
	answer?: unknown;
	got: unknown;
}

const text = (name: string, value: string, more = {}) => ({ type: "text", name, label: name, value, ...more });
const form = 'confirm({ title: "T", fields: [{ name: "a", label: "a", value: "x" }, ';

const rows: Row[] = [
	{
		name: "a text in the place of the options is the question, since nobody should be asked an empty one",
		asked: 'confirm("Really?")',
		shown: { title: "Really?" },
		answer: true,
		got: true,
	},
	{
		name: "a text in the place of the options of an input is its title",
		asked: 'input("Name", "placeholder")',
		shown: { title: "Name" },
		answer: "Ada",
		got: "Ada",
	},
	{
		name: "a select without options has nothing to choose, so it counts as cancelled and is not shown",
		asked: 'select({ title: "T", options: [] })',
		got: undefined,
	},
	{
		name: "a select without options may still take a typed answer",
		asked: 'select({ title: "T", options: [], allowOther: true })',
		shown: { title: "T", options: [], allowOther: true },
		answer: " typed ",
		got: "typed",
	},
	{
		name: "options are shown once each",
		asked: 'select({ title: "T", options: ["a", "b", "a", "a"] })',
		shown: { title: "T", options: ["a", "b"] },
		answer: "a",
		got: "a",
	},
	{
		name: "an initial value that is no option is none",
		asked: 'select({ title: "T", options: ["a"], initialValue: "z" })',
		shown: { title: "T", options: ["a"] },
		answer: "a",
		got: "a",
	},
	{
		name: "a typed answer of spaces is none",
		asked: 'select({ title: "T", options: ["a"], allowOther: true })',
		shown: { title: "T", options: ["a"], allowOther: true },
		answer: "  \t ",
		got: undefined,
	},
	{
		name: "an option with spaces around it is given back as it was written",
		asked: 'select({ title: "T", options: [" a "], allowOther: true, initialValue: " a " })',
		shown: { title: "T", options: [" a "], allowOther: true, initialValue: " a " },
		answer: " a ",
		got: " a ",
	},
	{
		name: "options as objects, numbers and nothing are the text that they stand for",
		asked: 'select({ title: "T", options: [{ label: "A", value: "a" }, { label: "B" }, 3, null, {}] })',
		shown: { title: "T", options: ["a", "B", "3", ""] },
		answer: "B",
		got: "B",
	},
	{ name: "an input needs nothing", asked: "input()", shown: {}, answer: "x", got: "x" },
	{ name: "an empty text is an answer", asked: "input(null)", shown: {}, answer: "", got: "" },
	{
		name: "text that is none is shown as text",
		asked: "confirm({ title: 5, message: { toString: () => 'm' }, confirmButtonText: null })",
		shown: { title: "5", message: "m" },
		answer: true,
		got: true,
	},
	{
		name: "a form without fields is a form",
		asked: 'confirm({ title: "T", fields: [] })',
		shown: { title: "T", fields: [] },
		answer: {},
		got: {},
	},
	{
		name: "a field may be left blank only where it is optional",
		asked: `${form}{ name: "b", label: "b", value: "y", optional: true }] })`,
		shown: { title: "T", fields: [text("a", "x"), text("b", "y", { optional: true })] },
		answer: { a: "x", b: "" },
		got: { a: "x", b: "" },
	},
	{
		name: "a field that is left out keeps its value",
		asked: `${form}{ name: "b", value: 7 }] })`,
		shown: { title: "T", fields: [text("a", "x"), text("b", "7")] },
		answer: { a: "z" },
		got: { a: "z", b: "7" },
	},
	{
		name: "who wants a person's own answer, and what a value is called, are told with each kind of dialog",
		asked: 'input({ fieldName: "na\\u0007me", requireHuman: true })',
		shown: { fieldName: "name", requireHuman: true },
		answer: "x",
		got: "x",
	},
	{
		name: "a yes or no may want a person",
		asked: 'confirm({ title: "T", requireHuman: true })',
		shown: { title: "T", requireHuman: true },
		answer: false,
		got: false,
	},
	{
		name: "a form may want a person",
		asked: 'confirm({ title: "T", requireHuman: false, fields: [] })',
		shown: { title: "T", requireHuman: false, fields: [] },
		answer: {},
		got: {},
	},
	{
		name: "a choice may want a person",
		asked: 'select({ title: "T", options: ["a"], requireHuman: true })',
		shown: { title: "T", options: ["a"], requireHuman: true },
		answer: "a",
		got: "a",
	},
	{
		name: "an image is shown and is no part of the answer",
		asked: `${form}{ type: "image", name: "i", label: "I", value: "https://example.com/a.png" }] })`,
		shown: {
			title: "T",
			fields: [text("a", "x"), { type: "image", name: "i", label: "I", value: "https://example.com/a.png" }],
		},
		answer: { a: "z" },
		got: { a: "z" },
	},
];

test("dialogs with odd options are shown, and answered, as a person would expect", async () => {
	const shown: object[] = [];
	let answer: unknown;
	const ask = async (request: object) => {
		shown.push(request);
		return answer as never;
	};
	const ui: UIProvider = { available: true, notify: ask, input: ask, confirm: ask, form: ask, select: ask };
	const commands = rows.map(
		({ asked }, n) =>
			`amp.registerCommand("c${n}", { title: "" }, async ({ ui }) => amp.logger.log("got ${n} " + JSON.stringify({ got: await ui.${asked} })));`,
	);
	const { host, logged } = await bench.start(
		{ one: `export default (amp) => { ${commands.join("\n")} };` },
		{ providers: { ui } },
	);
	for (const [n, row] of rows.entries()) {
		shown.length = 0;
		answer = row.answer;
		const { ok, error } = await host.commands.run(`c${n}`);
		expect({ name: row.name, ok, error }).toEqual({ name: row.name, ok: true, error: undefined });
		const { message } = await logged("one", `got ${n} `);
		const { got } = JSON.parse(message.slice(message.indexOf("{"))) as { got?: unknown };
		expect({ name: row.name, shown, got }).toEqual({
			name: row.name,
			shown: row.shown === undefined ? [] : [row.shown],
			got: row.got,
		});
	}
});
