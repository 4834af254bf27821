import { describe, expect, test } from "bun:test";
import type { AskContext } from "../../../../host/contracts/providers.ts";
import { describeAnswer, parseAnswers, type ScriptedAnswer, scriptedUI } from "../../../../host/ui/scripted.ts";

const context: AskContext = { plugin: "demo", signal: new AbortController().signal };
const fields = [
	{ type: "text" as const, name: "title", label: "Title", value: "old" },
	{ type: "text" as const, name: "note", label: "Note", value: "", optional: true },
	{ type: "image" as const, name: "shot", label: "Shot", value: "/a.png" },
];

describe("scripted answers", () => {
	test("are given in order, one a dialog, and none to a notification", async () => {
		const ui = scriptedUI(["Ada", true, { title: "new" }, { kind: "select", title: "Pick", answer: "b" }]);
		expect(ui.available).toBe(true);
		expect(await ui.input({ title: "Name" }, context)).toBe("Ada");
		await ui.notify({ message: "hello" }, context);
		expect(await ui.confirm({ title: "Sure?" }, context)).toBe(true);
		expect(await ui.form({ title: "Edit", fields }, context)).toEqual({ title: "new", note: "" });
		expect(await ui.select({ title: "Pick", options: ["a", "b"] }, context)).toBe("b");
	});

	test("are left until a dialog takes them, whether they fit or not", async () => {
		const ui = scriptedUI(["Ada", true, null]);
		expect(ui.left).toEqual(["Ada", true, null]);
		await ui.input({ title: "Name" }, context);
		await ui.input({ title: "Name" }, context).catch(() => {});
		expect(ui.left).toEqual([null]);
	});

	test.each<[ScriptedAnswer, string]>([
		[true, "true for a confirm dialog"],
		["Ada", '"Ada" for a select or input dialog'],
		[{ city: "Ulm" }, '{"city":"Ulm"} for a form dialog'],
		[null, "null for a cancelled dialog"],
		[{ title: "Name", cancel: true }, 'null for a cancelled dialog "Name"'],
		[
			{ kind: "input", title: "Na\u001b[1mme", answer: "x".repeat(200) },
			`"${"x".repeat(98)}… for an input dialog "Name"`,
		],
	])("are described with the dialogs that they can be for: %j", (answer, says) => {
		expect(describeAnswer(answer)).toBe(says);
	});

	test.each<[string, ScriptedAnswer]>([
		["null", null],
		["cancel", { cancel: true }],
		["cancel for a named dialog", { kind: "input", title: "Name", cancel: true }],
		["an answer of null", { answer: null }],
	])("cancel with %s", async (_name, answer) => {
		expect(await scriptedUI([answer]).input({ title: "Name" }, context)).toBeUndefined();
	});

	test("may be typed where a select allows others, and are trimmed then", async () => {
		const request = { title: "Pick", options: ["a"], allowOther: true };
		const ui = scriptedUI([" teal ", "  "]);
		expect(await ui.select(request, context)).toBe("teal");
		expect(await ui.select(request, context)).toBeUndefined();
	});

	test("are fields of a form when other keys stand beside title and kind", async () => {
		const form = {
			title: "Edit",
			fields: [...fields, { type: "text" as const, name: "kind", label: "Kind", value: "" }],
		};
		expect(await scriptedUI([{ title: "t", kind: "bug", note: "n" }]).form(form, context)).toEqual({
			title: "t",
			kind: "bug",
			note: "n",
		});
	});

	test("that run out reject with the plugin, the dialog and the number of the answer", async () => {
		const ui = scriptedUI(["Ada"], { source: "answers.json" });
		await ui.input({ title: "Name" }, context);
		await expect(ui.select({ title: "Pick", options: ["a"] }, context)).rejects.toMatchObject({
			code: "ui_not_available",
			message:
				'Plugin UI not available: plugin "demo" asks the select dialog "Pick", its answer 2, and answers.json holds 1.',
		});
	});

	test("for a caller that is gone are not taken", async () => {
		const ui = scriptedUI(["Ada"]);
		const gone = ui.input({ title: "Name" }, { plugin: "demo", signal: AbortSignal.abort() });
		await expect(gone).rejects.toMatchObject({ code: "cancelled" });
		expect(await ui.input({ title: "Name" }, context)).toBe("Ada");
	});
});

