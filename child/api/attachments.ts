import { Bytes } from "../../runtime/bytes.ts";
import { failure } from "../../runtime/errors.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Attachments } from "../types/ai.ts";

/** Uploads of images; the host looks at their size. */
export function createAttachments(ask: Ask): Attachments {
	return {
		async upload(given) {
			const { data, mimeType } = given ?? {};
			if (typeof mimeType !== "string") throw wrong("mimeType is a text, such as image/png");
			const bytes = typeof data === "string" ? decoded(data, mimeType) : viewOf(data);
			if (bytes === undefined) throw wrong("data is a Uint8Array or a text of base64");
			if (bytes.byteLength === 0) throw wrong("data is empty");
			// A copy, since the plugin may use its buffer again.
			return { url: (await ask("attachments.upload", { data: new Bytes(bytes.slice()), mimeType })).url };
		},
	};
}

function wrong(reason: string): Error {
	const subject = "attachments.upload";
	return apiRejection(failure("invalid_params", { subject, reason }), subject);
}

/** The bytes that a view shows, which may be a part of its buffer. */
function viewOf(data: unknown): Uint8Array | undefined {
	if (data instanceof ArrayBuffer) return new Uint8Array(data);
	if (!ArrayBuffer.isView(data)) return undefined;
	return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Base64; a data URL holds it too. */
function decoded(text: string, mimeType: string): Uint8Array {
	const [head = "", type] = /^data:([^;,]*)[^,]*;base64,/i.exec(text) ?? [];
	if (type !== undefined && type.toLowerCase() !== mimeType.toLowerCase()) {
		throw wrong(`mimeType is ${mimeType}, and the data URL says ${type}`);
	}
	try {
		return Uint8Array.fromBase64(text.slice(head.length));
	} catch {
		throw wrong("data is a Uint8Array or a text of base64, and this text is none");
	}
}
