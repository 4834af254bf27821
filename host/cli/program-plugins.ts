import type { Command } from "commander";
import type { InfoOptions } from "./commands/info.ts";
import type { ListOptions } from "./commands/list.ts";
import type { SettingsOptions } from "./commands/settings.ts";
import { examples, type Prepared } from "./prepared.ts";

export function addList({ program, finish }: Prepared): void {
	defineList(program, "list", finish).addHelpText(
		"after",
		examples("brood list", "brood -p ./hello.ts --no-places list --json"),
	);
}

export function addInfo({ program, finish }: Prepared): void {
	defineInfo(program, "info", finish).addHelpText(
		"after",
		examples("brood info hello", "brood -p ./hello.ts info hello --json"),
	);
}

export function addSwitches({ program, finish }: Prepared): void {
	defineSwitch(program, "on", finish).addHelpText(
		"after",
		switchHelp + examples("brood on hello", "brood on a b --json"),
	);
	defineSwitch(program, "off", finish).addHelpText(
		"after",
		switchHelp + examples("brood off hello", "brood off amp/hello"),
	);
}

export function addSettings({ program, finish }: Prepared): void {
	withSettingsOptions(program.command("settings"))
		.description("show, read or change the settings that plugins read by amp.configuration")
		.argument("[words...]", "nothing, KEY, or KEY=VALUE once or more; a plugin's name may come before the last two")
		.option("--unset <key>", "take a key out of the file; may be repeated", collect)
		.addHelpText("after", settingsHelp + settingsExamples)
		.action((words: string[], own: SettingsOptions) =>
			finish("settings", async (context) => (await import("./commands/settings.ts")).settings(context, words, own)),
		);
}

/** The words that people know from external plugins, for the commands above. */
export function addPluginWords({ program, finish }: Prepared): void {
	const get = group(group(program, "get", "show plugins, as list, info and settings do"), "plugin", "show plugins");
	defineList(get, "list", finish, "get plugin ");
	defineInfo(get, "info", finish, "get plugin ");
	withSettingsOptions(get.command("settings"))
		.description("show the settings that a plugin reads, or one of them")
		.argument("<plugin>", "its name")
		.argument("[key]", "the one to print")
		.action((plugin: string, key: string | undefined, own: SettingsOptions) =>
			finish("get plugin settings", async (context) =>
				(await import("./commands/settings.ts")).getPluginSettings(context, plugin, key, own),
			),
		);
	const set = group(group(program, "set", "change plugins, as on, off and settings do"), "plugin", "change plugins");
	defineSwitch(set, "on", finish, "set plugin ");
	defineSwitch(set, "off", finish, "set plugin ");
	set
		.command("settings")
		.description("change settings that a plugin reads")
		.argument("<plugin>", "its name")
		.argument("<assignments...>", "KEY=VALUE, once or more")
		.option("--global", globalHelp)
		.action((plugin: string, words: string[], own: SettingsOptions) =>
			finish("set plugin settings", async (context) =>
				(await import("./commands/settings.ts")).setPluginSettings(context, plugin, words, own),
			),
		);
}

type Finish = Prepared["finish"];

function group(parent: Command, name: string, description: string): Command {
	return parent.command(name).description(description).helpCommand(false);
}

function defineList(parent: Command, name: string, finish: Finish, before = ""): Command {
	return parent
		.command(name)
		.description("show every plugin: its state, what it registers, and why it failed")
		.option("--all", "show too what lies in a plugin place and is no plugin")
		.option("--allow-failed", "exit with 0 when a plugin failed to load")
		.action((own: ListOptions) =>
			finish(before + name, async (context) => (await import("./commands/list.ts")).list(context, own)),
		);
}

function defineInfo(parent: Command, name: string, finish: Finish, before = ""): Command {
	return parent
		.command(name)
		.description("show all there is to know about one plugin")
		.argument("<plugin>", "its name")
		.option("--urls", "show the URLs of its webhooks too, which are secrets: whoever has one can send")
		.action((plugin: string, own: InfoOptions) =>
			finish(before + name, async (context) => (await import("./commands/info.ts")).info(context, plugin, own)),
		);
}

function defineSwitch(parent: Command, name: "on" | "off", finish: Finish, before = ""): Command {
	const enabled = name === "on";
	return parent
		.command(name)
		.description(
			enabled ? "let plugins that are off start again" : "keep plugins from being started, until they are on again",
		)
		.argument("<plugins...>", "their names")
		.action((plugins: string[]) =>
			finish(before + name, async (context) =>
				(await import("./commands/switch.ts")).switchPlugins(context, plugins, enabled),
			),
		);
}

function withSettingsOptions(command: Command): Command {
	return command
		.option("--global", globalHelp)
		.option("--reveal", "show values that are named like secrets in the table too");
}

function collect(key: string, earlier: string[] | undefined): string[] {
	return [...(earlier ?? []), key];
}

const globalHelp = "the settings of the user instead of the workspace; when reading, only those";

const switchHelp = `
Kept for you alone: a plugin of the project is on or off in this workspace, one of yours in every workspace. A plugin that
is off keeps its name, so that one it hides stays hidden. What -p names always runs. The file is
$XDG_STATE_HOME/brood/plugins.json (~/.local/state/brood/plugins.json).
`;

const settingsHelp = `
Which word is what:
  one word without "=" is a key, also where a plugin has that name
  a word without "=" before others, or before --unset, is the name of a plugin; amp plugins share one set of settings,
  so that the rest then does what it does without
  VALUE is JSON where it can be read as that, else text: 'a=1' is a number, 'a="1"' and 'a=one' are texts

Files, the one that wins first:
  workspace  .brood/settings.json, which is written to
  global     $XDG_CONFIG_HOME/brood/settings.json (~/.config/brood/settings.json), written to with --global
  amp        .amp/settings.json, which is only read
`;

const settingsExamples = examples(
	"brood settings",
	"brood settings notes.folder",
	"brood settings notes.folder=~/notes notes.max=20",
	"brood settings --global --unset notes.max",
	"brood settings hello notes.folder --json",
);
