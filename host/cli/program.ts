import { Command, CommanderError, InvalidArgumentError } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { createStdin } from "./arguments.ts";
import type { CallCommandOptions } from "./commands/call.ts";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { EmitCommandOptions } from "./commands/emit.ts";
import type { RunOptions } from "./commands/run.ts";
import type { ValidateCommandOptions } from "./commands/validate.ts";
import type { WebhookOptions } from "./commands/webhook.ts";
import type { GlobalOptions } from "./context.ts";
import { exitCodesHelp } from "./exit-codes.ts";
import type { Output } from "./output.ts";
import { examples, type Prepared } from "./prepared.ts";
import { addNew, addTest } from "./program-authors.ts";
import { addBench } from "./program-bench.ts";
import { addDev } from "./program-dev.ts";
import { addInfo, addList, addPluginWords, addSettings, addSwitches } from "./program-plugins.ts";
import { turnHelp } from "./turn-help.ts";
import { parseFailure, pointingAtHelp } from "./usage.ts";

/** Parses the arguments and runs the command that they name. @returns the exit code @throws BroodError likewise `usage` */
export async function runProgram(parameters: readonly string[], output: Output): Promise<number> {
	return (await runNamed(parameters, output)) ?? (await runWhole(parameters, output));
}

/**
 * The same with only the commands that occur among the arguments, which takes a third of the time. Undefined, with nothing
 * done, when these are not enough: for help, for a group of commands, and to say what is wrong.
 */
async function runNamed(parameters: readonly string[], output: Output): Promise<number | undefined> {
	const named = Object.entries(plainCommands).filter(([name]) => parameters.includes(name));
	if (named.length === 0 || parameters.some((text) => /^(?:-[a-z]*[hv]|--help|--version|help$)/i.test(text)))
		return undefined;
	const adds = named.map(([, add]) => add);
	const { program, outcome } = createProgram(parameters, output, adds);
	try {
		await program.parseAsync(parameters, { from: "user" });
		return outcome.exitCode;
	} catch (error) {
		if (error instanceof CommanderError) return undefined;
		throw error;
	}
}

