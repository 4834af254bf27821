import { resolve } from "node:path";
import { z } from "zod";
import { failure } from "../../runtime/errors.ts";
import { describeFileError, readTextFile } from "../base/text-file.ts";
import { benchFormat } from "./record.ts";

const series = z.object({ times: z.array(z.number().positive()) });
const part = z.object({ times: z.array(z.number().nonnegative()) });

// Only what a comparison needs: a file of a later brood may have more.
const earlierSchema = z.object({
	bench: z.literal(benchFormat),
	date: z.string(),
	machine: z.object({
		cpu: z.string(),
		cores: z.number(),
		os: z.string(),
		arch: z.string(),
		bun: z.string(),
		brood: z.string().optional(),
	}),
	settings: z.object({ start: z.string() }),
	floor: series.nullable(),
	plugins: z.array(
		z.object({
			name: z.string(),
			path: z.string(),
			ok: z.boolean(),
			start: series.optional(),
			floor: series.optional(),
			stages: z.record(z.string(), part).optional(),
			imports: z
				.object({ modules: z.array(part.extend({ specifier: z.string() })).optional(), own: part.optional() })
				.optional(),
		}),
	),
});

/** An earlier run, as far as a comparison needs it. */
export type EarlierRun = z.infer<typeof earlierSchema>;

/** Reads what `brood bench --json` has printed. @throws BroodError `usage` that says why the file is no such thing */
export async function readRecord(path: string): Promise<EarlierRun> {
	const { text, cut } = await readTextFile(resolve(path), bytesMax).catch((error: unknown) => {
		throw refusal(path, describeFileError(error));
	});
	if (cut) throw refusal(path, "it is too large to be one");
	return parseRecord(text, path);
}

/** @param path what the text is called in an error */
export function parseRecord(text: string, path: string): EarlierRun {
	const value = parse(text);
	if (value === undefined) throw refusal(path, "it holds no JSON object");
	const format = Reflect.get(value, "bench");
	if (format === undefined) throw refusal(path, 'it has no key "bench"');
	if (format !== benchFormat) {
		throw refusal(path, `it is of format ${JSON.stringify(format)}, and this brood reads format ${benchFormat}`);
	}
	const parsed = earlierSchema.safeParse(value);
	if (parsed.success) return parsed.data;
	const key = (parsed.error.issues[0]?.path ?? []).join(".");
	throw refusal(path, `what "brood bench" writes as "${key}" is missing in it, or something else`);
}

// A run of a thousand rounds of a hundred plugins fits.
const bytesMax = 64 * 1024 * 1024;

function parse(text: string): object | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

function refusal(path: string, reason: string) {
	return failure("usage", {
		reason: `${path} cannot be compared with: ${reason}`,
		hint: "Give a file that was made by: brood bench --json > FILE",
	});
}
