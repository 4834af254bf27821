import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { machineSchema } from "./machine.ts";
import { suiteNames } from "./suites.ts";

const goalSchema = z.strictObject({
	atMost: z.number().exactOptional(),
	atLeast: z.number().exactOptional(),
	stretch: z.number().exactOptional(),
});

const figureSchema = z.strictObject({
	id: z.string(),
	title: z.string(),
	command: z.string(),
	goal: goalSchema.exactOptional(),
	value: z.number().exactOptional(),
	middle: z.tuple([z.number(), z.number()]).exactOptional(),
	met: z.boolean().exactOptional(),
	skipped: z.string().exactOptional(),
});

const measurementSchema = z.strictObject({
	name: z.string(),
	unit: z.string(),
	median: z.number(),
	p90: z.number(),
	min: z.number(),
	samples: z.array(z.number()),
});

const resultSchema = z.strictObject({
	suite: z.string(),
	title: z.string(),
	date: z.string(),
	commit: z.string().nullable(),
	machine: machineSchema,
	rounds: z.number(),
	figures: z.array(figureSchema),
	measurements: z.array(measurementSchema),
});

/** What one suite came to, with all its samples. */
export type Result = z.infer<typeof resultSchema>;

export const resultsFolder = join(import.meta.dir, "results");

/** Keeps a result in place of the one before. */
export async function saveResult(result: Result, folder = resultsFolder): Promise<void> {
	await mkdir(folder, { recursive: true });
	// Samples in one line: who compares two results looks at the rest.
	const text = JSON.stringify(result, null, "\t").replace(/\[[-+.,\de\s]+\]/g, (list) => list.replace(/\s+/g, " "));
	await Bun.write(join(folder, `${result.suite}.json`), `${text}\n`);
}

/** The kept results by the names of their suites, in the order of those. @throws ZodError for a file that is no result */
export function readResults(folder = resultsFolder): Map<string, Result> {
	const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
	const results = names.map((name) => resultSchema.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
	const order: readonly string[] = suiteNames;
	results.sort((one, other) => order.indexOf(one.suite) - order.indexOf(other.suite));
	return new Map(results.map((result) => [result.suite, result]));
}