async function runWhole(parameters: readonly string[], output: Output): Promise<number> {
	const { program, outcome } = createProgram(parameters, output, [...Object.values(plainCommands), ...groups]);
	let command: Command | undefined;
	hearOfCommands(program, (reached) => {
		command = reached;
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

type Add = (prepared: Prepared) => void;

// In the order in which help shows them.
const plainCommands: Record<string, Add> = {
	list: addList,
	info: addInfo,
	call: addCall,
	run: addRun,
	emit: addEmit,
	webhook: addWebhook,
	links: addLinks,
	dev: addDev,
	validate: addValidate,
	new: addNew,
	test: addTest,
	bench: addBench,
	types: addTypes,
	doctor: addDoctor,
};
const groups: readonly Add[] = [addSwitches, addSettings, addPluginWords];

/** Tells each command that the arguments lead to, the last one last. */
function hearOfCommands(group: Command, reached: (command: Command) => void): void {
	group.hook("preSubcommand", (_, subcommand) => reached(subcommand));
	for (const inner of group.commands.filter(({ commands }) => commands.length > 0)) hearOfCommands(inner, reached);
}

function createProgram(parameters: readonly string[], output: Output, commands: readonly Add[]): Prepared {
	const outcome = { exitCode: 0 };
	const dashes = parameters.indexOf("--");
	const program = new Command("brood")
		.description("Runs plugins, each in a process of its own, and fires their tools, commands and events.")
		.version(manifest.version, "-v, --version", "print the version")
		.helpOption("-h, --help", "print this help, or that of a command")
		.option("-p, --plugin <path>", "a plugin file, or a folder of plugins; may be repeated", collectPaths)
		.option("--cwd <dir>", "where the workspace is looked for")
		.option("--no-places", "use only plugins named by -p")
		.option("--answers <file>", "answer dialogs from a JSON array, in order; - reads it from stdin")
		.option("--ready-timeout <ms>", "how long a plugin may take to become ready", parseMs)
		.option("--install", "let Bun fetch the packages that plugins import and nobody installed")
		.option("--install-for <plugin>", "the same for one plugin, by its name; may be repeated", collect)
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
		behindDashes: dashes === -1 ? [] : parameters.slice(dashes + 1),
		async finish(name, command) {
			const context = { options: program.opts<GlobalOptions>(), output, stdin: createStdin() };
			outcome.exitCode = await pointingAtHelp(name, () => command(context));
		},
	};
	for (const add of commands) add(prepared);
	return prepared;
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

function addWebhook({ program, finish }: Prepared): void {
	program
		.command("webhook")
		.description("hand an event to the handler of a webhook, with no request and no queue, and say what became of it")
		.argument("<key>", "its key, or plugin:key where several plugins have it")
		.argument("[body]", "the body as text; - reads its bytes from stdin; empty when left out")
		.option("--header <header>", "a header of the request, as 'name: value'; may be repeated", collect)
		.option("--timeout <ms>", "give up after this time", parseMs)
		.option("--threads <file>", threadsHelp)
		.option("--thread <id>", threadHelp)
		.addHelpText(
			"after",
			webhookHelp +
				examples(
					`brood webhook build '{"status":"failed"}'`,
					"brood webhook ci:build - --header 'X-Signature: 1f2e' --json < body.bin",
				),
		)
		.action((key: string, body: string | undefined, own: WebhookOptions) =>
			finish("webhook", async (context) => (await import("./commands/webhook.ts")).webhook(context, key, body, own)),
		);
}

function addValidate({ program, finish }: Prepared): void {
	program
		.command("validate")
		.description("examine plugins without keeping anything of them, and tell all that is wrong at once")
		.argument(
			"[path...]",
			"a plugin file, a directory plugin or a folder of plugins, or where there is no such path the name of a plugin; all places when left out",
			collectPaths,
		)
		.option("--strict", "fail on warnings too")
		.addHelpText(
			"after",
			examples("brood validate", "brood validate ./hello.ts --strict", "brood validate .amp/plugins --json"),
		)
		.action((paths: string[], own: ValidateCommandOptions) =>
			finish("validate", async (context) => (await import("./commands/validate.ts")).validate(context, paths, own)),
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

function addTypes({ program, finish }: Prepared): void {
	program
		.command("types")
		.description("let editors and tsc know the types that plugins import, with no package installed")
		.argument("[dir]", "a folder of plugins; the plugin places of the workspace when absent", parsePath)
		.option("--check", "write nothing, and exit with 1 when a file is missing or stale")
		.addHelpText("after", examples("brood types", "brood types ./plugins", "brood types --check"))
		.action((dir: string | undefined, own: { check?: boolean }) =>
			finish("types", async (context) => (await import("./commands/types.ts")).types(context, dir, own)),
		);
}

function addDoctor({ program, finish }: Prepared): void {
	program
		.command("doctor")
		.description("look at all that plugins depend on, load each once, and say what is wrong and what to do")
		.option("--no-load", "look only, and load no plugin")
		.option("--fix", "remove old files that no running host uses")
		.addHelpText("after", examples("brood doctor", "brood doctor --no-load --json", "brood doctor --fix"))
		.action((own: DoctorOptions) =>
			finish("doctor", async (context) => (await import("./commands/doctor.ts")).doctor(context, own)),
		);
}

const threadsHelp = "a JSON list of the threads that plugins see; - reads it from stdin";
const threadHelp = "the active thread, to which the call belongs; one of the file where there is one";

const webhookHelp = `
The handler gets the headers that its webhook asked for, and no others. Requests are received, and what waits is delivered,
by a host that stays: brood dev, or a program with createHost. brood info PLUGIN --urls shows the URLs.
`;

const variablesHelp = `
Environment:
  BROOD_LOG  which log lines are shown, as in warn,notes=debug,noisy-*=off; levels are off, error, warn, info, debug
  BROOD_BUN  the Bun to run under, where the one on the PATH is not wanted`;

function collectPaths(path: string, earlier: string[] | undefined): string[] {
	return [...(earlier ?? []), parsePath(path)];
}

function parsePath(path: string): string {
	// An empty path would mean the working directory.
	if (path === "") throw new InvalidArgumentError("A path is not empty.");
	return path;
}

function collect(text: string, earlier: string[] | undefined): string[] {
	return [...(earlier ?? []), text];
}

function parseMs(text: string): number {
	const ms = Number(text);
	// Timers take no more than 31 bits.
	if (/^\d+$/.test(text) && ms > 0 && ms < 2 ** 31) return ms;
	throw new InvalidArgumentError("Give whole milliseconds, from 1 to 2147483647.");
}
