import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	amp.registerCommand("ask", { title: "Ask" }, async ({ ui }) => {
		const name = await ui.input({ title: "Name", helpText: "Yours", initialValue: "me", submitButtonText: "Go" });
		if (name === undefined) return;
		const token: string | undefined = await ui.input({ secret: true, fieldName: "token", requireHuman: true });
		const sure: boolean = await ui.confirm({ title: "Sure?", message: name, confirmButtonText: "Yes" });
		const edited = await ui.confirm({
			title: "Edit",
			fields: [
				{ name: "body", label: "Body", value: "", multiline: true, optional: true },
				{ type: "image", name: "shot", label: "Shot", value: "https://example.com/a.png" },
			],
		});
		const body: string | undefined = edited?.body;
		const plain = await ui.select({ title: "Which?", options: ["a", "b"], initialValue: "a", allowOther: true });
		const labelled = await ui.select({ title: "Which?", options: [{ label: "First", value: "1" }] });
		await ui.notify([sure, body, plain?.toUpperCase(), labelled?.length, token?.length].join());
	});
	return amp.ui.notify("loaded");
}
