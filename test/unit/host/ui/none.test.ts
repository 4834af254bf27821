import { expect, test } from "bun:test";
import { noUI } from "../../../../host/ui/none.ts";

test("without a UI every method rejects with a code, the plugin's name and what to do", async () => {
	const ui = noUI();
	const context = { plugin: "demo", signal: new AbortController().signal };
	expect(ui.available).toBe(false);
	const calls = [
		ui.notify({ message: "hello" }, context),
		ui.input({}, context),
		ui.confirm({ title: "Sure?" }, context),
		ui.form({ title: "Fill in", fields: [] }, context),
		ui.select({ title: "Pick", options: ["a"] }, context),
	];
	for (const call of calls) {
		await expect(call).rejects.toMatchObject({
			code: "ui_not_available",
			plugin: "demo",
			message: expect.stringMatching(/^Plugin UI not available: .*terminal/),
		});
	}
});
