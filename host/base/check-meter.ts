import type { Ajv, FuncKeywordDefinition, KeywordCxt } from "ajv";
import type { Json, JsonObject } from "../../runtime/records.ts";

/** Counts what checks of inputs by one schema cost. */
export interface Meter {
	/** Runs a check, or gives it up when it costs too much; its answer is then undefined. */
	run(check: () => boolean): boolean | undefined;
}

/** What writes code of the compiler. */
export type CodeParts = Pick<typeof import("ajv"), "_" | "Name">;

/** The keyword that counts; `weighed` gives its value for a schema, which stands beside the others. */
export const meterKeyword = "$meter";

// Some ten nanoseconds each, so that a check ends within a few hundredths of a second.
const workMax = 400_000;
// A wrong value costs its message, which nobody reads after the first few.
const errorsMax = 20;
const errorWork = 100;
// Characters are compared faster than values are visited.
const charsPerWork = 32;

/** The value of the keyword: what one visit costs, below zero where it also walks all of the value. */
export function weighed(schema: JsonObject): number {
	let work = 1;
	let walks = false;
	for (const [key, member] of Object.entries(schema)) {
		work += literals.has(key) ? partsOf(member) : typeof member === "object" && member !== null ? sizeOf(member) : 1;
		walks ||= walking.has(key);
	}
	return walks ? -work : work;
}

/** What one visit of a value costs by a schema of this weight. */
export function costOf(weight: number, data: Json): number {
	if (weight > 0) return weight;
	if (typeof data === "string") return data.length / charsPerWork - weight;
	return typeof data === "object" && data !== null ? sizeOf(data) - weight : -weight;
}

/** Makes a compiler count the visits of its checks: no count ahead can tell how often a schema that refers to itself is tried. */
export function meter(ajv: Ajv, code: CodeParts): Meter {
	const { _, Name } = code;
	let left = workMax;

	function spend(work: number): void {
		left -= work;
		if (left < 0) throw tooMuchWork;
	}

	function visit(data: Json, weight: number, errors: number): void {
		spend(costOf(weight, data) + (errors > errorsMax ? errorWork : 0));
	}

	const distinct: FuncKeywordDefinition["validate"] & { errors?: object[] } = (wanted: unknown, data: Json[]) => {
		if (wanted !== true || data.length < 2) return true;
		const seen = new Set<string>();
		for (const item of data) {
			const text = canonical(item);
			spend(1 + text.length / 8);
			if (seen.has(text)) return false;
			seen.add(text);
		}
		return true;
	};

	ajv.addKeyword({
		keyword: meterKeyword,
		before: "$ref",
		code({ gen, data, schema }: KeywordCxt) {
			const ref = gen.scopeValue("func", { ref: visit });
			gen.code(_`${ref}(${data}, ${schema}, ${new Name("errors")})`);
		},
	});
	// The compiler's own compares each item with each other.
	ajv.removeKeyword("uniqueItems");
	ajv.addKeyword({
		keyword: "uniqueItems",
		type: "array",
		schemaType: "boolean",
		validate: distinct,
		error: { message: "must NOT have duplicate items" },
	});
	return {
		run(check) {
			left = workMax;
			try {
				return check();
			} catch (error) {
				if (error === tooMuchWork) return undefined;
				throw error;
			}
		},
	};
}

const tooMuchWork = new Error("the check costs too much");

const literals = new Set(["const", "enum"]);
const walking = new Set([
	"additionalProperties",
	"const",
	"enum",
	"maxLength",
	"maxProperties",
	"minLength",
	"minProperties",
	"propertyNames",
	"unevaluatedProperties",
]);

function sizeOf(value: object): number {
	return Array.isArray(value) ? value.length : Object.keys(value).length;
}

function partsOf(value: Json): number {
	if (typeof value !== "object" || value === null) return 1;
	return Object.values(value).reduce<number>((sum, member) => sum + partsOf(member), 1);
}

/** The same text for equal values, whatever the order of their members. */
function canonical(value: Json): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
	const names = Object.keys(value).sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(",")}}`;
}
