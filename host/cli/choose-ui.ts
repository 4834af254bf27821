import { BroodError, failure } from "../../runtime/errors.ts";
import { describeFileError } from "../base/text-file.ts";
import type { AskContext, UIProvider } from "../contracts/providers.ts";
import type { UIRecord } from "../ui/recording.ts";
import { parseAnswers, scriptedUI } from "../ui/scripted.ts";
import { terminalUI } from "../ui/terminal.ts";
import { parseJSON, type Stdin } from "./arguments.ts";
import type { CommandContext } from "./context.ts";
import { isTerminal } from "./is-terminal.ts";

/** Who answers the dialogs of a command. */
export interface ChosenUI {
	ui: UIProvider;
	/** Whether the person has seen the dialogs. */
	shown: boolean;
	/** What there is to say after the command, by what was asked. */
	remark(asked: readonly UIRecord[]): Remark | undefined;
}

export interface Remark {
	message: string;
	/** Whether it says why a command failed, and what to do about it. */
	explains: boolean;
}

/**
 * Prepared answers where they were given, else the terminal where there is one, also when a program reads the results,
 * since dialogs are drawn on stderr; else nobody.
 *
 * @throws BroodError `usage` when the answers cannot be used
 */
export async function chooseUI({ options, stdin }: Pick<CommandContext, "options" | "stdin">): Promise<ChosenUI> {
	const { answers } = options;
	if (answers !== undefined) return preparedUI(await readAnswers(answers, stdin), answers);
	if (!isTerminal(0) || !isTerminal(2)) return { ui: unattendedUI(), shown: false, remark: remarkUnattended };
	// An open dialog makes a key of Ctrl-C; here it means what it means elsewhere.
	const interrupt = () => process.kill(process.pid, "SIGINT");
	return { ui: terminalUI({ interrupt }), shown: true, remark: () => undefined };
}

function readAnswers(path: string, stdin: Stdin): Promise<string> {
	if (path === "-") return stdin.read("the answers to dialogs");
	return Bun.file(path)
		.text()
		.catch((error: unknown) => {
			throw failure("usage", { reason: `--answers ${path} cannot be read: ${describeFileError(error)}` });
		});
}

function preparedUI(text: string, path: string): ChosenUI {
	const source = path === "-" ? "stdin" : path;
	const answers = parseAnswers(parseJSON(text, `--answers ${path}`), source);
	return {
		ui: scriptedUI(answers, { source }),
		shown: false,
		remark(asked) {
			// A dialog takes one answer, also when it does not fit; one that was withdrawn before its turn takes none.
			const taken = asked.filter(({ kind, error }) => kind !== "notify" && error?.code !== "cancelled").length;
			const left = answers.length - taken;
			if (left <= 0) return undefined;
			const verb = left === 1 ? "was" : "were";
			return { message: `${left} of ${answers.length} answers in ${source} ${verb} left over.`, explains: false };
		},
	};
}

/** The UI of a command that nobody watches; what to do about it is told once, at the end. */
function unattendedUI(): UIProvider {
	const refuse = async (_: unknown, { plugin }: AskContext): Promise<never> => {
		throw new BroodError("ui_not_available", "Plugin UI not available.", { plugin });
	};
	return { available: false, notify: refuse, input: refuse, confirm: refuse, form: refuse, select: refuse };
}

function remarkUnattended(asked: readonly UIRecord[]): Remark | undefined {
	if (asked.length === 0) return undefined;
	const message = "nobody is there to answer: run it in a terminal, or give answers with --answers FILE";
	return { message, explains: true };
}
