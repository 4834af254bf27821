/** Takes what it knows to be secret out of what is kept or shown, and puts `[secret]` in its place. */
export interface Redactor {
	/** Learns a secret: it, each line of it, and the forms that JSON and URLs give it. One that is too short is left out. */
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
const secretCharsMin = 6;
// More of a line than this tells nothing new about it; what follows is masked where it is a line of its own.
const secretCharsMax = 4 * 1024;
// More than any person types and any environment holds; a plugin that names more makes no more work.
const secretsMax = 256;
// Errors below errors: more is a cycle.
const depthMax = 8;

/** Makes a redactor that knows no secret yet. */
export function createRedactor(): Redactor {
	// The longest first, so that no rest of it is left where one holds another.
	let secrets: string[] = [];
	const isSecret = (text: string) => secrets.some((secret) => text.includes(secret));

	function learn(secret: string): void {
		const lines = [secret, ...secret.split(/[\r\n]+/)].map((line) => line.trim().slice(0, secretCharsMax));
		const forms = lines.flatMap(formsOf).filter(isMaskable);
		if (forms.length === 0 || secrets.length >= secretsMax) return;
		const all = [...new Set([...secrets, ...forms])].slice(0, secretsMax);
		secrets = all.sort((one, other) => other.length - one.length);
	}

	function text(given: string, cut: { start?: boolean; end?: boolean } = {}): string {
		let shown = given;
		for (const secret of secrets) {
			shown = shown.replaceAll(secret, secretMark);
			if (cut.start) shown = withoutEndOf(secret, shown);
			if (cut.end) shown = withoutBeginningOf(secret, shown);
		}
		return shown;
	}

	function value(given: unknown): unknown {
		if (secrets.length === 0) return given;
		try {
			const json = JSON.stringify(given);
			if (json === undefined || !isSecret(json)) return given;
			return JSON.parse(json, (_, member: unknown) => (typeof member === "string" ? text(member) : member));
		} catch {
			return "[a value that cannot be searched for secrets]";
		}
	}

	function error(given: unknown, depth = 0): void {
		if (!(given instanceof Error) || depth > depthMax || secrets.length === 0) return;
		for (const key of Object.getOwnPropertyNames(given)) {
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
	const wellFormed = secret.toWellFormed();
	return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed)])];
}

/** Looks for the end of a secret whose beginning was cut off before the text. */
function withoutEndOf(secret: string, text: string): string {
	const end = secret.slice(-secretCharsMin);
	const head = text.slice(0, secret.length - 1);
	const places = placesOf(end, head).map((place) => place + end.length);
	const chars = places.findLast((place) => secret.endsWith(head.slice(0, place)));
	return chars === undefined ? text : secretMark + text.slice(chars);
}

/** Looks for the beginning of a secret whose end was cut off after the text. */
function withoutBeginningOf(secret: string, text: string): string {
	const tail = text.slice(-(secret.length - 1));
	const place = placesOf(secret.slice(0, secretCharsMin), tail).find((start) => secret.startsWith(tail.slice(start)));
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
