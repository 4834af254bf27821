import type { Command } from "commander";
import type { CommandContext } from "./context.ts";

/** The program that commands are added to. */
export interface Prepared {
	program: Command;
	outcome: { exitCode: number };
	/** The last arguments, which the first `--` keeps from being options. */
	behindDashes: readonly string[];
	/** Runs the command of that name and keeps its exit code. */
	finish(name: string, command: (context: CommandContext) => Promise<number>): Promise<void>;
}

/** A part of a command's help. */
export function examples(...lines: string[]): string {
	return `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}
