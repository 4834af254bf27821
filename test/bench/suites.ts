import type { Suite } from "./suite.ts";
import { calls } from "./suites/calls.ts";
import { many } from "./suites/many.ts";
import { memory } from "./suites/memory.ts";
import { reload } from "./suites/reload.ts";
import { size } from "./suites/size.ts";
import { startup } from "./suites/startup.ts";

export const suites = { startup, many, calls, size, memory, reload } satisfies Record<string, Suite>;

/** What is to know about the samples of a suite, if anything; see `Suite`. */
export function samplingOf(name: string): string | undefined {
	const known: Record<string, Suite> = suites;
	return known[name]?.sampling;
}

export type SuiteName = keyof typeof suites;

export const suiteNames: readonly SuiteName[] = ["startup", "many", "calls", "size", "memory", "reload"];
