import { failure } from "../../runtime/errors.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Attachments } from "../types/ai.ts";

/** Uploads of images; the host looks at their size. */
export function createAttachments(ask: Ask): Attachments {
	return {
		async upload(given) {
			const { data, mimeType } = given ?? {};
			if (typeof mimeType !== "string") throw wrong("mimeType is a text, such as image/png");
			const encoded = typeof data === "string" ? base64Of(data, mimeType) : bytesOf(data)?.toBase64();
			if (encoded === undefined) throw wrong("data is a Uint8Array or a text of base64");
			if (encoded === "") throw wrong("data is empty");
			return { url: (await ask("attachments.upload", { data: encoded, mimeType })).url };
		},
	};
}

function wrong(reason: string): Error {
	const subject = "attachments.upload";
	return apiRejection(failure("invalid_params", { subject, reason }), subject);
}

/** The bytes that a view shows, which may be a part of its buffer. */
function bytesOf(data: unknown): Uint8Array | undefined {
	if (data instanceof ArrayBuffer) return new Uint8Array(data);
	if (!ArrayBuffer.isView(data)) return undefined;
	return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Base64 in its one usual form; a data URL holds it too. */
function base64Of(text: string, mimeType: string): string {
	const [head = "", type] = /^data:([^;,]*)[^,]*;base64,/i.exec(text) ?? [];
	if (type !== undefined && type.toLowerCase() !== mimeType.toLowerCase()) {
		throw wrong(`mimeType is ${mimeType}, and the data URL says ${type}`);
	}
	try {
		return Uint8Array.fromBase64(text.slice(head.length)).toBase64();
	} catch {
		throw wrong("data is a Uint8Array or a text of base64, and this text is none");
	}
}
