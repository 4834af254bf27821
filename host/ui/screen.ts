import type { Readable, Writable } from "node:stream";
import { type BroodError, failure } from "../../runtime/errors.ts";
import type { AskContext } from "../contracts/providers.ts";
import { cleanLine } from "./clean.ts";
import { hasPluginEnded } from "./dialog.ts";
import { giveSize } from "./terminal-size.ts";

/** The name of a plugin file may hold anything but a slash. */
export const pluginNameCharsMax = 80;

/** The prompts of one dialog; each resolves with `undefined` when it was cancelled or nobody wants its answer any more. */
export interface Screen {
	/** Prints text of any number of lines. */
	print(text: string, symbol?: "info" | "step"): void;
	/** Edits text; one of several lines when `multiline` is set or the initial value has several. */
	text(options: TextPrompt): Promise<string | undefined>;
	password(message: string): Promise<string | undefined>;
	confirm(message: string, yes: string | undefined): Promise<boolean | undefined>;
	/** Resolves with the index of the chosen option. */
	select(message: string, options: string[], initial: number): Promise<number | undefined>;
}

interface TextPrompt {
	message: string;
	initialValue?: string;
	multiline?: boolean;
	/** Returns what is wrong with the value. */
	validate?: (value: string) => string | undefined;
}

/** What a screen is drawn on, stdin and stderr unless given, and who hears of Ctrl-C. */
export interface Terminal {
	input?: Readable;
	output?: Writable;
	/** Called when Ctrl-C has cancelled a prompt, before the prompt resolves. */
	interrupt?: () => void;
}

/**
 * Loads the prompts library and binds it to a terminal and a caller.
 *
 * @throws BroodError `ui_not_available` from a prompt whose terminal goes away
 */
export async function openScreen(terminal: Terminal, context: AskContext): Promise<Screen> {
	const clack = await import("@clack/prompts");
	const { input = process.stdin, output = process.stderr, interrupt = () => {} } = terminal;
	giveSize(output);
	const io = { input, output };
	const show = <Answer>(open: () => Promise<Answer | typeof clack.CANCEL_SYMBOL>) =>
		showPrompt(clack, { ...io, interrupt }, context, open);

	return {
		print(text, symbol) {
			if (symbol === undefined) clack.log.message(text, { output });
			else clack.log[symbol](text, { output });
		},
		text({ message, initialValue, multiline, validate }) {
			const options = {
				...io,
				message,
				...(initialValue === undefined ? {} : { initialValue }),
				...(validate === undefined ? {} : { validate: (value: string | undefined) => validate(value ?? "") }),
			};
			if (!multiline && !initialValue?.includes("\n")) return show(() => clack.text(options));
			const hint = `${message} (Tab, then Enter submits)`;
			return show(() => withWholeCharacters(input, clack.multiline({ ...options, message: hint, showSubmit: true })));
		},
		password: (message) => show(() => clack.password({ ...io, message })),
		confirm: (message, yes) =>
			show(() => clack.confirm({ ...io, message, ...(yes === undefined ? {} : { active: yes, inactive: "Cancel" }) })),
		select: (message, options, initial) =>
			show(() =>
				clack.select<number>({
					...io,
					message,
					options: options.map((label, value) => ({ value, label })),
					initialValue: initial,
				}),
			),
	};
}

type Clack = typeof import("@clack/prompts");

/** Shows one prompt until it is answered, cancelled, unwanted, or its terminal goes away. */
async function showPrompt<Answer>(
	clack: Clack,
	{ input, output, interrupt }: Required<Terminal>,
	context: AskContext,
	open: () => Promise<Answer | typeof clack.CANCEL_SYMBOL>,
): Promise<Answer | undefined> {
	const { signal } = context;
	if (signal.aborted) return undefined;
	const { promise: lost, reject } = Promise.withResolvers<never>();
	let interrupted = false;
	// The library cancels on Ctrl-C as it does on Escape, and does not say which it was.
	const watchKeys = (_: unknown, key: { name?: string; ctrl?: boolean } | undefined) => {
		if (key?.ctrl && key.name === "c") interrupted = true;
	};
	// The library's own `signal` leaves the prompt drawn as if it were open, and never lets go of the signal.
	const cancel = () => input.emit("keypress", undefined, { name: "escape" });
	const leave = () => {
		reject(terminalGone(context));
		// Raw mode of a terminal that hung up cannot be left: trying throws, in readline even past every handler.
		if ("setRawMode" in input) input.setRawMode = () => input;
		else cancel();
	};
	signal.addEventListener("abort", cancel, { once: true });
	input.on("keypress", watchKeys).on("end", leave).on("error", leave);
	try {
		if (input.readableEnded || input.destroyed) throw terminalGone(context);
		const answer = await Promise.race([open(), lost]);
		if (signal.aborted) clack.log.warn(`Withdrawn: ${whyWithdrawn(context)}.`, { output });
		if (!clack.isCancel(answer)) return answer;
		if (interrupted) interrupt();
		return undefined;
	} finally {
		signal.removeEventListener("abort", cancel);
		input.off("keypress", watchKeys).off("end", leave).off("error", leave);
	}
}

function whyWithdrawn(context: AskContext): string {
	if (!hasPluginEnded(context)) return "nobody waits for the answer any more";
	return `plugin "${cleanLine(context.plugin, pluginNameCharsMax)}" ended`;
}

function terminalGone(context: AskContext): BroodError {
	return failure("ui_not_available", { plugin: context.plugin, reason: "the terminal is gone" });
}

/**
 * Keeps the cursor of a multi-line prompt behind what was typed: the library moves it by one a key, also when the key
 * brought a character of two code units, and would put the next one between them.
 */
async function withWholeCharacters<Answer>(input: Readable, answer: Promise<Answer>): Promise<Answer> {
	const follow = (text: string | undefined) => {
		for (let unit = 1; unit < (text?.length ?? 0); unit += 1) input.emit("keypress", undefined, { name: "right" });
	};
	input.on("keypress", follow);
	try {
		return await answer;
	} finally {
		input.off("keypress", follow);
	}
}
