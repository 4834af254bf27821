import { expect, test } from "bun:test";
import type { AskContext } from "../../../../host/contracts/providers.ts";
import { noUI } from "../../../../host/ui/none.ts";
import { recordingUI } from "../../../../host/ui/recording.ts";
import { scriptedUI } from "../../../../host/ui/scripted.ts";

const context: AskContext = { plugin: "demo", signal: new AbortController().signal };

test("a record holds each dialog with what was shown and answered, in the order of asking", async () => {
	const { ui, record } = recordingUI(scriptedUI(["Ada", false, { a: "y" }, "two"]));
	const fields = [{ type: "text" as const, name: "a", label: "A", value: "x" }];
	await ui.input({ title: "Name", helpText: "Yours", initialValue: "A" }, context);
	await ui.notify({ message: "hello" }, context);
	await ui.confirm({ title: "Sure?", message: "Really" }, context);
	await ui.form({ title: "Edit", fields }, context);
	expect(await ui.select({ title: "Pick", options: ["one", "two"] }, context)).toBe("two");
	expect(record).toStrictEqual([
		{ kind: "input", plugin: "demo", title: "Name", helpText: "Yours", answer: "Ada" },
		{ kind: "notify", plugin: "demo", message: "hello" },
		{ kind: "confirm", plugin: "demo", title: "Sure?", message: "Really", answer: false },
		{ kind: "form", plugin: "demo", title: "Edit", fields, answer: { a: "y" } },
		{ kind: "select", plugin: "demo", title: "Pick", options: ["one", "two"], answer: "two" },
	]);
});

test("a secret is passed on and recorded as such, and cancelling it as cancelling", async () => {
	const { ui, record } = recordingUI(scriptedUI(["hunter2", null]));
	expect(await ui.input({ title: "Token", secret: true, initialValue: "s3cret" }, context)).toBe("hunter2");
	expect(await ui.input({ title: "Token", secret: true }, context)).toBeUndefined();
	expect(record).toStrictEqual([
		{ kind: "input", plugin: "demo", title: "Token", answer: "[secret]" },
		{ kind: "input", plugin: "demo", title: "Token", cancelled: true },
	]);
});

test("a dialog that fails is recorded with the code and the text of its error", async () => {
	const { ui, record } = recordingUI(noUI());
	expect(ui.available).toBe(false);
	const error = await ui.confirm({ title: "Sure?" }, context).catch((thrown: Error) => thrown);
	expect(error).toMatchObject({ code: "ui_not_available" });
	expect(record).toStrictEqual([
		{
			kind: "confirm",
			plugin: "demo",
			title: "Sure?",
			error: { code: "ui_not_available", message: (error as Error).message },
		},
	]);
});

test("a dialog that is still open is already in the record, without an outcome", () => {
	const { promise } = Promise.withResolvers<string | undefined>();
	const { ui, record } = recordingUI({ ...scriptedUI([]), input: () => promise });
	ui.input({ title: "Name" }, context);
	expect(record).toStrictEqual([{ kind: "input", plugin: "demo", title: "Name" }]);
});
