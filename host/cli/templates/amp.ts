import plugin from "./amp/plugin.txt" with { type: "text" };
import readme from "./amp/readme.txt" with { type: "text" };
import test from "./amp/test.txt" with { type: "text" };
import type { Template } from "./template.ts";

/** A plugin of one file, or a directory that is one. */
export const amp: Template = (name, form) => {
	const stem = form === "file" ? name : "index";
	const words: Record<string, string> = {
		__NAME__: name,
		__FILE__: `${stem}.ts`,
		__TOOL__: `${name.replaceAll("-", "_")}_greet`,
		__COMMAND__: `${name}-greet`,
		__USE__:
			form === "file"
				? "To use it in a project, copy that file to `.brood/plugins`, or to `.amp/plugins` for Amp."
				: "A project uses it when this folder lies in `.brood/plugins`, or in `.amp/plugins` for Amp.",
	};
	const fill = (text: string) => text.replaceAll(/__[A-Z]+__/g, (word) => words[word] ?? word);
	return {
		plugin: `${stem}.ts`,
		test: `${stem}.test.ts`,
		tool: fill("__TOOL__"),
		command: fill("__COMMAND__"),
		files: {
			[`${stem}.ts`]: fill(plugin),
			[`${stem}.test.ts`]: fill(test),
			"README.md": fill(readme),
			".gitignore": "node_modules\n",
		},
	};
};