describe("an answer that does not fit", () => {
	const cases: [string, ScriptedAnswer, "input" | "confirm" | "form" | "select", string][] = [
		["another kind", { kind: "confirm", answer: true }, "select", 'it is for the kind "confirm"'],
		["another title", { title: "Other", answer: "a" }, "select", 'it is for the title "Other"'],
		["a cancel for another title", { title: "Other", cancel: true }, "select", 'it is for the title "Other"'],
		["text for a confirm", "yes", "confirm", "it takes true or false, not text"],
		["true for an input", true, "input", "it takes text, not a boolean"],
		["a number for a select", 1, "select", "it takes one of its options as text, not a number"],
		["no option", "z", "select", '"z" is not among its options ["a","b"]'],
		["text for a form", "x", "form", "it takes an object of its fields, not text"],
		["an unknown field", { nope: "x" }, "form", 'it has no text field "nope"'],
		["an image field", { shot: "x" }, "form", 'it has no text field "shot"'],
		["a number in a field", { title: 1 }, "form", 'its field "title" takes text, not a number'],
		["a blank field that is not optional", { title: " " }, "form", 'its field "title" must not be empty'],
	];

	test.each(cases)("(%s) rejects with the dialog, the number and the reason", async (_name, answer, kind, reason) => {
		const ui = scriptedUI(["first", answer, "next"]);
		await ui.input({ title: "Before" }, context);
		const ask = {
			input: () => ui.input({ title: "Here" }, context),
			confirm: () => ui.confirm({ title: "Here" }, context),
			form: () => ui.form({ title: "Here", fields }, context),
			select: () => ui.select({ title: "Here", options: ["a", "b"] }, context),
		};
		const error = await ask[kind]().catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: "invalid_answer", plugin: "demo" });
		expect(error).toHaveProperty("message", expect.stringContaining(`the ${kind} dialog "Here"`));
		expect(error).toHaveProperty("message", expect.stringContaining(`answer 2 of the script does not fit, ${reason}`));
		// It is used up all the same.
		expect(await ui.input({}, context)).toBe("next");
	});

	test("never quotes what a secret was answered with", async () => {
		const error = await scriptedUI([{ key: "hunter2" }])
			.input({ secret: true }, context)
			.catch(String);
		expect(error).toContain("it takes text, not an object");
		expect(error).not.toContain("hunter2");
	});
});

describe("a file of answers", () => {
	test("may hold every form of answer", () => {
		const answers = [
			"a",
			"",
			true,
			false,
			null,
			{ field: "x" },
			{ kind: "form", title: "t", answer: { a: "b" } },
			{ cancel: true },
		];
		expect(parseAnswers(answers, "answers.json")).toEqual(answers);
	});

	test.each<[string, unknown, string]>([
		["an object", {}, "answers.json must hold a JSON array, one answer a dialog."],
		[
			"a number",
			["a", 1],
			"Answer 2 in answers.json cannot be used: an answer is text, true, false, null or an object of form fields.",
		],
		[
			"an array",
			[[]],
			"Answer 1 in answers.json cannot be used: an answer is text, true, false, null or an object of form fields.",
		],
		[
			"a wrong kind",
			[{ kind: "text", answer: "a" }],
			'Answer 1 in answers.json cannot be used: "kind" must be one of input, confirm, form, select.',
		],
		["a wrong title", [{ title: 1, answer: "a" }], 'Answer 1 in answers.json cannot be used: "title" must be text.'],
		[
			"cancel that is not true",
			[{ cancel: "yes" }],
			'Answer 1 in answers.json cannot be used: "cancel" must be true or absent.',
		],
		[
			"answer and cancel",
			[{ answer: "a", cancel: true }],
			'Answer 1 in answers.json cannot be used: it has both "answer" and "cancel".',
		],
		["a field that is no text", [{ a: 1 }], 'Answer 1 in answers.json cannot be used: field "a" must be text.'],
		[
			"a field that is no text in an answer",
			[{ answer: { a: null } }],
			'Answer 1 in answers.json cannot be used: field "a" must be text.',
		],
	])("with %s is a usage error that says where", (_name, json, message) => {
		expect(() => parseAnswers(json, "answers.json")).toThrow(expect.objectContaining({ code: "usage", message }));
	});
});
