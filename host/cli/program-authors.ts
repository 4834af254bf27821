import type { NewOptions } from "./commands/new.ts";
import { examples, type Prepared } from "./prepared.ts";

/** The commands for who writes plugins. */
export function addNew({ program, finish }: Prepared): void {
	program
		.command("new")
		.description("make a folder with a new plugin that works, its tests and its types, without a network")
		.argument("<name>", "the name of the plugin: letters from A to Z, digits, - and _")
		.option("--kind <system>", "the system that it is for: amp", "amp")
		.option("--directory", "let the folder itself be the plugin, with an index.ts; always so in a plugin place")
		.addHelpText(
			"after",
			examples("brood new hello", "brood new hello --directory", "brood --cwd .brood/plugins new hello --json"),
		)
		.action((name: string, own: NewOptions) =>
			finish("new", async (context) => (await import("./commands/new.ts")).newPlugin(context, name, own)),
		);
}

export function addTest({ program, finish, behindDashes }: Prepared): void {
	program
		.command("test")
		.description("run the tests beside plugins with bun test, which finds brood/test and brood/plugin in any folder")
		.argument(
			"[dir...]",
			"a folder of tests, or a test; with none the plugin places of the project, and the folder here",
		)
		.addHelpText("after", testHelp + examples("brood test", "brood test ./hello", "brood test . -- -t 'greets' --bail"))
		.action((words: string[]) =>
			finish("test", async (context) => {
				const paths = words.slice(0, words.length - behindDashes.length);
				return (await import("./commands/test.ts")).testPlugins(context, paths, behindDashes);
			}),
		);
}

const testHelp = `
A test is a file such as hello.test.ts. In a folder that is named, and in a plugin place, those of all folders below are
run; of the folder here only its own. What stands behind -- goes to bun test, whose exit code is that of the command.
`;
