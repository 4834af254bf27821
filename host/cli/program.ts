import { Command, CommanderError, InvalidArgumentError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { createStdin } from "./arguments.ts";
import type { CallCommandOptions } from "./commands/call.ts";
import type { EmitCommandOptions } from "./commands/emit.ts";
import type { RunOptions } from "./commands/run.ts";
import type { CommandContext, GlobalOptions } from "./context.ts";
import { exitCodesHelp } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { turnHelp } from "./turn-help.ts";
import { parseFailure, pointingAtHelp } from "./usage.ts";

/** Parses the arguments and runs the command that they name. @returns the exit code @throws BroodError likewise `usage` */
export async function runProgram(parameters: readonly string[], output: Output): Promise<number> {
	const { program, outcome } = createProgram(output);
	let command: Command | undefined;
	program.hook("preSubcommand", (_, subcommand) => {
		command = subcommand;
	});
	if (parameters.length === 0) {
		program.outputHelp();
		return 0;
	}
	try {
		await program.parseAsync(parameters, { from: "user" });
		return outcome.exitCode;
	} catch (error) {
		if (!(error instanceof CommanderError)) throw error;
		// Help and version end the parsing the same way as a mistake does.
		if (error.exitCode === 0) return 0;
		throw parseFailure({ error, parameters, program, command });
	}
}

interface Prepared {
	program: Command;
	outcome: { exitCode: number };
	/** Runs the command of that name and keeps its exit code. */
	finish(name: string, command: (context: CommandContext) => Promise<number>): Promise<void>;
}

function createProgram(output: Output): Prepared {
	const outcome = { exitCode: 0 };
	const program = new Command("brood")
		.description("Runs plugins, each in a process of its own, and fires their tools, commands and events.")
		.version(manifest.version, "-v, --version", "print the version")
		.helpOption("-h, --help", "print this help, or that of a command")
		.option("-p, --plugin <path>", "a plugin file, or a folder of plugins; may be repeated", collectPaths)
		.option("--cwd <dir>", "where the workspace is looked for")
		.option("--no-places", "use only plugins named by -p")
		.option("--answers <file>", "answer dialogs from a JSON array, in order; - reads it from stdin")
		.option("--ready-timeout <ms>", "how long a plugin may take to become ready", parseMs)
		.option("-q, --quiet", "leave out what plugins print and log, but for warnings and errors")
		.option("--json", "results as JSON on stdout; logs, warnings and the error as lines of JSON on stderr")
		.addHelpText("after", `${variablesHelp}\n${exitCodesHelp}`)
		.exitOverride()
		.configureHelp({ showGlobalOptions: true })
		// Mistakes come back as errors, and are told like all others.
		.configureOutput({ writeOut: (text) => output.result(text), writeErr: () => {}, outputError: () => {} });
	const prepared: Prepared = {
		program,
		outcome,
		async finish(name, command) {
			const context = { options: program.opts<GlobalOptions>(), output, stdin: createStdin() };
			outcome.exitCode = await pointingAtHelp(name, () => command(context));
		},
	};
	for (const add of [addList, addInfo, addCall, addRun, addEmit, addLinks]) add(prepared);
	return prepared;
}

function addList({ program, finish }: Prepared): void {
	program
		.command("list")
		.description("show every plugin: its state, what it registers, and why it failed")
		.option("--all", "show too what lies in a plugin place and is no plugin")
		.option("--allow-failed", "exit with 0 when a plugin failed to load")
		.addHelpText("after", examples("brood list", "brood -p ./hello.ts --no-places list --json"))
		.action((own: { all?: boolean; allowFailed?: boolean }) =>
			finish("list", async (context) => (await import("./commands/list.ts")).list(context, own)),
		);
}

function addInfo({ program, finish }: Prepared): void {
	program
		.command("info")
		.description("show all there is to know about one plugin")
		.argument("<plugin>", "its name")
		.addHelpText("after", examples("brood info hello", "brood -p ./hello.ts info hello --json"))
		.action((name: string) =>
			finish("info", async (context) => (await import("./commands/info.ts")).info(context, name)),
		);
}

function addCall({ program, finish }: Prepared): void {
	program
		.command("call")
		.description("call a tool as an agent would, and print what it answers")
		.argument("<tool>", "its name")
		.argument("[json]", "the input, a JSON object; - reads it from stdin")
		.option("--no-events", "keep tool.call and tool.result from the plugins")
		.option("--timeout <ms>", "give up after this time", parseMs)
		.option("--threads <file>", threadsHelp)
		.option("--thread <id>", threadHelp)
		.addHelpText("after", examples(`brood call greet '{"name":"Ada"}'`, "brood call greet - --json < input.json"))
		.action((name: string, json: string | undefined, own: CallCommandOptions) =>
			finish("call", async (context) => (await import("./commands/call.ts")).call(context, name, json, own)),
		);
}

function addRun({ program, finish }: Prepared): void {
	program
		.command("run")
		.description("run a command, and print what it asked and what was answered")
		.argument("<command>", "its id, or plugin:id where several plugins have it")
		.option("--timeout <ms>", "give up after this time", parseMs)
		.option("--threads <file>", threadsHelp)
		.option("--thread <id>", threadHelp)
		.addHelpText("after", examples("brood run hello", "brood --answers answers.json run hello:greet --json"))
		.action((id: string, own: RunOptions) =>
			finish("run", async (context) => (await import("./commands/run.ts")).run(context, id, own)),
		);
}

function addEmit({ program, finish }: Prepared): void {
	program
		.command("emit")
		.description("let every handler of an event see it, and print the answers")
		.argument("<event>", "its name, or agent.turn for a whole turn of an agent")
		.option("--data <json>", "what the event carries, a JSON object; - reads it from stdin")
		.option("--script <file>", "the turn to play, as JSON or YAML; - reads JSON from stdin")
		.option("--threads <file>", threadsHelp)
		.option("--thread <id>", threadHelp)
		.addHelpText(
			"after",
			examples(
				"brood emit session.start",
				`brood emit tool.call --data '{"tool":"Bash"}' --json`,
				"brood emit agent.turn --script turn.yaml",
			) + turnHelp,
		)
		.action((event: string, own: EmitCommandOptions) =>
			finish("emit", async (context) => (await import("./commands/emit.ts")).emit(context, event, own)),
		);
}

function addLinks({ program, finish }: Prepared): void {
	program
		.command("links")
		.description("show what the link patterns of all plugins make of a text")
		.argument("<text>", "the text; - reads it from stdin")
		.addHelpText("after", examples('brood links "see ABC-1"', "git log | brood links - --json"))
		.action((text: string) =>
			finish("links", async (context) => (await import("./commands/links.ts")).links(context, text)),
		);
}

const threadsHelp = "a JSON list of the threads that plugins see; - reads it from stdin";
const threadHelp = "the active thread, to which the call belongs; one of the file where there is one";

const variablesHelp = `
Environment:
  BROOD_LOG  which log lines are shown, as in warn,notes=debug,noisy-*=off; levels are off, error, warn, info, debug
  BROOD_BUN  the Bun to run under, where the one on the PATH is not wanted`;

function examples(...lines: string[]): string {
	return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function collectPaths(path: string, earlier: string[] | undefined): string[] {
	// An empty path would mean the working directory.
	if (path === "") throw new InvalidArgumentError("A path is not empty.");
	return [...(earlier ?? []), path];
}

function parseMs(text: string): number {
	const ms = Number(text);
	// Timers take no more than 31 bits.
	if (/^\d+$/.test(text) && ms > 0 && ms < 2 ** 31) return ms;
	throw new InvalidArgumentError("Give whole milliseconds, at least 1.");
}
