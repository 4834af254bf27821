/**
 * Bytes in a message. They travel raw to a side that reads parts; every other JSON of them, also that of a log, is a
 * text of base64. No member shows them, so that whoever walks a message passes them like an empty object.
 */
export class Bytes {
	readonly #view: Uint8Array<ArrayBuffer>;

	/** Without a copy: what it is given must not change until it has left. */
	constructor(view: Uint8Array<ArrayBuffer>) {
		this.#view = view;
	}

	get view(): Uint8Array<ArrayBuffer> {
		return this.#view;
	}

	toJSON(): string | null {
		if (!isApart) return this.#view.toBase64();
		met = true;
		return null;
	}
}

/** The JSON of a value with null for the bytes in it; `metBytes` then says whether there were any. */
export function stringifyWithoutBytes(value: unknown): string | undefined {
	met = false;
	isApart = true;
	try {
		return stringify(value);
	} finally {
		isApart = false;
	}
}

export function metBytes(): boolean {
	return met;
}

// Kept, since a plugin may replace the global functions.
const { stringify } = JSON;

let isApart = false;
let met = false;
