import type { AskContext } from "./ask-context.ts";

/** Keeps images of plugins where a URL leads to them. An upload has `limits.attachments.uploadMs`. */
export interface AttachmentsProvider {
	/** Answers with an http or https URL. */
	upload(attachment: UploadRequest, context: AskContext): Promise<{ url: string }>;
}

/** An image within the limits for bytes and size; its bytes are those of the type it says. */
export interface UploadRequest {
	data: Uint8Array;
	/** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
	mimeType: string;
	/** Pixels. */
	width: number;
	/** Pixels. */
	height: number;
}
