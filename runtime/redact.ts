import { isBroodError } from "./errors.ts";

/** Takes what it knows to be secret out of what is kept or shown, and puts `[secret]` in its place. */
export interface Redactor {
	/**
	 * Learns a secret of at least 3 characters: it, its longer lines, and the forms that JSON, URLs and base64 give it. A
	 * form of less than 6 characters is masked only where no letter or digit stands beside it.
	 */
	learn(secret: string): void;
	/** The text without secrets, and without a half of one at an end where the text was cut. */
	text(text: string, cut?: { start?: boolean; end?: boolean }): string;
	/** The same value when it holds no secret, else a copy of what JSON keeps of it. */
	value(value: unknown): unknown;
	/** Changes an error in place: its texts, its causes and what it holds; gives the same error. */
	error<Thrown>(error: Thrown): Thrown;
}

/** What stands in the place of a secret. */
export const secretMark = "[secret]";

// A shorter one stands in ordinary text by chance, and its marks would give it away.
const secretCharsMin = 3;
// A shorter one stands in longer words and numbers by chance.
const anywhereCharsMin = 6;
// More of a line than this tells nothing new about it; what follows is masked where it is a line of its own.
const secretCharsMax = 4 * 1024;
// More than any person types and any environment holds; a plugin that names more makes no more work.
const secretsMax = 256;
// Nobody types more, and looking at each line of more takes long.
const learnedCharsMax = 64 * 1024;
// Errors below errors: more is a cycle.
const depthMax = 8;

/** Makes a redactor that knows no secret yet. */
export function createRedactor(): Redactor {
	// The longest first, so that no rest of it is left where one holds another.
	let secrets: { form: string; pattern: string | RegExp }[] = [];
	const mayHoldSecret = (text: string) => secrets.some(({ form }) => text.includes(form));

	function learn(given: string): void {
		if (secrets.length >= secretsMax) return;
		const secret = given.slice(0, learnedCharsMax);
		const whole = secret.trim();
		const lines = secret.split(/[\r\n]+/).map((line) => line.trim());
		// A short line of a long secret, such as the brackets around it, is none.
		const parts = [whole, ...lines.filter((line) => line.length >= anywhereCharsMin)];
		const forms = [...parts.flatMap(formsOf), ...base64FormsOf(whole)].filter(isMaskable);
		if (forms.length === 0) return;
		const all = [...new Set([...secrets.map(({ form }) => form), ...forms])].slice(0, secretsMax);
		secrets = all.sort((one, other) => other.length - one.length).map((form) => ({ form, pattern: patternOf(form) }));
	}

	function text(given: string, cut: { start?: boolean; end?: boolean } = {}): string {
		let shown = given;
		for (const { form, pattern } of secrets) {
			shown = shown.replaceAll(pattern, secretMark);
			if (cut.start) shown = withoutEndOf(form, shown);
			if (cut.end) shown = withoutBeginningOf(form, shown);
		}
		return shown;
	}

	function value(given: unknown): unknown {
		if (secrets.length === 0) return given;
		try {
			const json = JSON.stringify(given);
			if (json === undefined || !mayHoldSecret(json)) return given;
			let isChanged = false;
			const shown: unknown = JSON.parse(json, (_, member: unknown) => {
				if (typeof member !== "string") return member;
				const masked = text(member);
				isChanged ||= masked !== member;
				return masked;
			});
			return isChanged ? shown : given;
		} catch {
			return "[a value that cannot be searched for secrets]";
		}
	}

	function error(given: unknown, depth = 0): void {
		if (!(given instanceof Error) || depth > depthMax || secrets.length === 0) return;
		for (const key of Object.getOwnPropertyNames(given)) {
			// Programs branch on what the host itself says; it may read like a short secret by chance.
			if (isBroodError(given) && (key === "code" || key === "plugin")) continue;
			const member: unknown = Reflect.get(given, key);
			if (typeof member === "string") Reflect.set(given, key, text(member));
			else if (member instanceof Error) error(member, depth + 1);
			else if (Array.isArray(member) && member.every((item) => item instanceof Error)) {
				for (const item of member) error(item, depth + 1);
			} else if (typeof member === "object" && member !== null) Reflect.set(given, key, value(member));
		}
	}

	return {
		learn,
		text,
		value,
		error(given) {
			error(given);
			return given;
		},
	};
}

function isMaskable(form: string): boolean {
	return form.length >= secretCharsMin && !secretMark.includes(form);
}

/** A secret as texts may hold it. */
function formsOf(secret: string): string[] {
	const start = secret.slice(0, secretCharsMax);
	return [start, JSON.stringify(start).slice(1, -1), encodeURIComponent(start.toWellFormed())];
}

/** A secret in base64, with and without its padding, and as URLs and file names may hold it. */
function base64FormsOf(secret: string): string[] {
	if (secret.length < anywhereCharsMin) return [];
	const bytes = new TextEncoder().encode(secret.slice(0, secretCharsMax));
	const padded = btoa(String.fromCharCode(...bytes));
	const alone = padded.replace(/=+$/, "");
	return [padded, alone, alone.replaceAll("+", "-").replaceAll("/", "_")];
}

/** What finds a form in texts: a short one only where it is a word of its own. */
function patternOf(form: string): string | RegExp {
	if (form.length >= anywhereCharsMin) return form;
	return new RegExp(`(?:${wordStart})${RegExp.escape(form)}(?![\\p{L}\\p{N}])`, "gu");
}

// The last letter or digit of an escape in JSON or a URL, or of a colour, belongs to no word.
const wordStart = String.raw`(?<![\p{L}\p{N}])|(?<=\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}|\x1b\[[\d;]*m)`;

/** Looks for the end of a secret whose beginning was cut off before the text. */
function withoutEndOf(secret: string, text: string): string {
	const end = secret.slice(-anywhereCharsMin);
	const head = text.slice(0, secret.length - 1);
	const places = placesOf(end, head).map((place) => place + end.length);
	const chars = places.findLast((place) => secret.endsWith(head.slice(0, place)));
	return chars === undefined ? text : secretMark + text.slice(chars);
}

/** Looks for the beginning of a secret whose end was cut off after the text. */
function withoutBeginningOf(secret: string, text: string): string {
	const tail = text.slice(-(secret.length - 1));
	const place = placesOf(secret.slice(0, anywhereCharsMin), tail).find((start) => secret.startsWith(tail.slice(start)));
	return place === undefined ? text : text.slice(0, text.length - tail.length + place) + secretMark;
}

// A text that repeats itself has more places than matter.
const placesMax = 64;

function placesOf(part: string, text: string): number[] {
	const places: number[] = [];
	for (let place = text.indexOf(part); place !== -1 && places.length < placesMax; ) {
		places.push(place);
		place = text.indexOf(part, place + 1);
	}
	return places;
}
