import { InvalidArgumentError } from "commander";
import type { BenchCommandOptions } from "./commands/bench.ts";
import { examples, type Prepared } from "./prepared.ts";

export function addBench({ program, finish }: Prepared): void {
	program
		.command("bench")
		.description("measure how long plugins take to start, stage by stage, next to a bare Bun")
		.argument("[plugin...]", "names or paths; all that a host would start when left out")
		.option("--rounds <n>", "how often each is started", parseRounds, roundsUsual)
		.option("--no-imports", "do not measure apart what its imports take")
		.option("--svg <file>", "draw the result: a waterfall of the stages, and a box plot of all rounds")
		.option("--compare <file>", "say against an earlier --json whether a plugin is faster, slower, or neither")
		.option("--budget <ratio>", "exit with 8 when the ratio of a plugin is larger", parseRatio)
		.addHelpText(
			"after",
			benchHelp +
				examples(
					"brood bench",
					"brood bench hello ./other.ts --svg start.svg",
					"brood bench --rounds 200 --json > before.json",
					"brood bench --rounds 200 --compare before.json --budget 2.5",
				),
		)
		.action((words: string[], own: BenchCommandOptions) =>
			finish("bench", async (context) => (await import("./commands/bench.ts")).bench(context, words, own)),
		);
}

const roundsUsual = 50;
// An hour and more for each plugin.
const roundsMax = 100_000;

const benchHelp = `
What is measured:
  In each round every plugin is started by a new host, alone in a new process, and stopped again; beside each a bare Bun
  that writes one byte is started, its floor. The order changes with each round, another bare Bun between two plugins
  keeps the one from slowing the other, and three rounds before the first do not count. Plugins run their code in
  each of these processes; what they print is not shown, and settings that they change are not kept.
  The ratio is the median time from the spawn of a plugin until it is published, divided by the median of the floor
  beside it. It says much the same on a fast and on a slow machine, where milliseconds do not.

  The stages: spawn (the system makes the process), client.info (Bun and brood start in it), import (the plugin and what
  it imports), activate (its default export), ready and published (the host hears of it and takes it over).

  Imports are measured apart, in as many further rounds, but ten at most, of one or two processes each, and one process
  before them: what the plugin imports itself is imported one after the other, and its own file last. What two of them
  share is charged to the first. Bun keeps files of more than 4 KB transpiled: the first start after an edit takes
  longer than what is measured here.

How it is judged:
  All ranges are those at 95 %. They come from the rounds, and from what two runs of the same plugin differ by anyway,
  which is up to about 10 %. More rounds make them narrower, but a smaller change can never be shown. There is no range
  below 5 rounds. When other programs keep the machine busy, that is told; ratios are then no good.
  --budget compares the ratio itself with the one that is given. Chance is in it, so leave slack; the message has the
  range. It may be combined with --compare, whose verdict never makes it fail.
  --compare compares ratios and not milliseconds: a plugin is faster or slower when the whole range of the change lies
  on one side. Of twenty plugins that are as they were, one may be called so by chance. Of a difference it says which
  stage, by its floors, and which import, by their median, changed most. Where other plugins were measured beside it, it
  says so, and only a larger difference counts. When there is nothing that it can compare, as after a plugin was
  renamed, that is a usage error.

With --json one object has the machine, all times, what they come to, and what --compare and --budget say of them.
Ctrl-C ends the measurement, and tells what there is of it.
`;

function parseRounds(text: string): number {
	const rounds = Number(text);
	if (/^\d+$/.test(text) && rounds >= 1 && rounds <= roundsMax) return rounds;
	throw new InvalidArgumentError(`Give a whole number, from 1 to ${roundsMax}.`);
}

function parseRatio(text: string): number {
	const ratio = Number(text);
	if (/^\d+(?:\.\d+)?$/.test(text) && ratio > 0) return ratio;
	throw new InvalidArgumentError("Give a number greater than 0, such as 2.5.");
}
