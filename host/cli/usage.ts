import type { Command, CommanderError } from "commander";
import { BroodError, failure, isBroodError } from "../../runtime/errors.ts";

/** A mistake that the parser found, and how far it had come. */
export interface ParseMistake {
	error: CommanderError;
	parameters: readonly string[];
	program: Command;
	/** The command whose arguments are wrong; undefined when none was reached. */
	command: Command | undefined;
}

/** The mistake in the manner of all other errors; its hint says where the right way is described. */
export function parseFailure({ error, parameters, program, command }: ParseMistake): BroodError {
	const [text = "", suggestion] = error.message.replace(/^error: /, "").split("\n(");
	if (error.code === "commander.help" && command !== undefined && command.commands.length > 0) {
		const next = command.commands.map((inner) => inner.name()).join(", ");
		const reason = `A word is missing after brood ${wordsOf(command)}: ${next}`;
		return failure("usage", { reason, hint: seeHelp(wordsOf(command)) });
	}
	if (error.code === "commander.help") {
		const [, asked] = program.args;
		const reason = asked === undefined ? "No command is named" : `Unknown command '${asked}'`;
		return failure("usage", { reason, hint: seeHelp(undefined) });
	}
	const reason = text.charAt(0).toUpperCase() + text.slice(1);
	const [, flag = ""] = error.code === "commander.unknownOption" ? (/'([^'=]+)/.exec(text) ?? []) : [];
	const owners = program.commands.filter((owner) => optionOf(owner, flag) !== undefined);
	const [first] = owners;
	if (first === undefined) {
		const help = seeHelp(command && wordsOf(command));
		return failure("usage", {
			reason,
			hint: suggestion === undefined ? help : `${suggestion.replace(/\)$/, "")} ${help}`,
		});
	}
	const owned = `${flag} is an option of ${listed(owners.map((owner) => owner.name()))}`;
	if (command !== undefined) return failure("usage", { reason, hint: `${owned}. ${seeHelp(wordsOf(command))}` });
	const meant = owners.find((owner) => parameters.includes(owner.name())) ?? first;
	const gap = meant.registeredArguments.length === 0 ? "" : " …";
	const example = `brood ${meant.name()}${gap} ${optionOf(meant, flag)?.flags}`;
	return failure("usage", {
		reason,
		hint: `${owned}, and stands behind that name: ${example}. ${seeHelp(meant.name())}`,
	});
}

/** Does a command; a mistake in its arguments that says nothing else points at the help of the command. */
export async function pointingAtHelp<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
	try {
		return await task();
	} catch (error) {
		if (!isBroodError(error, "usage") || error.hint !== undefined) throw error;
		const hint = seeHelp(name);
		throw new BroodError("usage", `${error.message} ${hint}`, { hint, cause: error });
	}
}

/** The words that lead to a command, without that of the program. */
function wordsOf(command: Command): string {
	const { parent } = command;
	return parent?.parent ? `${wordsOf(parent)} ${command.name()}` : command.name();
}

function listed(names: string[]): string {
	return names.join(", ").replace(/, (?=[^,]*$)/, " and ");
}

function seeHelp(name: string | undefined): string {
	return `See brood ${name === undefined ? "" : `${name} `}--help.`;
}

function optionOf(command: Command, flag: string) {
	return command.options.find(({ long, short }) => long === flag || short === flag);
}
