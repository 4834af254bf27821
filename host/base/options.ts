import { failure } from "../../runtime/errors.ts";
import { nearest } from "../../runtime/near.ts";

/** What the value of an option is. */
export interface OptionKind {
	/** As a clause: `a text`. */
	what: string;
	is(value: unknown): boolean;
}

export const aText: OptionKind = { what: "a text", is: (value) => typeof value === "string" };
export const aSwitch: OptionKind = { what: "true or false", is: (value) => typeof value === "boolean" };
export const aFunction: OptionKind = { what: "a function", is: (value) => typeof value === "function" };
export const aNumber: OptionKind = {
	what: "a number of at least 0",
	is: (value) => typeof value === "number" && value >= 0,
};
export const anObject: OptionKind = { what: "an object", is: isObject };

/** One of these texts. */
export function oneOf(...values: string[]): OptionKind {
	const what = values.map((value) => JSON.stringify(value)).join(" or ");
	return { what, is: (value) => typeof value === "string" && values.includes(value) };
}

/**
 * Looks at options that an embedder may have from anywhere; `undefined` leaves one out.
 *
 * @param where the function that takes them, or the option that holds them
 * @throws BroodError `usage` for a name that is no option, with the one that was meant, and for a value of another kind
 */
export function checkOptions(where: string, given: unknown, kinds: Record<string, OptionKind>): void {
	const names = Object.keys(kinds);
	if (!isObject(given)) refuse(`${where} takes an object of ${names.join(", ")}, not ${describeValue(given)}`);
	for (const [name, value] of Object.entries(given)) {
		const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
		if (kind === undefined) refuse(`${where} has no option "${name}"; ${meaning(name, names)}`);
		if (value !== undefined && !kind.is(value)) {
			refuse(`The option "${name}" of ${where} is ${kind.what}, not ${describeValue(value)}`);
		}
	}
}

/** @throws BroodError `usage` where an object lacks a method */
export function checkMethods(where: string, given: object, methods: readonly string[]): void {
	const missing = methods.filter((name) => typeof Reflect.get(given, name) !== "function");
	if (missing.length === 0) return;
	const noun = missing.length === 1 ? "the method" : "the methods";
	refuse(`${where} lacks ${noun} ${missing.join(", ")}`);
}

/** A value as a message may show it: its kind where it is no short value; what a text holds may be a secret. */
export function describeValue(value: unknown): string {
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (typeof value === "object" && value !== null) return "an object";
	if (typeof value === "function") return "a function";
	return typeof value === "string" ? `the text ${JSON.stringify(value.slice(0, quoteCharsMax))}` : String(value);
}

export function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @throws BroodError `usage` */
export function refuse(reason: string): never {
	throw failure("usage", { reason });
}

function meaning(name: string, names: string[]): string {
	const meant = nearest(name, names);
	return meant === undefined ? `there are ${names.join(", ")}` : `is it "${meant}"?`;
}

// Enough to see which value is meant.
const quoteCharsMax = 80;
