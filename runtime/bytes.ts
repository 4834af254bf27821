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
		if (!noting) return this.#view.toBase64();
		noted = true;
		return null;
	}
}

/** Does work that makes JSON, and says whether it met bytes; in that case null stands for each. */
export function notingBytes<Result>(work: () => Result): { result: Result; met: boolean } {
	noted = false;
	noting = true;
	try {
		return { result: work(), met: noted };
	} finally {
		noting = false;
	}
}

let noting = false;
let noted = false;
