import type { NewOptions } from "./commands/new.ts";
import { examples, type Prepared } from "./prepared.ts";

/** The commands for who writes plugins. */
export function addNew({ program, finish }: Prepared): void {
	program
		.command("new")
		.description("make a folder with a new plugin that works, its tests and its types, without a network")
		.argument(
			"<name>",
			"its name, of letters from A to Z, digits, - and _, or the path of its folder, as in tools/hello",
		)
		.option("--kind <system>", "the system that it is for: amp", "amp")
		.option("--directory", "let the folder itself be the plugin, with an index.ts; always so in a plugin place")
		.addHelpText(
			"after",
			newHelp + examples("brood new hello", "brood new hello --directory", "brood new .brood/plugins/hello --json"),
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

const newHelp = `
A folder that is there is taken when it is empty, or a new repository of git; . is the one here. One with files is refused.
`;

const testHelp = `
A test is a file such as hello.test.ts. In a folder that is named, and in a plugin place, those of all folders below are
run; of the folder here only its own. What stands behind -- goes to bun test, whose exit code is that of the command.
With --json one object tells how many tests passed, failed and were skipped, in all and in each of files; a file of which Bun
told nothing has ran: false. The numbers are left out where a test ended bun test before its end.
`;
