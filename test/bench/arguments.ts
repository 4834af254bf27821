import { type SuiteName, suiteNames } from "./suites.ts";

/** What a run of the bench was asked for. */
export interface Arguments {
	suites: SuiteName[];
	/** Writes the figures of saved results into the README, and measures nothing. */
	readme: boolean;
	help: boolean;
	json: boolean;
	save: boolean;
	quick: boolean;
	rounds?: number;
	/** Variants that are wanted; all when absent. */
	only?: string[];
}

export const usage = `bun run bench [SUITE…] [OPTION…]   compares brood with bare Bun and with other ways to do the same
bun run bench readme               writes the figures of saved results into README.md

suites: ${suiteNames.join(", ")}; all of them when none is named
  --quick         few rounds, for a look in passing
  --rounds N      so many rounds
  --only A,B      only these variants; figures that need others are skipped
  --json          one line of JSON for each suite instead of tables
  --save          keeps the results in test/bench/results`;

/** @throws Error what is wrong with them, in words for people */
export function readArguments(words: readonly string[]): Arguments {
	const read: Arguments = { suites: [], readme: false, help: false, json: false, save: false, quick: false };
	const left = [...words];
	for (let word = left.shift(); word !== undefined; word = left.shift()) {
		if (word === "--help" || word === "--json" || word === "--save" || word === "--quick") {
			read[nameOf(word)] = true;
		} else if (word === "--rounds") read.rounds = countOf(left.shift());
		else if (word === "--only") read.only = (left.shift() ?? "").split(",");
		else if (word === "readme") read.readme = true;
		else if (isSuiteName(word)) read.suites.push(word);
		else throw new Error(`${word} is neither a suite nor an option`);
	}
	if (read.save && read.only !== undefined)
		throw new Error("--save keeps whole results, so it does not go with --only");
	if (read.suites.length === 0) read.suites = [...suiteNames];
	return read;
}

function nameOf(word: "--help" | "--json" | "--save" | "--quick"): "help" | "json" | "save" | "quick" {
	return word === "--help" ? "help" : word === "--json" ? "json" : word === "--save" ? "save" : "quick";
}

function countOf(word: string | undefined): number {
	const count = Number(word);
	if (!Number.isInteger(count) || count < 1) throw new Error("--rounds needs a whole number from 1 on");
	return count;
}

function isSuiteName(word: string): word is SuiteName {
	return suiteNames.some((name) => name === word);
}
