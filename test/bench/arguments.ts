import { type SuiteName, suiteNames, suites } from "./suites.ts";

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
  --save          keeps the results in test/bench/results

variants of each suite:
${listVariants(suiteNames)}`;

/** @throws Error what is wrong with them, in words for people */
export function readArguments(words: readonly string[]): Arguments {
	const read: Arguments = { suites: [], readme: false, help: false, json: false, save: false, quick: false };
	const left = [...words];
	for (let word = left.shift(); word !== undefined; word = left.shift()) {
		if (word === "--help" || word === "--json" || word === "--save" || word === "--quick") {
			read[nameOf(word)] = true;
		} else if (word === "--rounds") read.rounds = countOf(left.shift());
		else if (word === "--only") read.only = namesOf(left.shift());
		else if (word === "readme") read.readme = true;
		else if (isSuiteName(word)) read.suites.push(word);
		else throw new Error(`${word} is neither a suite nor an option`);
	}
	if (read.save && read.only !== undefined)
		throw new Error("--save keeps whole results, so it does not go with --only");
	const named = [...read.suites];
	if (named.length === 0) read.suites = [...suiteNames];
	if (read.only !== undefined) read.suites = suitesWith(read.only, read.suites, named);
	return read;
}

function nameOf(word: "--help" | "--json" | "--save" | "--quick"): "help" | "json" | "save" | "quick" {
	return word === "--help" ? "help" : word === "--json" ? "json" : word === "--save" ? "save" : "quick";
}

function namesOf(word: string | undefined): string[] {
	const names = (word ?? "").split(",").map((name) => name.trim());
	if (word === undefined || word.startsWith("--") || names.includes("")) {
		throw new Error("--only needs the names of variants, as in --only package,floor");
	}
	return names;
}

/** The suites that have one of the variants. @throws Error for a variant that none has, and a named suite without any */
function suitesWith(only: readonly string[], asked: readonly SuiteName[], named: readonly SuiteName[]): SuiteName[] {
	const has = (suite: SuiteName, name: string) => suites[suite].variants.includes(name);
	// Mistyped, it would leave out what was wanted, and say nothing of it.
	const unknown = only.filter((name) => !asked.some((suite) => has(suite, name)));
	const empty = named.filter((suite) => !only.some((name) => has(suite, name)));
	const [problem] = [
		...unknown.map((name) => `there is no variant ${name}`),
		...empty.map((suite) => `${suite} has none of these variants`),
	];
	if (problem !== undefined) throw new Error(`${problem}; see the variants of each suite below`);
	return asked.filter((suite) => only.some((name) => has(suite, name)));
}

function listVariants(names: readonly SuiteName[]): string {
	return names.map((name) => `  ${name}: ${suites[name].variants.join(", ")}`).join("\n");
}

function countOf(word: string | undefined): number {
	const count = Number(word);
	if (!Number.isInteger(count) || count < 1) throw new Error("--rounds needs a whole number from 1 on");
	return count;
}

function isSuiteName(word: string): word is SuiteName {
	return suiteNames.some((name) => name === word);
}
